import type { EventEmitter } from "node:events"
import { Socket } from "node:net"
import pg from "pg"
import { urlsOfHosts } from "@/lib/platform/env/fields"
import { perProcess } from "@/lib/platform/per-process"

/** PostgreSQL's settings for each connection, in milliseconds. */
export const sessionLimits = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
}

/** A caller waits so long for a connection, while its process runs. */
export const connectMs = 5_000

/** pg's own limits are those of a clock: one that stands still for a while, such as while it loads, must not meet them at once. */
const connectMsOfClock = 4 * connectMs

/** How much longer than the server we wait for the end of a statement, before the connection counts as lost. */
const graceMs = 2_000
/** From then on the system asks every second whether the other side is still there, and gives up after ten. */
const keepAliveAfterMs = 10_000

type Limits = Partial<typeof sessionLimits>

const partsOfWait = 5

/**
 * Calls `late` after `ms`, of which a standstill of the process counts as one part: at its end the timers are due before what came
 * meanwhile is read. Returns what ends the wait.
 */
export function whileRunning(ms: number, late: () => void): () => void {
  let parts = 0
  const timer = setInterval(() => {
    if (++parts < partsOfWait) return
    clearInterval(timer)
    late()
  }, ms / partsOfWait).unref()
  return () => clearInterval(timer)
}

/** A connection beside the pool, for the caller to open and to end; its loss fails what runs on it and nothing else. */
export function newClient(databaseUrl: string, applicationName: string, limits?: Limits): pg.Client {
  const client = new BoundedClient(clientSettings(databaseUrl, applicationName, limits))
  client.on("error", () => undefined)
  return client
}

/** Settings of a connection to the database. Without a `statement_timeout` its statements may take any time. */
export function clientSettings(databaseUrl: string, applicationName: string, limits: Limits = sessionLimits) {
  return {
    connectionString: databaseUrl,
    application_name: applicationName,
    connectionTimeoutMillis: connectMsOfClock,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    ...limits,
  } satisfies pg.ClientConfig
}

/** Our statements are short: where the server compiles one, that alone takes a hundred times as long as the statement. */
export const noJit = "off"

/** What pg would take of a URL rather than of us: by its name a connection is known, and its limits are part of what we promise. */
const ourParameters = ["application_name", "fallback_application_name", ...Object.keys(sessionLimits)]

function withoutOurs(databaseUrl: string): URL {
  const url = new URL(databaseUrl)
  for (const name of ourParameters) url.searchParams.delete(name)
  return url
}

/** What the start of a session tells the server beside its limits. A limit that is not given is none, whatever the role has. */
function withOptions(url: URL, limits: Limits): string {
  const unlimited = Object.keys(sessionLimits).filter((name) => limits[name as keyof Limits] === undefined)
  const options = [url.searchParams.get("options"), `-c jit=${noJit}`, ...unlimited.map((name) => `-c ${name}=0`)]
  url.searchParams.set("options", options.filter(Boolean).join(" "))
  return url.href
}

/** Which of the hosts of a database URL this process goes to: the next one after each connection that fails. */
const hostsInUse = perProcess("database hosts", () => new Map<string, number>())

/** Settings of a connection, and whether it leads through a pooler that gives it a server's session for one transaction at a time. */
type BoundedConfig = pg.ClientConfig & { throughPooler?: boolean }

/** A pooler takes no settings of a session: there the role has them. */
function configOf({ throughPooler, ...config }: BoundedConfig, url: string): pg.ClientConfig {
  const ours = withoutOurs(url)
  if (!throughPooler) return { ...config, connectionString: withOptions(ours, config as Limits) }
  const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout, ...rest } = config
  return { ...rest, connectionString: ours.href }
}

/** A server that cannot be written to, is going away, or has lost the client: what else is sent there fails as well. */
const unfitStates = /^(25006|57P0|08)/
const ownLimit = /\bSET (LOCAL )?statement_timeout = (\d+)/

/**
 * A connection whose statements end on our side too: where nothing comes for longer than the server may take, such as behind a
 * network that drops everything or a COMMIT that waits for a standby, it is closed, and its statement fails.
 */
export class BoundedClient extends pg.Client {
  unfit: Error | undefined
  /** Where a database URL names several hosts, the next connection goes to the one after this. */
  readonly leaveHost: () => void
  readonly isOneOfSeveral: boolean
  private readonly isPooled: boolean
  private readonly socket: Socket
  private readonly usualMs: number
  private busy = false
  private ending = false
  private isLocalLimit = false

  constructor(config: BoundedConfig) {
    const socket = new Socket()
    const urls = urlsOfHosts(config.connectionString ?? "")
    const host = (hostsInUse.get(config.connectionString ?? "") ?? 0) % urls.length
    super({ ...configOf(config, urls[host] ?? ""), stream: () => socket })
    this.isPooled = config.throughPooler === true
    this.socket = socket
    this.isOneOfSeveral = urls.length > 1
    this.leaveHost = () => {
      const key = config.connectionString ?? ""
      if ((hostsInUse.get(key) ?? 0) === host) hostsInUse.set(key, (host + 1) % urls.length)
    }
    for (const event of ["error", "close"]) socket.on(event, () => this.ending || this.leaveHost())
    const { statement_timeout: limit } = config
    this.usualMs = limit ? limit + graceMs : 0
    this.on("drain", () => {
      this.busy = false
    })
    // As pg tells itself of every error of the server.
    ;(this.connection as EventEmitter).on("errorMessage", (error: Error & { code?: string }) => {
      if (!unfitStates.test(error.code ?? "")) return
      this.unfit = error
      this.leaveHost()
    })
    socket.setTimeout(this.usualMs)
    // It restarts whenever something is sent or comes.
    socket.on("timeout", () => this.silent())
  }

  override connect(...given: unknown[]): never {
    const endWait = whileRunning(connectMs, () => this.socket.destroy((this.unfit = noAnswer())))
    this.once("connect", endWait)
    this.socket.once("close", endWait)
    return (super.connect as (...given: unknown[]) => unknown)(...given) as never
  }

  override query(...given: unknown[]): never {
    this.busy = true
    if (typeof given[0] === "string") this.follow(given[0])
    else if (this.isPooled) given[0] = withoutName(given[0])
    return (super.query as (...given: unknown[]) => unknown)(...given) as never
  }

  override end(...given: unknown[]): never {
    this.ending = true
    return (super.end as (...given: unknown[]) => unknown)(...given) as never
  }

  /** Waits as long as the statements that follow may take on the server; zero is without limit. */
  private follow(text: string): void {
    const [, local, ms] = ownLimit.exec(text) ?? []
    if (ms !== undefined) {
      this.isLocalLimit = local !== undefined
      this.socket.setTimeout(Number(ms) && Number(ms) + graceMs)
    } else if (this.isLocalLimit && (text === "COMMIT" || text === "ROLLBACK")) {
      this.isLocalLimit = false
      this.socket.setTimeout(this.usualMs)
    }
  }

  private silent(): void {
    if (this.ending) this.socket.destroy()
    if (this.ending || !this.busy) return
    // The time of a process that stood still is over before it has read what came meanwhile: it reads once more.
    const read = this.socket.bytesRead
    setImmediate(() => {
      if (this.busy && this.socket.bytesRead === read) this.socket.destroy((this.unfit = noAnswer()))
    })
  }
}

/** The next transaction through a pooler may have another session, which does not know the statements of this one. */
function withoutName(query: unknown): unknown {
  if (typeof query !== "object" || query === null || "submit" in query) return query
  return { ...query, name: undefined }
}

/** Why nobody should use a connection again; bundles of one process share connections, but no classes. */
export function unfitnessOf(client: pg.ClientBase): Error | undefined {
  return (client as { unfit?: Error }).unfit
}

/** Where a database URL names several hosts, the next connection goes to the one after this client's. */
export function leaveHost(client: pg.ClientBase): void {
  ;(client as BoundedClient).leaveHost()
}

/** As the system reports a connection that timed out. */
function noAnswer(): Error {
  const message = "Connection terminated: the database did not answer in time"
  return Object.assign(new Error(message), { code: "ETIMEDOUT", errno: -110, syscall: "read" })
}

type Options = {
  /** In place of the connection's own limit of time for a statement. */
  statementMs?: number | undefined
  /** Called when the connection cannot roll back, and so cannot be used again. */
  broken?: (error: Error) => void
}

/** Runs `work` in a transaction of this connection: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
  { statementMs, broken = () => undefined }: Options = {},
): Promise<T> {
  try {
    await client.query(statementMs === undefined ? "BEGIN" : `BEGIN; SET LOCAL statement_timeout = ${statementMs}`)
    const result = await work()
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK").catch(broken)
    throw error
  }
}
