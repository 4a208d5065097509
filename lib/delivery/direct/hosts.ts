import type { TLSSocket } from "node:tls"
import { createSmtpPool, type SmtpPoolOptions } from "@/lib/delivery/smtp/client"
import type { SharedConnections } from "@/lib/delivery/smtp/connection-limit"
import { type ReportedPolicy, type TlsDoubt, type TlsResult, tlsResultOf } from "@/lib/delivery/direct/tls-results"
import type { DeliveryAttempt, TlsLevel, TlsPolicy, TlsSecurity } from "@/lib/delivery/transports/attempt"
import type { Mail, SendControl, Source, Transport } from "@/lib/delivery/transports/transport"

/** What a connection has to be: with `none`, the server's offer is taken, whatever its certificate. */
export type Demand = {
  level: TlsLevel
  policy?: TlsPolicy
  /** Tells demands of one level apart that are not met by the same certificates. */
  key?: string
  /** Judges the certificate for `encrypted` and `dane`; `valid` is judged by the usual roots. */
  verify?: (socket: TLSSocket) => string | null
  /** What reports to the domain (RFC 8460) say of it; nothing of this changes a connection. */
  reported: ReportedPolicy
  isTesting?: boolean
  doubt?: TlsDoubt
}

/** One address of a host. */
export type Server = {
  host: string
  address: string
  port: number
  /** Where the address is, after all aliases of the host. */
  name: string
  /** DNSSEC secures the address. */
  isSecure: boolean
}

/** A server, and where it is dialled from; null is the system's choice. */
export type Path = { server: Server; source: Source | null }

export type Hosts = {
  send(path: Path, demand: Demand, connections: SharedConnections, mail: Mail & SendControl): Promise<DeliveryAttempt>
  /** No session with it could be opened from there in the last minute. */
  failedLately(path: Path): boolean
  /** What a session with the server was, for reports to its domain. */
  tlsResultOf(attempt: DeliveryAttempt, path: Path, demand: Demand): TlsResult | null
  failed(path: Path): void
  close(): Promise<void>
}

/** A pool that is unused for so long is closed. */
const poolUnusedMs = 30_000
const failedMs = 60_000
/** A server whose encryption failed is not asked for it again for so long. */
const plainMs = 3 * 24 * 3_600_000
const rememberedMax = 50_000

/** A connection is kept for the next mail for so long, as Postfix does: it counts at the server. */
const idleTimeoutMs = 2_000
/** A mail that takes long keeps its connection, of which the destination has few. */
const neverMs = 2 ** 31 - 1

type HostsOptions = SmtpPoolOptions & { maxConnections: number }

type Pool = { transport: Transport; users: number; timer?: NodeJS.Timeout }

/** The connections to recipients' servers: a pool for each destination, of their addresses and ours, and for each demand of TLS. */
export function createHosts(options: HostsOptions, now = () => performance.now()): Hosts {
  const pools = new Map<string, Pool>()
  const failedUntil = createMemory(now)
  const plainUntil = createMemory(now)
  /** Of these, servers that take no mail without encryption: what failed once is tried each time. */
  const encryptedOnly = createMemory(now)

  function poolTo({ server, source }: Path, demand: Demand, shared: SharedConnections): [string, Pool] {
    const { host, address, port } = server
    const place = placeOf(server)
    const isOpportunistic = demand.level === "none"
    const isPlain = isOpportunistic && plainUntil.has(place) && !encryptedOnly.has(place)
    const key = [shared.key, place, isPlain ? "plain" : demand.level, demand.key ?? "", source?.address ?? ""].join(" ")
    const known = pools.get(key)
    if (known) return [key, known]
    const tls = isPlain ? "none" : isOpportunistic ? "opportunistic" : "required"
    const endpoint = {
      host,
      address,
      port,
      tls,
      maxConnections: options.maxConnections,
      ...(source && { localAddress: source.address }),
      ...(demand.verify && { verify: demand.verify }),
      onPlain: () => plainUntil.add(place, plainMs),
    } as const
    const { ehloName } = source ?? options
    const transport = createSmtpPool(endpoint, { ...options, ehloName, slowMs: neverMs, idleTimeoutMs, shared })
    const pool = { transport, users: 0 }
    pools.set(key, pool)
    return [key, pool]
  }

  function leave(key: string, pool: Pool): void {
    pool.users -= 1
    if (pool.users > 0) return
    pool.timer = setTimeout(() => {
      pools.delete(key)
      void pool.transport.close()
    }, poolUnusedMs).unref()
  }

  return {
    async send(path, demand, connections, mail) {
      const [key, pool] = poolTo(path, demand, connections)
      clearTimeout(pool.timer)
      pool.users += 1
      try {
        const attempt = await pool.transport.send(mail)
        if (attempt.tls === undefined && demandsTls(attempt)) encryptedOnly.add(placeOf(path.server), plainMs)
        const source = attempt.source ?? path.source?.address
        const { ehloName } = path.source ?? options
        const from = source === undefined ? {} : { source, ehloName }
        return { ...attempt, ...from, security: securityOf(attempt, demand) }
      } finally {
        leave(key, pool)
      }
    },
    tlsResultOf(attempt, { server }, { isTesting = false, doubt }) {
      const result = tlsResultOf(attempt, { isFallback: plainUntil.has(placeOf(server)), isTesting })
      return result === "success" && doubt ? doubt.result : result
    },
    failedLately: (path) => failedUntil.has(nameOf(path)),
    failed: (path) => failedUntil.add(nameOf(path), failedMs),
    async close() {
      const all = [...pools.values()]
      pools.clear()
      for (const { timer } of all) clearTimeout(timer)
      await Promise.all(all.map(({ transport }) => transport.close()))
    },
  }
}

function placeOf({ host, address }: Server): string {
  return `${host} ${address}`
}

function nameOf({ server: { host, address }, source }: Path): string {
  return [host, address, source?.address ?? ""].join(" ")
}

/** "530 Must issue a STARTTLS command first" (RFC 3207 section 4), and what servers say with other codes. */
function demandsTls({ code = 0, text }: DeliveryAttempt): boolean {
  return code === 530 || (code >= 400 && /\bSTARTTLS\b/i.test(text))
}

function securityOf({ tls }: DeliveryAttempt, { level, policy }: Demand): TlsSecurity {
  const met = tls === undefined ? "none" : level === "none" ? "encrypted" : level
  return policy ? { level: met, policy } : { level: met }
}

/** Names for a while; beyond a number of them, the oldest are forgotten. */
function createMemory(now: () => number) {
  const known = new Map<string, number>()
  return {
    has: (name: string) => (known.get(name) ?? 0) > now(),
    add(name: string, forMs: number) {
      known.delete(name)
      known.set(name, now() + forMs)
      const [oldest] = known.size > rememberedMax ? known.keys() : []
      if (oldest !== undefined) known.delete(oldest)
    },
  }
}
