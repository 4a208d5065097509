import type pg from "pg"
import {
  BoundedClient,
  clientSettings,
  leaveHost,
  newClient,
  noJit,
  sessionLimits,
} from "@/lib/platform/database/client"
import { connectionsOfPool, hostInDatabase } from "@/lib/platform/database/db"
import { connectedHosts } from "@/lib/platform/postgres/connected-hosts"
import { urlsOfHosts, type ProcessRole } from "@/lib/platform/env/fields"
import type { Settings } from "@/lib/platform/env/settings"

const oldestPostgres = 150_000
const name = "mailroom start"

/** Connections of the supervisor, and of a command of the operator beside it. */
const supervisorAndOperator = 8
/** A pool, and one more to listen. */
const connectionsOfProcess = connectionsOfPool + 1

type Processes = Pick<Settings, "mode" | "roles" | "webProcesses">

/** How many web processes run: development has one. */
export function webProcessesOf({ mode, roles, webProcesses }: Processes): number {
  if (!roles.includes("web")) return 0
  return mode === "development" ? 1 : webProcesses
}

/** Whether large requests have a process of their own: where one web process is to do, it does all. */
export function hasHeavyProcess(settings: Processes): boolean {
  return webProcessesOf(settings) > 1
}

/** How many connections the processes take at most: a pool each, and one more in each web process and the worker to listen. */
export function connectionsOf(settings: Processes): number {
  const ofRoles: Record<ProcessRole, number> = {
    web: webProcessesOf(settings) * connectionsOfProcess + (hasHeavyProcess(settings) ? connectionsOfPool : 0),
    worker: connectionsOfProcess,
    mail: connectionsOfPool,
    sandbox: connectionsOfPool,
  }
  return settings.roles.reduce((sum, role) => sum + ofRoles[role], supervisorAndOperator)
}

/** @throws Error with a sentence if the database is too old, not in UTF-8, read-only, or behind a pooler that shares connections */
export async function refuseUnfit(databaseUrl: string) {
  const faults: Error[] = []
  for (const _ of urlsOfHosts(databaseUrl)) {
    const fault = await faultOfNext(databaseUrl).catch((error: Error) => error)
    if (!fault) return
    faults.push(fault)
  }
  // Where one of several answers, it says more than those that do not.
  throw faults.find(({ message }) => message === readOnly) ?? faults.at(-1)
}

/** Of the host that this process goes to now; those that take no writes or do not answer are left for the next one. */
async function faultOfNext(databaseUrl: string): Promise<Error | null> {
  const clients = [newClient(databaseUrl, name), newClient(databaseUrl, name)] as const
  try {
    const [first, second] = [await sessionOf(clients[0]), await sessionOf(clients[1])]
    if (first.version < oldestPostgres) throw new Error("The database must be PostgreSQL 15 or newer.")
    if (first.encoding !== "UTF8")
      throw new Error(`The database must be encoded in UTF8; this one is ${first.encoding}.`)
    if (first.pid === second.pid) throw new Error(`${pooled} shares one connection between several clients. ${direct}`)
    if (first.timeout !== sessionLimits.statement_timeout || first.jit !== "off")
      throw new Error(`${pooled} drops the settings of a connection. ${direct}`)
    if (first.readOnly !== "on") return null
    leaveHost(clients[0])
    return new Error(readOnly)
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}

const readOnly =
  "The database of DATABASE_URL accepts no writes: it is a standby, or default_transaction_read_only is on. Name the primary in DATABASE_URL, or wait until this server has become it."
const pooled = "DATABASE_URL leads through a connection pooler, such as PgBouncer, which"
const direct =
  "Mailroom pools its connections itself, sets time limits on each and listens for notifications: name PostgreSQL's own host and port in DATABASE_URL, or beside the pooler in DATABASE_DIRECT_URL."

/**
 * A pooler in transaction mode takes no settings of a session, so that our role gets them for this database. A role may change its own.
 * @throws Error where sessions of the pooler do not have them
 */
export async function fitPooler(databaseUrl: string, pooledDatabaseUrl: string) {
  const direct = newClient(databaseUrl, name)
  const pooler: pg.Client = new BoundedClient({ ...clientSettings(pooledDatabaseUrl, name), throughPooler: true })
  pooler.on("error", () => undefined)
  try {
    await direct.connect()
    const { rows } = await direct.query<{ database: string }>("select quote_ident(current_database()) as database")
    for (const [setting, value] of Object.entries({ ...sessionLimits, jit: noJit }))
      await direct.query(`alter role current_user in database ${rows[0]?.database} set ${setting} = '${value}'`)
    const session = await sessionOf(pooler)
    if (session.timeout !== sessionLimits.statement_timeout || session.jit !== noJit)
      throw new Error(
        "The pooler of DATABASE_URL keeps sessions from before their time limits were set for the role: run RECONNECT in its console, and use the same role there as in DATABASE_DIRECT_URL.",
      )
  } finally {
    await Promise.all([direct, pooler].map((client) => client.end().catch(() => undefined)))
  }
}

type Session = { pid: number; version: number; encoding: string; timeout: number; jit: string; readOnly: string }

/** Opened like the product's connections and left open, so that a pooler needs another one for the next. */
async function sessionOf(client: pg.Client | undefined): Promise<Session> {
  try {
    await client?.connect()
  } catch (error) {
    const { message } = error as Error
    if (/unsupported startup parameter/.test(message))
      throw new Error(`${pooled} refuses the settings of a connection. ${direct}`, { cause: error })
    throw new Error(`The database of DATABASE_URL does not answer: ${message}`, { cause: error })
  }
  const found = await client?.query<Session>(
    `select pg_backend_pid() as pid, current_setting('jit') as jit, current_setting('transaction_read_only') as "readOnly", current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      (select setting::int from pg_settings where name = 'statement_timeout') as timeout`,
  )
  return found?.rows[0] as Session
}

function processesOf(settings: Processes): string {
  const webs = webProcessesOf(settings)
  return settings.roles.map((role) => (role === "web" ? `${webs} web` : role)).join(", ")
}

type Allowed = { server: number; role: number; database: number }
type Others = { processes: number; hosts: string | null }

/**
 * Counts what this host's processes take at most, and those of other hosts that are connected now; behind a pooler these are not
 * told apart.
 * @throws Error with the number of connections that the database allows and that the processes need
 */
export async function refuseFewConnections(
  databaseUrl: string,
  settings: Processes & Partial<Pick<Settings, "pooledDatabaseUrl">>,
) {
  const client = newClient(databaseUrl, name)
  try {
    await client.connect()
    const { rows } = await client.query<Allowed>(
      `select current_setting('max_connections')::int - case when rolsuper then 0 else current_setting('superuser_reserved_connections')::int
          + coalesce(current_setting('reserved_connections', true), '0')::int end as server,
        case when rolsuper or rolconnlimit < 0 then 1000000 else rolconnlimit end as role,
        case when rolsuper or datconnlimit < 0 then 1000000 else datconnlimit end as database
      from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    )
    const allowed = Math.min(...Object.values(rows[0] ?? {}))
    const own = connectionsOf(settings)
    const { processes, hosts } = settings.pooledDatabaseUrl ? nobody : await othersOn(client)
    const needed = own + processes * connectionsOfProcess
    if (allowed >= needed) return
    const ofOthers =
      processes > 0
        ? ` ${processes} ${processes === 1 ? "process" : "processes"} of other hosts (${hosts}) ${processes === 1 ? "takes" : "take"} up to ${processes * connectionsOfProcess} more.`
        : ""
    throw new Error(
      `The database allows ${allowed} connections, and this host's processes (${processesOf(settings)}) take up to ${own}.${ofOthers} ` +
        `Raise max_connections (or the limit of the role or database) to at least ${needed + 3}, or start fewer with WEB_PROCESSES.`,
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

const nobody: Others = { processes: 0, hosts: null }

/** Processes of other hosts with connections to this database. A role sees the names of its own sessions, and hosts share one. */
async function othersOn(client: pg.Client): Promise<Others> {
  const others = (await connectedHosts(client)).filter(({ host }) => host !== hostInDatabase)
  if (others.length === 0) return nobody
  const processes = others.reduce((sum, one) => sum + one.processes, 0)
  return { processes, hosts: others.map(({ host }) => host).join(", ") }
}
