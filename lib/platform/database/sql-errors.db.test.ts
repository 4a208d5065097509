import pg from "pg"
import { PrismaPg } from "@prisma/adapter-pg"
import { beforeAll, expect, test } from "vitest"
import { pool, unscoped } from "@/lib/platform/database/db"
import { endpoint } from "@/lib/platform/http/endpoint"
import { env } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { createServe } from "@/lib/platform/http/serve"
import { inDeadlock, makePairs, withRival } from "@/e2e/support/platform/rival"
import { isUnavailable, sqlState } from "@/lib/platform/database/sql-errors"
import { Prisma, PrismaClient } from "@/prisma/generated/client"
import { systemIo } from "@/lib/regions/io"

beforeAll(makePairs)
beforeAll(() => void (log.level = "silent"))

type Case = { name: string; state: string | undefined; answer: 500 | 503; fail: () => Promise<unknown> }

const cases: Case[] = [
  {
    name: "23503, pg",
    state: "23503",
    answer: 500,
    fail: () =>
      pool().query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $1, 'admin')", [newId()]),
  },
  {
    name: "23503, Prisma",
    state: "23503",
    answer: 500,
    fail: () => unscoped().member.create({ data: { organizationId: newId(), userId: newId(), role: "admin" } }),
  },
  {
    name: "23503, raw",
    state: "23503",
    answer: 500,
    fail: () =>
      unscoped()
        .$executeRaw`INSERT INTO members (organization_id, user_id, role) VALUES (${newId()}::uuid, ${newId()}::uuid, 'admin')`,
  },
  { name: "23505, pg", state: "23505", answer: 500, fail: () => pool().query("INSERT INTO pairs (id) VALUES (1)") },
  {
    name: "23505, Prisma",
    state: "23505",
    answer: 500,
    fail: () => unscoped().dispatchState.create({ data: { id: 1 } }),
  },
  {
    name: "23505, raw",
    state: "23505",
    answer: 500,
    fail: () => unscoped().$executeRaw`INSERT INTO pairs (id) VALUES (1)`,
  },
  { name: "40001, Prisma", state: "40001", answer: 503, fail: serializationConflict },
  { name: "40P01, Prisma", state: "40P01", answer: 503, fail: deadlockInPrisma },
  { name: "42501, Prisma", state: "42501", answer: 500, fail: withoutRights },
  { name: "53300, pg", state: "53300", answer: 503, fail: tooManyConnections },
  {
    name: "55P03, pg",
    state: "55P03",
    answer: 503,
    fail: () => whileLocked(() => pool().query("SELECT 1 FROM pairs WHERE id = 1 FOR UPDATE NOWAIT")),
  },
  {
    name: "55P03, Prisma",
    state: "55P03",
    answer: 503,
    fail: () => whileLocked(() => unscoped().$queryRaw`SELECT 1 FROM pairs WHERE id = 1 FOR UPDATE NOWAIT`),
  },
  {
    name: "57014, Prisma",
    state: "57014",
    answer: 503,
    fail: () =>
      unscoped().$transaction([
        unscoped().$executeRaw`SET LOCAL statement_timeout = 20`,
        unscoped().$executeRaw`SELECT pg_sleep(5)`,
      ]),
  },
  {
    name: "57P01, Prisma",
    state: "57P01",
    answer: 503,
    fail: () => unscoped().$executeRaw`SELECT pg_terminate_backend(pg_backend_pid())`,
  },
  { name: "P1001, Prisma", state: undefined, answer: 503, fail: () => unreachable().user.findFirst() },
  { name: "P1001, raw", state: undefined, answer: 503, fail: () => unreachable().$queryRaw`SELECT 1` },
  { name: "P2024, a pool without a free connection", state: undefined, answer: 503, fail: noConnectionFree },
  {
    name: "P2024, by its code",
    state: undefined,
    answer: 503,
    fail: () => Promise.reject(new Prisma.PrismaClientKnownRequestError("", { code: "P2024", clientVersion: "7" })),
  },
  { name: "P2028, a transaction that did not begin in time", state: undefined, answer: 503, fail: transactionNotBegun },
  { name: "P2028, a transaction that took too long", state: undefined, answer: 503, fail: transactionTooLong },
]

test.each(cases)("$name is answered with $answer", async ({ state, answer, fail }) => {
  const error = await fail().catch((raised: unknown) => raised)
  expect({ sqlState: sqlState(error), isUnavailable: isUnavailable(error) }).toEqual({
    sqlState: state,
    isUnavailable: answer === 503,
  })
  const response = await served(error)
  expect({ status: response.status, retryAfter: response.headers.get("retry-after") }).toEqual({
    status: answer,
    retryAfter: answer === 503 ? "1" : null,
  })
})

/** The answer of an operation that fails so. */
async function served(error: unknown): Promise<Response> {
  const failing = endpoint({
    route: "GET /v1/failing",
    operationId: "failing",
    tag: "Projects",
    summary: "Fails",
    access: { credential: "none" },
    bucket: null,
    answers: [204, undefined],
    problems: [],
    run: () => Promise.reject(error),
  } as never)
  const never = () => Promise.reject(new Error("not asked"))
  const guard = {
    admit: () => {},
    authenticate: never,
    count: never,
    authorize: never,
    answered: () => undefined,
  }
  return createServe(guard, systemIo)(failing).GET(new Request("http://localhost/v1/failing"))
}

function whileLocked(work: () => Promise<unknown>): Promise<unknown> {
  return withRival(async (rival) => {
    await rival.query("BEGIN; SELECT 1 FROM pairs WHERE id = 1 FOR UPDATE")
    return work()
  })
}

function serializationConflict(): Promise<unknown> {
  return unscoped().$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT n FROM pairs WHERE id = 1`
      await pool().query("UPDATE pairs SET n = n + 1 WHERE id = 1")
      await tx.$executeRaw`UPDATE pairs SET n = n + 1 WHERE id = 1`
    },
    { isolationLevel: "RepeatableRead" },
  )
}

function deadlockInPrisma(): Promise<unknown> {
  return inDeadlock((meet) =>
    unscoped().$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL deadlock_timeout = '400ms'`
      await tx.$executeRaw`UPDATE pairs SET n = n WHERE id = 1`
      meet()
      await tx.$executeRaw`UPDATE pairs SET n = n WHERE id = 2`
    }),
  )
}

function withoutRights(): Promise<unknown> {
  const role = `nobody_${newId().replaceAll("-", "")}`
  return unscoped().$transaction(async (tx) => {
    await tx.$executeRawUnsafe(`CREATE ROLE ${role}`)
    await tx.$executeRawUnsafe(`SET LOCAL ROLE ${role}`)
    await tx.user.findFirst()
  })
}

async function tooManyConnections(): Promise<unknown> {
  const role = `crowded_${newId().replaceAll("-", "")}`
  await pool().query(`CREATE ROLE ${role} LOGIN PASSWORD 'crowded' CONNECTION LIMIT 0`)
  const url = new URL(env().databaseUrl)
  Object.assign(url, { username: role, password: "crowded" })
  const client = new pg.Client({ connectionString: url.href })
  return client.connect().finally(() => pool().query(`DROP ROLE ${role}`))
}

function unreachable(): PrismaClient {
  return new PrismaClient({
    adapter: new PrismaPg({ connectionString: "postgresql://nobody@127.0.0.1:1/none" }),
    errorFormat: "minimal",
  })
}

async function noConnectionFree(): Promise<unknown> {
  const full = new pg.Pool({ connectionString: env().databaseUrl, max: 1, connectionTimeoutMillis: 50 })
  const held = await full.connect()
  return new PrismaClient({ adapter: new PrismaPg(full) }).user.findFirst().finally(() => {
    held.release()
    return full.end()
  })
}

async function transactionNotBegun(): Promise<unknown> {
  const full = new pg.Pool({ connectionString: env().databaseUrl, max: 1 })
  const held = await full.connect()
  const late = new PrismaClient({ adapter: new PrismaPg(full) }).$transaction(() => Promise.resolve(), { maxWait: 50 })
  return late.finally(() => held.release())
}

function transactionTooLong(): Promise<unknown> {
  return unscoped().$transaction(async (tx) => tx.$executeRaw`SELECT pg_sleep(0.2)`.then(() => tx.user.findFirst()), {
    timeout: 50,
  })
}
