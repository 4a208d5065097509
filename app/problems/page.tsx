import type { Metadata } from "next"
import { ProblemList } from "@/components/problems/problems"
import { allProblems } from "@/lib/api/problem-pages"

export const metadata: Metadata = { title: "Problems" }

export default function ProblemsPage() {
  return <ProblemList problems={allProblems()} />
}
