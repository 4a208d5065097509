import { PrismaPg } from "@prisma/adapter-pg"
import { beforeAll, expect, test } from "vitest"
import { pool, unscoped } from "@/lib/platform/database/db"
import { db, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { isUnavailable, sqlState } from "@/lib/platform/database/sql-errors"
import { newId } from "@/lib/platform/ids"
import { inDeadlock, makePairs, withRival } from "@/e2e/support/platform/rival"
import { PrismaClient, type Prisma } from "@/prisma/generated/client"

beforeAll(makePairs)

const project = { project: { id: newId() } }
const contact = { id: newId(), email: "ada@lovelace.example" }
const inTransaction = (work: (tx: ScopedDb) => Promise<unknown>) => () => db(project).$transaction(work)

/** What a failure answers, by its name: the state that `sqlState` reads, and whether a caller is asked to come again. */
type Case = { name: string; state: string | undefined; unavailable: boolean; fail: () => Promise<unknown> }

const cases: Case[] = [
  { name: "23503", state: "23503", unavailable: false, fail: () => db(project).contact.create({ data: contact }) },
  {
    name: "23503 in a transaction",
    state: "23503",
    unavailable: false,
    fail: inTransaction((tx) => tx.contact.create({ data: contact })),
  },
  {
    name: "23505, raw",
    state: "23505",
    unavailable: false,
    fail: inTransaction((tx) => tx.$executeRaw`INSERT INTO pairs (id) VALUES (1)`),
  },
  { name: "40001", state: "40001", unavailable: true, fail: serializationConflict },
  { name: "40P01", state: "40P01", unavailable: true, fail: deadlock },
  {
    name: "55P03",
    state: "55P03",
    unavailable: true,
    fail: () =>
      withRival(async (rival) => {
        await rival.query("BEGIN; SELECT 1 FROM pairs WHERE id = 1 FOR UPDATE")
        return db(project).$queryRaw`SELECT 1 FROM pairs WHERE id = 1 FOR UPDATE NOWAIT`
      }),
  },
  {
    name: "57014",
    state: "57014",
    unavailable: true,
    fail: inTransaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = 20`
      await tx.$executeRaw`SELECT pg_sleep(5)`
    }),
  },
  {
    name: "57P01",
    state: "57P01",
    unavailable: true,
    fail: inTransaction((tx) => tx.$executeRaw`SELECT pg_terminate_backend(pg_backend_pid())`),
  },
  { name: "P1001", state: undefined, unavailable: true, fail: () => db(project, unreachable()).contact.findFirst() },
  {
    name: "P2025, no row",
    state: undefined,
    unavailable: false,
    fail: () => db(project).contact.delete({ where: { id: newId() } }),
  },
]

test.each(cases)(
  "$name through the client of a project is read as it is through pg",
  async ({ state, unavailable, fail }) => {
    const error = await fail().catch((raised: unknown) => raised)
    expect(error instanceof Error).toBe(true)
    expect(sqlState(error)).toEqual(state)
    expect(isUnavailable(error)).toEqual(unavailable)
  },
)

/** `db(project).$transaction` would run these again. */
function once(work: (tx: ScopedDb) => Promise<unknown>, options: Parameters<PrismaClient["$transaction"]>[1] = {}) {
  return unscoped().$transaction((tx: Prisma.TransactionClient) => work(db(project, tx)), options)
}

function serializationConflict(): Promise<unknown> {
  return once(
    async (tx) => {
      await tx.$queryRaw`SELECT n FROM pairs WHERE id = 1`
      await pool().query("UPDATE pairs SET n = n + 1 WHERE id = 1")
      await tx.$executeRaw`UPDATE pairs SET n = n + 1 WHERE id = 1`
    },
    { isolationLevel: "RepeatableRead" },
  )
}

function deadlock(): Promise<unknown> {
  return inDeadlock((meet) =>
    once(async (tx) => {
      await tx.$executeRaw`SET LOCAL deadlock_timeout = '400ms'`
      await tx.$executeRaw`UPDATE pairs SET n = n WHERE id = 1`
      meet()
      await tx.$executeRaw`UPDATE pairs SET n = n WHERE id = 2`
    }),
  )
}

function unreachable(): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg({ connectionString: "postgresql://nobody@127.0.0.1:1/none" }) })
}
