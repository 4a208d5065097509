import { hostname } from "node:os"
import { PrismaPg } from "@prisma/adapter-pg"
import pg from "pg"
import { PrismaClient, type Prisma } from "@/prisma/generated/client"
import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { gauge } from "@/lib/platform/metrics"
import { perProcess } from "@/lib/platform/per-process"
import {
  BoundedClient,
  clientSettings,
  connectMs,
  inTransaction,
  unfitnessOf,
  whileRunning,
} from "@/lib/platform/database/client"
import { withOneRetry } from "@/lib/platform/database/sql-errors"
import { createHash } from "node:crypto"

/** Connections of one process; the start makes sure that the database has room for all processes. */
export const connectionsOfPool = 10

/** By which the database knows this host, without spaces. It keeps 63 characters of a name. */
export const hostInDatabase = hostname().replaceAll(/\s/g, "-").slice(0, 40)
/** Behind the name of a connection it says that its process reads the numbers of events by shards of projects. */
export const byShards = "+shard"
/** Of the connections of this process: the start of another host counts the processes that have some. */
const applicationName = `mailroom ${hostInDatabase}${byShards} ${process.pid}`
/** Names of connections of versions that read and number the events of all projects in one order. */
export const inOneOrder = "^mailroom( [^ +]+ [0-9]+| mailroom_events)?$"

const shared = perProcess("database", (): { pool?: pg.Pool; prisma?: PrismaClient } => ({}))

gauge(
  "mailroom_database_connections",
  "Database connections of a process by state, and callers that wait for one.",
  ["state"],
  (now) => {
    const { totalCount = 0, idleCount = 0, waitingCount = 0 } = shared.pool ?? {}
    now.set({ state: "in_use" }, totalCount - idleCount)
    now.set({ state: "idle" }, idleCount)
    now.set({ state: "waiting" }, waitingCount)
  },
)

/**
 * The pool for hand-written SQL. Statements end after 5 s, lock waits after 2 s (SQLSTATE 57014, 55P03), and where no answer
 * comes, the connection is closed after 7 s (`client.ts`). A single statement that loses a deadlock is run once more.
 */
export function pool(): pg.Pool {
  return (shared.pool ??= openPool())
}

/**
 * Prisma over the same pool, across all projects: for what is above projects. Within one, call `db(scope)`; a lint rule
 * names the files that may do without.
 */
export function unscoped(): PrismaClient {
  return (shared.prisma ??= new PrismaClient({
    adapter: new PrismaPg(pool()),
    // The long format prints the arguments of the call.
    errorFormat: "minimal",
    transactionOptions: { maxWait: connectMs, timeout: 10_000 },
  }))
}

/**
 * Runs `work` in one transaction of its own connection: committed when it returns, rolled back when it throws. It runs a
 * second time when it lost a deadlock, so it changes nothing but the database. Its statements end after `statementMs`.
 */
export async function transaction<T>(
  work: (client: pg.PoolClient) => Promise<T>,
  limits: { statementMs?: number } = {},
): Promise<T> {
  return withOneRetry(() => transactionOnce(work, limits))
}

/** The same with Prisma across all projects; within one, `db(scope).$transaction`. */
export function unscopedTransaction<T>(work: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
  return withOneRetry(() => unscoped().$transaction(work))
}

async function transactionOnce<T>(
  work: (client: pg.PoolClient) => Promise<T>,
  { statementMs }: { statementMs?: number },
): Promise<T> {
  const client = await pool().connect()
  let broken: Error | undefined
  try {
    return await inTransaction(client, () => work(client), { broken: (error) => (broken = error), statementMs })
  } finally {
    client.release(broken)
  }
}

type Taker = (error: Error | undefined, client: pg.PoolClient | undefined, done: pg.PoolClient["release"]) => void

class RetryingPool extends pg.Pool {
  /** Outside of a transaction a statement is one by itself: undone as a whole, and so run again as a whole. */
  override query(...given: unknown[]): never {
    const once = super.query.bind(this) as (...given: unknown[]) => Promise<unknown>
    return withOneRetry(() => once(...given)) as never
  }

  /** Whoever takes a connection, Prisma too, waits so long for it at most, and gives back one that is unfit to be closed. */
  override connect(...given: unknown[]): never {
    const [callback] = given as [Taker?]
    const taking = this.taken(super.connect.bind(this))
    if (!callback) return taking as never
    taking.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => undefined),
    )
    return undefined as never
  }

  private taken(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      let isLate = false
      const endWait = whileRunning(connectMs, () => {
        isLate = true
        reject(new Error("timeout exceeded when trying to connect"))
      })
      const taken = (client: pg.PoolClient) => {
        endWait()
        if (isLate) client.release()
        else resolve(client)
      }
      connect().then(
        (client) => taken(this.guarded(client)),
        (error: Error) => {
          endWait()
          reject(error)
        },
      )
    })
  }

  private guarded(client: pg.PoolClient): pg.PoolClient {
    const release = client.release.bind(client)
    client.release = (error) => {
      release(error ?? unfitnessOf(client))
    }
    return client
  }
}

export type Queryable = Pick<pg.Pool, "query">

/** Loads Prisma's engine, which costs its first query up to half a second. A failure is left to the next query. */
export async function warmUp(): Promise<void> {
  await unscoped()
    .installation.count()
    .catch(() => undefined)
}

/** Whether this process uses its database: false once it is closed. */
export function databaseIsOpen(): boolean {
  return shared.pool !== undefined
}

/** Waits for running statements and closes every connection of this process. */
export async function closeDatabase(): Promise<void> {
  await shared.prisma?.$disconnect()
  await shared.pool?.end()
  shared.prisma = undefined
  shared.pool = undefined
}

function openPool(): pg.Pool {
  const { databaseUrl, pooledDatabaseUrl } = env()
  const opened = new RetryingPool({
    ...clientSettings(pooledDatabaseUrl ?? databaseUrl, applicationName),
    ...(pooledDatabaseUrl && { throughPooler: true }),
    verify: refuseStandby as never,
    Client: BoundedClient as never,
    max: connectionsOfPool,
    // Idle connections stay open: a page reads on most of them at once, and opening them again takes over 40 ms.
    idleTimeoutMillis: 0,
  })
  // The pool replaces a broken connection, but without listeners the error would end the process: on the pool for an idle
  // connection, on the connection itself while a transaction holds it between two statements.
  opened.on("error", () => undefined)
  opened.on("connect", (client) =>
    client.on("error", (error) => log.warn({ err: error }, "a database connection was lost")),
  )
  opened.on("release", (_, client) => {
    if (unfitnessOf(client)) closeIdle(opened)
  })
  return opened
}

/** Of several hosts only one takes writes: a new connection that leads to another is given up, and the next one goes elsewhere. */
function refuseStandby(client: BoundedClient, done: (error?: Error) => void) {
  if (!client.isOneOfSeveral) return done()
  const asking = (client as pg.ClientBase).query<{ transaction_read_only: string }>("SHOW transaction_read_only")
  asking.then(({ rows }) => {
    if (rows[0]?.transaction_read_only !== "on") return done()
    client.leaveHost()
    done(Object.assign(new Error("This server of the database accepts no writes."), { code: "25006" }))
  }, done)
}

/** The idle connections lead where the lost one did: whoever took one of them would wait as long to find out. */
function closeIdle(opened: pg.Pool): void {
  for (let idle = opened.idleCount; idle > 0; idle--) {
    opened.connect().then(
      (client) => client.release(true),
      () => undefined,
    )
  }
}

/** A transaction of `pg`, or one of Prisma: in a project, or above them. */
export type Connection = Queryable | Pick<Prisma.TransactionClient, "$queryRaw">

/**
 * Runs one statement in either kind of transaction, for what hot paths on `pg` and stores on Prisma share. `often`: its text has
 * few forms, so `pg` prepares it.
 */
export async function rowsOf<Row extends object>(
  on: Connection,
  statement: Prisma.Sql,
  { often = false } = {},
): Promise<Row[]> {
  if (!("query" in on)) return on.$queryRaw<Row[]>(statement)
  const { text, values } = statement
  const { rows } = await on.query<Row>(often ? prepared(text, values) : { text, values })
  return rows
}

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
