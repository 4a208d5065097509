import { expect } from "vitest"

/** Expects a problem document of this status and code; a failure shows the whole answer. */
export function expectProblem(answer: { status: number; json: unknown }, status: number, code: string) {
  const { code: given } = (answer.json ?? {}) as { code?: unknown }
  const shown = `answered ${answer.status} ${JSON.stringify(answer.json)}`
  expect({ status: answer.status, code: given }, shown).toEqual({ status, code })
}
