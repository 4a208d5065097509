import { findReturnRoutes } from "@/lib/delivery/regions/return-route-store"
import { type KeptCheck, keptAfter, type Checked } from "@/lib/delivery/setup/checks"
import { readEvidence, storedEvidence } from "@/lib/delivery/setup/evidence"
import { sesProviderOf } from "@/lib/delivery/ses/client"
import type { CheckState, SetupCode, SetupKey } from "@/lib/delivery/setup/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction, pool, rowsOf } from "@/lib/platform/database/db"
import { lockRows } from "@/lib/platform/database/locks-sql"
import { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

/** The key of a row, with what it is about; empty where it is about the installation or a whole region. */
export type RowId = { key: SetupKey; region: string; address: string }

type Confirmation = { at: Date; by?: string; reason?: string }

export type StoredRow = RowId & { kept: KeptCheck; confirmation: Confirmation | null }

const shape = {
  ...{ key: true, region: true, address: true, state: true, code: true },
  ...{ expected: true, found: true },
  ...{ checkedAt: true, unansweredAt: true, redSince: true, confirmedAt: true, confirmedReason: true },
  operator: { select: { name: true, email: true } },
} as const

type Row = Prisma.SetupCheckGetPayload<{ select: typeof shape }>

/** All rows that were ever checked or confirmed, also of what the installation no longer has. */
export async function findStoredRows(on: Tx = unscoped()): Promise<StoredRow[]> {
  return (await on.setupCheck.findMany({ select: shape })).map(storedRow)
}

function storedRow(row: Row): StoredRow {
  const { key, region, address, state, code, confirmedAt, confirmedReason, operator, ...kept } = row
  const evidence = { expected: kept.expected.map(readEvidence), found: kept.found.map(readEvidence) }
  const by = operator?.name ?? operator?.email
  return {
    ...{ key: key as SetupKey, region, address },
    kept: {
      ...{ ...kept, ...evidence, state: state as CheckState },
      ...(code !== null && { code: code as SetupCode }),
    },
    confirmation: confirmedAt && {
      at: confirmedAt,
      ...(by !== undefined && { by }),
      ...(confirmedReason !== null && { reason: confirmedReason }),
    },
  }
}

/** Whether a loop test has ended that the rows as they were checked last do not show. */
export async function isLoopTestUnseen(): Promise<boolean> {
  const rows = await findStoredRows()
  return (await findReturnRoutes()).some(
    ({ region, endedAt }) =>
      endedAt !== null &&
      rows.some((row) => row.key === "loop_test" && row.region === region && row.kept.checkedAt < endedAt),
  )
}

export function isRow(one: RowId, other: RowId): boolean {
  return one.key === other.key && one.region === other.region && one.address === other.address
}

export type SetupRowCheck = { id: RowId; checked: Checked }

/** Rows that were `ok` and are `wrong` now, and those that are `ok` now and were not. */
type Turned = { turnedRed: RowId[]; turnedRight: RowId[] }

/**
 * Keeps what the checks of all rows found. What they were not about goes, unless an operator confirmed it. Answers which rows have
 * turned; of checks that end at the same time one finds that.
 */
export async function storeChecks(checks: readonly SetupRowCheck[]): Promise<Turned> {
  return unscopedTransaction(async (tx) => {
    const now = await databaseTime(tx)
    await lockRows(
      { columns: "key", table: "setup_checks", where: Prisma.sql`true`, order: "key, region, address" },
      tx,
    )
    const before = await findStoredRows(tx)
    const [turnedRed, turnedRight]: [RowId[], RowId[]] = [[], []]
    for (const { id, checked } of checks) {
      const row = before.find((one) => isRow(one, id))
      const { code = null, expected, found, ...kept } = keptAfter(row?.kept ?? null, checked, now)
      const change = { code, ...kept, expected: expected.map(storedEvidence), found: found.map(storedEvidence) }
      if (row?.kept.state === "ok" && kept.state === "wrong") turnedRed.push(id)
      if (row && row.kept.state !== "ok" && kept.state === "ok") turnedRight.push(id)
      await tx.setupCheck.upsert({
        where: { key_region_address: id },
        create: { ...id, ...change },
        update: change,
      })
    }
    const past = before.filter((row) => row.confirmation === null && !checks.some(({ id }) => isRow(row, id)))
    if (past.length > 0)
      await tx.setupCheck.deleteMany({
        where: { OR: past.map(({ key, region, address }) => ({ key, region, address })), confirmedAt: null },
      })
    return { turnedRed, turnedRight }
  })
}

type RowChange = { by: string | null; reason: string | undefined }

/** Confirms a row, or with null takes that back, and records it in the same transaction. */
export async function confirmRow(id: RowId, change: RowChange | null, audit: (tx: Tx) => Promise<void>): Promise<void> {
  await unscopedTransaction(async (tx) => {
    const confirmed = {
      confirmedAt: change && (await databaseTime(tx)),
      confirmedBy: change && change.by,
      confirmedReason: change?.reason ?? null,
    }
    await tx.setupCheck.upsert({
      where: { key_region_address: id },
      // Not checked so far.
      create: { ...id, state: "waiting", code: "not_checked", ...confirmed },
      update: confirmed,
    })
    await audit(tx)
  })
}

/** Email of all projects that is due and waits for a worker, and for how long the oldest of it has. */
export async function findQueueLength(): Promise<{ due: number; oldestSeconds: number }> {
  const now = await databaseTime()
  const { _count, _min } = await unscoped().delivery.aggregate({
    where: { dueAt: { lte: now } },
    _count: { _all: true },
    _min: { dueAt: true },
  })
  const oldest = _min.dueAt ?? now
  return { due: _count._all, oldestSeconds: Math.round((now.getTime() - oldest.getTime()) / 1_000) }
}

/** When an event of Amazon SES about mail of the region came last, of all projects; null if none is remembered. */
export async function lastSesEventAt(region: string): Promise<Date | null> {
  const row = await unscoped().providerEvent.findFirst({
    where: { provider: sesProviderOf(region) },
    orderBy: { createdAt: "desc" },
    select: { createdAt: true },
  })
  return row?.createdAt ?? null
}

type DatabaseVersions = { postgres: string; schema: string }

/** Of the server that answers, and the newest migration of its tables. Raw, because Prisma reads neither; both are above projects. */
export async function databaseVersions(): Promise<DatabaseVersions> {
  const asked = Prisma.sql`SELECT split_part(current_setting('server_version'), ' ', 1) AS postgres,
    (SELECT max(migration_name) FROM _prisma_migrations WHERE finished_at IS NOT NULL) AS schema`
  const [row] = await rowsOf<DatabaseVersions>(pool(), asked)
  if (!row) throw new Error("The database answered no version.")
  return row
}
