import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { ProblemExplained } from "@/components/problems/problems"
import { findProblem } from "@/lib/api/problem-pages"
import { endpoints } from "@/lib/api/registry"
import { operationHref } from "@/lib/docs/search-index"

type Props = PageProps<"/problems/[code]">

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).code }
}

export default async function ProblemPage({ params }: Props) {
  const problem = findProblem((await params).code)
  if (!problem) notFound()
  return <ProblemExplained problem={problem} hrefOf={hrefOf} />
}

const hrefs = new Map<string, string>(endpoints.map((endpoint) => [endpoint.route, operationHref(endpoint)]))
const hrefOf = (route: string) => hrefs.get(route)
