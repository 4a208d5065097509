import { isDeepStrictEqual } from "node:util"

/** Values of a field before and after a change. */
type Change = { before: unknown; after: unknown }

/** The fields that were given and differ from what was there. */
export function changedFields(was: Record<string, unknown>, given: Record<string, unknown>): Record<string, Change> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, after]): [string, Change][] => {
      const before = was[name] ?? null
      return after === undefined || isDeepStrictEqual(before, after) ? [] : [[name, { before, after }]]
    }),
  )
}
