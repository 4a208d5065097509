import { impliedProblems } from "@/lib/api/openapi"
import { endpoints } from "@/lib/api/registry"
import { problemsByStatus } from "@/lib/platform/http/openapi"
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

let known: ProblemPage[] | undefined

/** Every problem that the API can answer with, by code. They are the same as long as the process runs. */
export function allProblems(): ProblemPage[] {
  return (known ??= describeProblems())
}

function describeProblems(): ProblemPage[] {
  const operations = endpoints.map((endpoint) => ({
    route: endpoint.route,
    kinds: new Set(Object.values(problemsByStatus(endpoint, impliedProblems)).flat()),
  }))
  return problemKinds().map((kind) => {
    const raisedBy = operations.filter(({ kinds }) => kinds.has(kind)).map(({ route }) => route)
    const { code, status, title, explanation } = kind
    return { code, status, title, explanation, raisedBy: sharedProblems.includes(kind) ? "any operation" : raisedBy }
  })
}

export function findProblem(code: string): ProblemPage | undefined {
  return allProblems().find((one) => one.code === code)
}
