/** SQLSTATE of a PostgreSQL error, wherever pg or Prisma put it. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, cause } = error as Error & { code?: unknown; cause?: { originalCode?: string; code?: string } }
  if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("P2")) return code
  if (code === "P2002") return "23505"
  return cause?.originalCode ?? cause?.code
}

export const UNIQUE_VIOLATION = "23505"
export const FOREIGN_KEY_VIOLATION = "23503"
export const LOCK_NOT_AVAILABLE = "55P03"

/** True for failures that speak of the database being away or overloaded, not of the statement. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state && (/^(08|53|57P)/.test(state) || state === "57014" || state === LOCK_NOT_AVAILABLE)) return true
  const text = error instanceof Error ? error.message : ""
  return /ECONNREFUSED|ECONNRESET|EPIPE|Connection terminated|not queryable|timeout exceeded when trying to connect/i.test(text)
}
