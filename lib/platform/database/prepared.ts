import { createHash } from "node:crypto"

const names = new Map<string, string>()

/**
 * A statement that each connection parses once and, if the plan does not depend on the values, plans once. Only for texts that
 * take few forms, as every connection keeps each of them. PostgreSQL plans a LIMIT that it does not know for a tenth of the
 * table, so that belongs into the text.
 */
export function prepared(text: string, values: unknown[]): { name: string; text: string; values: unknown[] } {
  let name = names.get(text)
  if (name === undefined) {
    // By content: bundles of one process share their connections.
    name = createHash("sha256").update(text).digest("base64url").slice(0, 24)
    names.set(text, name)
  }
  return { name, text, values }
}
