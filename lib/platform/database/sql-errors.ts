import { setTimeout as sleep } from "node:timers/promises"

type Cause = { originalCode?: unknown; code?: unknown; kind?: unknown }
type DatabaseError = Error & { code?: unknown; meta?: { driverAdapterError?: { cause?: Cause } }; cause?: unknown }

/** SQLSTATE of a PostgreSQL error: pg has it in `code`, Prisma in `meta.driverAdapterError.cause.originalCode`. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, cause } = error as DatabaseError
  const [own, within, wrapped] = [
    code,
    adapterCause(error)?.originalCode,
    (cause as Cause | undefined)?.originalCode,
  ].map(asState)
  if (own ?? within ?? wrapped) return own ?? within ?? wrapped
  if (code === "P2002") return uniqueViolation
  return cause instanceof Error ? sqlState(cause) : undefined
}

export const uniqueViolation = "23505"
export const foreignKeyViolation = "23503"
export const lockNotAvailable = "55P03"
const serializationFailure = "40001"
const deadlockDetected = "40P01"
const queryCanceled = "57014"
/** The server is a standby, or has become one: a primary takes what it refused. */
const readOnlyTransaction = "25006"

/** Connections (08), resources such as the disk (53), shutdown and a killed session (57P), I/O (58): the statement itself may be right. */
const unavailableClasses = /^(08|53|57P|58)/
const unavailableStates = new Set([
  queryCanceled,
  lockNotAvailable,
  serializationFailure,
  deadlockDetected,
  readOnlyTransaction,
])
/**
 * Prisma's codes: unreachable (P1001, P1002), timed out (P1008), closed (P1017), no connection free (P2024, P2037), transaction
 * not begun or not ended in time (P2028), conflict (P2034). And those of the operating system.
 */
const unavailableCodes = new Set([
  ...["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2034", "P2037"],
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
])
/** How the adapter of Prisma names failures that carry no SQLSTATE. */
const unavailableKinds = new Set([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
  "TransactionWriteConflict",
])
const unavailableText =
  /ECONNREFUSED|ECONNRESET|EPIPE|Connection terminated|not queryable|timeout exceeded when trying to connect/i

/** True when the database is unreachable or overloaded, rather than the statement wrong: answered with 503. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const state = sqlState(error)
  if (state && (unavailableClasses.test(state) || unavailableStates.has(state))) return true
  const { code } = error as DatabaseError
  const kind = adapterCause(error)?.kind
  if (typeof code === "string" && unavailableCodes.has(code)) return true
  return (typeof kind === "string" && unavailableKinds.has(kind)) || unavailableText.test(error.message)
}

/** Before a second run, so that the transaction which won takes the locks it was waiting for first. */
const retryAfterMs = { least: 20, most: 60 }

/**
 * Runs `work` a second time when it lost a deadlock or a serialization conflict: PostgreSQL has undone all of it. For whole
 * transactions and for single statements outside of one.
 */
export async function withOneRetry<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const state = sqlState(error)
    if (state !== deadlockDetected && state !== serializationFailure) throw error
    await sleep(retryAfterMs.least + Math.random() * (retryAfterMs.most - retryAfterMs.least))
    return work()
  }
}

/** Null when a unique index refuses what `write` adds. Within a transaction that statement aborts it: use a savepoint. */
export async function nullIfTaken<T>(write: Promise<T>): Promise<T | null> {
  try {
    return await write
  } catch (error) {
    if (sqlState(error) === uniqueViolation) return null
    throw error
  }
}

function adapterCause(error: Error): Cause | undefined {
  return (error as DatabaseError).meta?.driverAdapterError?.cause
}

/** A SQLSTATE has five characters, and so has an error code of Prisma, which begins with P1 or P2. */
function asState(code: unknown): string | undefined {
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !/^P[12]0/.test(code) ? code : undefined
}
