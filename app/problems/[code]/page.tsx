import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { ProblemExplained } from "@/components/problems/problems"
import { findProblem } from "@/lib/api/problem-pages"

type Props = PageProps<"/problems/[code]">

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).code }
}

export default async function ProblemPage({ params }: Props) {
  const problem = findProblem((await params).code)
  if (!problem) notFound()
  return <ProblemExplained problem={problem} />
}
