import type { ProblemDocument } from "@/lib/platform/http/problem"

/** A call that was refused: carries the problem document of the API. */
export class ApiProblem extends Error {
  constructor(readonly problem: ProblemDocument) {
    super(problem.detail ?? problem.title)
    this.name = "ApiProblem"
  }
}

/** The problem of any error: the answer of the API, or that the API is unreachable. */
export function problemOf(error: unknown): ProblemDocument {
  if (error instanceof ApiProblem) return error.problem
  return {
    type: "about:blank",
    code: "network.unreachable",
    status: 0,
    title: "The service is unreachable",
    detail: "Check the connection and try again.",
  }
}
