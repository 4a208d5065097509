import type { FieldValues, Path, UseFormReturn } from "react-hook-form"
import type { ProblemDocument } from "@/lib/platform/http/problem"

/** A call that was refused: carries the problem document of the API. */
export class ApiProblem extends Error {
  constructor(readonly problem: ProblemDocument) {
    super(problem.detail ?? problem.title)
    this.name = "ApiProblem"
  }
}

/** The problem behind any error: what the API said, or that it could not be reached. */
export function problemOf(error: unknown): ProblemDocument {
  if (error instanceof ApiProblem) return error.problem
  return {
    type: "about:blank",
    code: "network.unreachable",
    status: 0,
    title: "The service could not be reached",
    detail: "Check the connection and try again.",
  }
}

/** What was refused, by the field that it is about; what belongs to none of them is `root`. */
export type Faults = { fields: Partial<Record<string, string>>; root?: string }

/** Sorts a refused body's faults by `fields`, which are pointers joined by dots (`limits.dailySends`). */
export function faultsOf(error: unknown, fields: readonly string[]): Faults {
  const refused = problemOf(error)
  const found: Record<string, string> = {}
  const rest: string[] = []
  for (const { pointer, detail } of refused.errors ?? []) {
    const name = pointer.slice(1).replaceAll("/", ".")
    if (fields.includes(name)) found[name] = detail
    else rest.push(`${pointer} ${detail}`)
  }
  const root = rest.join(" ") || (refused.errors?.length ? "" : (refused.detail ?? refused.title))
  return { fields: found, ...(root && { root }) }
}

/** Puts each pointer of a refused body on its form field; what has no field becomes the form's own error. */
export function applyProblem<T extends FieldValues>(form: UseFormReturn<T>, error: unknown) {
  const refused = problemOf(error)
  const fields = new Set(Object.keys(form.getValues()))
  const rest: string[] = []
  for (const fault of refused.errors ?? []) {
    const name = fault.pointer.split("/")[1] ?? ""
    if (fields.has(name))
      form.setError(fault.pointer.slice(1).replaceAll("/", ".") as Path<T>, { message: fault.detail })
    else rest.push(`${fault.pointer} ${fault.detail}`)
  }
  if (!refused.errors?.length || rest.length) {
    form.setError("root", { message: rest.join(" ") || refused.detail || refused.title })
  }
}
