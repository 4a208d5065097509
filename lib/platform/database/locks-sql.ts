import { rowsOf, type Connection } from "@/lib/platform/database/db"
import type { InProject } from "@/lib/platform/database/scoped-db"
import { columnsOf } from "@/lib/platform/database/shape"
import { Prisma } from "@/prisma/generated/client"

type Locking = {
  /** What is read of the rows. */
  columns: string
  table: string
  where: Prisma.Sql
  order?: string
  limit?: number
  /** Leaves out rows that another transaction has locked, instead of waiting for them. */
  skipLocked?: boolean
  /** Together with others that do the same. */
  shared?: boolean
  /** The statement has few forms. */
  often?: boolean
}

/**
 * Locks rows until the transaction ends, in order, and answers them as the holders of the locks before left them. Raw, because
 * Prisma has no row locks; `where` names the project.
 */
export function lockRows<Row extends object>(
  { columns, table, where, order = "id", limit, skipLocked = false, shared = false, often = false }: Locking,
  tx: Connection,
): Promise<Row[]> {
  const most = limit === undefined ? Prisma.empty : Prisma.sql`LIMIT ${limit}::int`
  const lock = Prisma.raw(`FOR ${shared ? "SHARE" : "NO KEY UPDATE"}${skipLocked ? " SKIP LOCKED" : ""}`)
  return rowsOf<Row>(
    tx,
    Prisma.sql`SELECT ${Prisma.raw(columns)} FROM ${Prisma.raw(table)} WHERE ${where} ORDER BY ${Prisma.raw(order)} ${most} ${lock}`,
    { often },
  )
}

const limitsShape = { maxDomains: true, maxApiKeys: true, maxWebhooks: true } as const

export type LockedLimits = Prisma.ProjectGetPayload<{ select: typeof limitsShape }>

/**
 * Locks the project until the transaction ends, so that additions that a limit bounds wait for each other; answers its
 * limits, or null where there is no such project.
 */
export async function lockProject(scope: InProject, tx: Connection): Promise<LockedLimits | null> {
  const locking = { columns: columnsOf(limitsShape, "p"), table: "projects p" }
  const [limits] = await lockRows<LockedLimits>({ ...locking, where: Prisma.sql`p.id = ${scope.project.id}::uuid` }, tx)
  return limits ?? null
}

/** Locks a row until the transaction ends, one above projects or one of the project; false where there is none. */
export async function lockRow(
  table:
    | "organizations"
    | "users"
    | "invites"
    | { of: InProject; table: "broadcasts" | "domains" | "emails" | "imports" | "webhooks" },
  id: string,
  tx: Connection,
): Promise<boolean> {
  const [name, within] =
    typeof table === "string"
      ? [table, Prisma.empty]
      : [table.table, Prisma.sql`AND project_id = ${table.of.project.id}::uuid`]
  const rows = await lockRows({ columns: "id", table: name, where: Prisma.sql`id = ${id}::uuid ${within}` }, tx)
  return rows.length > 0
}

/**
 * Waits for every other transaction that takes the lock of this name, and holds it until this one ends. Raw, because Prisma
 * has no advisory locks.
 */
export async function takeLock(name: string, tx: Connection): Promise<void> {
  // Hashed as in the database's own functions, which take some of the same locks.
  await rowsOf(tx, Prisma.sql`SELECT 1 AS taken FROM pg_advisory_xact_lock(hashtext(${name}))`)
}

/** Takes the lock of this name until the transaction ends unless another one holds it. Raw, for the same reason. */
export async function tryLock(name: string, tx: Connection): Promise<boolean> {
  const [taken] = await rowsOf<{ held: boolean }>(
    tx,
    Prisma.sql`SELECT pg_try_advisory_xact_lock(hashtext(${name})) AS held`,
  )
  return taken?.held ?? false
}
