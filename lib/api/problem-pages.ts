import { impliedProblems } from "@/lib/api/openapi"
import { endpoints } from "@/lib/api/registry"
import { problemsByStatus } from "@/lib/platform/http/openapi-responses"
import { problemKinds } from "@/lib/platform/http/problem"
import { sharedProblems } from "@/lib/platform/http/problems"

/** The content of the page of a problem, as plain values for the browser. */
export type ProblemPage = {
  code: string
  status: number
  title: string
  explanation: string
  raisedBy: string[] | "any operation"
}

/** Every problem that the API can answer with, by code. */
export function allProblems(): ProblemPage[] {
  return problemKinds().map((kind) => {
    const raisedBy = endpoints
      .filter((endpoint) =>
        Object.values(problemsByStatus(endpoint, impliedProblems)).some((kinds) => kinds.includes(kind)),
      )
      .map(({ route }) => route)
    const { code, status, title, explanation } = kind
    return { code, status, title, explanation, raisedBy: sharedProblems.includes(kind) ? "any operation" : raisedBy }
  })
}

export function findProblem(code: string): ProblemPage | undefined {
  return allProblems().find((one) => one.code === code)
}
