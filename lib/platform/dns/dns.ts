import { getServers } from "node:dns"
import { createReach } from "@/lib/platform/networks"
import { Resolver } from "node:dns/promises"
import { isIPv6 } from "node:net"

export type DnsHost = { host: string; port: number }

export type DnsMx = { exchange: string; priority: number }

export type DnsErrorReason = "timeout" | "unreachable" | "refused" | "server-failure" | "malformed" | "alias-loop"

export type DnsOutcome<T> =
  | { kind: "found"; values: T[] }
  /** `no-name`: NXDOMAIN; `no-data`: the name exists and has nothing of this type. */
  | { kind: "missing"; reason: "no-name" | "no-data" }
  | { kind: "error"; reason: DnsErrorReason }

/** The answer of most servers, and that of each; in a tie "found" wins. */
export type DnsAnswer<T> = DnsOutcome<T> & { askedServers: { server: string; answer: DnsOutcome<T> }[] }

type DnsValues = { TXT: string; MX: DnsMx; CNAME: string; NS: string; ADDRESS: string }

/** Lookups never throw and end within seconds; names come back in lower case, without the final dot. */
export type Dns = {
  /** One text per record, its chunks joined (RFC 7208 3.3). */
  txt(name: string): Promise<DnsAnswer<string>>
  mx(name: string): Promise<DnsAnswer<DnsMx>>
  /** The alias at this very name; it is not followed. */
  cname(name: string): Promise<DnsAnswer<string>>
  ns(name: string): Promise<DnsAnswer<string>>
  /** IPv4 and IPv6 addresses. */
  addresses(name: string): Promise<DnsAnswer<string>>
}

type DnsOptions = {
  /** Used for all queries, instead of all other servers (DNS_SERVERS). */
  servers?: DnsHost[]
  /** Names at or under these zones are queried at this server only. */
  local?: { zones: string[]; server: DnsHost }
  /** The resolvers of this machine; those of the operating system when left out. */
  resolvers?: DnsHost[]
  /** The port at which authoritative servers listen. Only tests have another than 53. */
  authorityPort?: number
  /** Private and loopback name servers are never asked on behalf of a stranger's zone; tests switch this on. */
  privateAuthorities?: boolean
  /** For one question at one server. */
  timeoutMs?: number
  /** For one call, aliases and the search for name servers included. */
  totalMs?: number
}

/** More aliases in a row than this are a loop or an attack. */
const aliasHopsMax = 8

/**
 * Queries the authoritative servers of the name, records each one's answer, follows
 * aliases, always answers within `totalMs`, never throws.
 */
export function createDns(options: DnsOptions = {}): Dns {
  const timeoutMs = options.timeoutMs ?? 2000
  const totalMs = options.totalMs ?? 5000
  const resolvers = options.resolvers ?? systemResolvers()
  const authorities = authoritativeServers({
    resolvers,
    timeoutMs,
    port: options.authorityPort ?? 53,
    allowPrivate: options.privateAuthorities ?? false,
  })

  return {
    txt: (name) => answer("TXT", name),
    mx: (name) => answer("MX", name),
    cname: (name) => answer("CNAME", name),
    ns: (name) => answer("NS", name),
    addresses: (name) => answer("ADDRESS", name),
  }

  async function answer<K extends RecordKind>(kind: K, name: string): Promise<DnsAnswer<DnsValues[K]>> {
    const deadline = performance.now() + totalMs
    let target = plain(name)
    for (let hop = 0; hop <= aliasHopsMax; hop++) {
      const found = await askAt(kind, target, deadline)
      if (found.kind !== "missing" || kind === "CNAME") return found
      // An authoritative server returns only the alias if its target is in another zone: follow it ourselves.
      const alias = await askAt("CNAME", target, deadline)
      if (alias.kind !== "found" || alias.values[0] === undefined) return found
      target = plain(alias.values[0])
    }
    return { kind: "error", reason: "alias-loop", askedServers: [] }
  }

  async function askAt<K extends RecordKind>(
    kind: K,
    name: string,
    deadline: number,
  ): Promise<DnsAnswer<DnsValues[K]>> {
    const question = { kind, name, timeoutMs, deadline }
    if (options.servers?.length) return askServers(options.servers, question)
    if (options.local?.zones.some((zone) => isUnder(name, zone))) {
      return askServers([options.local.server], question)
    }
    const own = await authorities(name, deadline)
    const direct = own.length > 0 ? await askServers(own, question) : undefined
    if (direct && direct.kind !== "error") return direct
    const relayed = await askServers(resolvers, question)
    return { ...relayed, askedServers: [...(direct?.askedServers ?? []), ...relayed.askedServers] }
  }
}

/** Whether a name is the zone itself or a name in it. */
export function isUnder(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, "")
}

/** Those of the operating system. */
export function systemResolvers(): DnsHost[] {
  return getServers().map((server) => {
    const bracketed = /^\[(.+)\]:(\d+)$/.exec(server)
    if (bracketed) return { host: bracketed[1] ?? "", port: Number(bracketed[2]) }
    const [host = "", port] = server.split(":")
    // More than one colon is an IPv6 address without a port.
    if (server.split(":").length > 2) return { host: server, port: 53 }
    return { host, port: port ? Number(port) : 53 }
  })
}

type Options = { resolvers: DnsHost[]; port: number; timeoutMs: number; allowPrivate: boolean }

const cacheMs = 60_000
const cachedMax = 1000
const reach = createReach([])

/**
 * Finds the servers that are responsible for a name: the NS records of the nearest zone at or above it, as the
 * resolvers give them. Empty when that cannot be found out, or only a top-level domain is left.
 */
function authoritativeServers(options: Options): (name: string, deadline: number) => Promise<DnsHost[]> {
  // One check queries a dozen names of one zone: its servers are cached.
  const cached = new Map<string, { until: number; servers: Promise<DnsHost[]> }>()

  return at

  async function at(name: string, deadline: number): Promise<DnsHost[]> {
    const labels = name.split(".")
    if (labels.length < 2) return []
    const now = performance.now()
    const known = cached.get(name)
    if (known && known.until > now) return known.servers
    if (cached.size >= cachedMax) cached.clear()
    const servers = serversOf(name, deadline, labels)
    cached.set(name, { until: now + cacheMs, servers })
    // A failed lookup is not cached.
    if ((await servers).length === 0) cached.delete(name)
    return servers
  }

  async function serversOf(name: string, deadline: number, labels: string[]): Promise<DnsHost[]> {
    const question = { timeoutMs: options.timeoutMs, deadline }
    const delegation = await askServers(options.resolvers, { ...question, kind: "NS", name })
    if (delegation.kind === "error") return []
    if (delegation.kind === "missing") return labels.length > 2 ? at(labels.slice(1).join("."), deadline) : []
    const names = delegation.values.slice(0, serversMax)
    const found = await Promise.all(
      names.map((host) => askServers(options.resolvers, { ...question, kind: "ADDRESS", name: host })),
    )
    return found
      .flatMap((answer) => (answer.kind === "found" ? [answer.values.find(mayAsk)] : []))
      .flatMap((host) => (host === undefined ? [] : [{ host, port: options.port }]))
  }

  /** Anyone's zone may name any address as its server: those that are not public must not be reached that way. */
  function mayAsk(address: string): boolean {
    return options.allowPrivate || reach(address) === "public"
  }
}

/**
 * The same lookups with one allowance of time for all of them together: what is asked or still open when it ends is
 * answered as a timeout. Hostile zones can chain lookups, each within its own limit.
 */
export function withinMs(dns: Dns, totalMs: number): Dns {
  const deadline = performance.now() + totalMs
  /** A timer may fire a moment before the clock has come to its time. */
  let isOver = false
  return {
    txt: (name) => raced(() => dns.txt(name)),
    mx: (name) => raced(() => dns.mx(name)),
    cname: (name) => raced(() => dns.cname(name)),
    ns: (name) => raced(() => dns.ns(name)),
    addresses: (name) => raced(() => dns.addresses(name)),
  }

  async function raced<T>(ask: () => Promise<DnsAnswer<T>>): Promise<DnsAnswer<T>> {
    const leftMs = deadline - performance.now()
    const late: DnsAnswer<T> = { kind: "error", reason: "timeout", askedServers: [] }
    if (isOver || leftMs <= 0) return late
    let timer: NodeJS.Timeout | undefined
    const ended = new Promise<DnsAnswer<T>>((done) => {
      timer = setTimeout(() => {
        isOver = true
        done(late)
      }, leftMs)
    })
    return Promise.race([ask(), ended]).finally(() => clearTimeout(timer))
  }
}

type RecordKind = keyof DnsValues

type DnsQuestion<K extends RecordKind> = {
  kind: K
  name: string
  timeoutMs: number
  /** Milliseconds since the epoch after which the question is given up. */
  deadline: number
}

const serversMax = 4

/** Queries each server (at most four) at once and takes the majority of their answers. Never throws. */
async function askServers<K extends RecordKind>(
  servers: DnsHost[],
  question: DnsQuestion<K>,
): Promise<DnsAnswer<DnsValues[K]>> {
  const askedServers = await Promise.all(
    servers.slice(0, serversMax).map(async (server) => ({
      server: serverName(server),
      answer: await askOne(server, question),
    })),
  )
  return { ...weigh(askedServers.map((asked) => asked.answer)), askedServers }
}

/** The answer that most servers give. Errors count only if there are no answers. */
function weigh<T>(outcomes: DnsOutcome<T>[]): DnsOutcome<T> {
  const answers = outcomes.filter((outcome) => outcome.kind !== "error")
  if (answers.length === 0) return outcomes[0] ?? { kind: "error", reason: "unreachable" }
  const prints = answers.map(fingerprint)
  const votes = (outcome: DnsOutcome<T>) => prints.filter((print) => print === fingerprint(outcome)).length
  const [first] = answers.toSorted((a, b) => votes(b) - votes(a) || foundFirst(a) - foundFirst(b))
  return first ?? { kind: "error", reason: "unreachable" }
}

async function askOne<K extends RecordKind>(
  server: DnsHost,
  question: DnsQuestion<K>,
): Promise<DnsOutcome<DnsValues[K]>> {
  const allowedMs = Math.min(question.timeoutMs, question.deadline - performance.now())
  if (allowedMs <= 0) return { kind: "error", reason: "timeout" }
  // A resolver of its own for every question: it keeps no cache, and cancelling it touches no other question.
  const resolver = new Resolver({ timeout: Math.max(100, Math.ceil(allowedMs / 2)), tries: 2 })
  const timer = setTimeout(() => resolver.cancel(), allowedMs)
  try {
    resolver.setServers([serverName(server)])
    const values = await lookups[question.kind](resolver, question.name)
    return values.length > 0 ? { kind: "found", values } : { kind: "missing", reason: "no-data" }
  } catch (error) {
    return outcomeOf(error)
  } finally {
    clearTimeout(timer)
  }
}

const lookups: { [K in RecordKind]: (resolver: Resolver, name: string) => Promise<DnsValues[K][]> } = {
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((chunks) => textOf(chunks.join(""))),
  MX: async (resolver, name) =>
    (await resolver.resolveMx(name)).map(({ exchange, priority }) => ({ exchange: hostOf(exchange), priority })),
  CNAME: async (resolver, name) => (await resolver.resolveCname(name)).map(hostOf),
  NS: async (resolver, name) => (await resolver.resolveNs(name)).map(hostOf),
  ADDRESS: addresses,
}

async function addresses(resolver: Resolver, name: string): Promise<string[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = [v4, v6].flatMap((result) => (result.status === "fulfilled" ? result.value : []))
  const refusals = [v4, v6].flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []))
  const telling = refusals.find((reason) => outcomeOf(reason).kind === "error") ?? refusals[0]
  if (found.length === 0 && telling !== undefined) throw telling
  return found
}

function outcomeOf(error: unknown): DnsOutcome<never> {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  if (code === "ENOTFOUND") return { kind: "missing", reason: "no-name" }
  if (code === "ENODATA") return { kind: "missing", reason: "no-data" }
  return { kind: "error", reason: errorReasons[code] ?? "malformed" }
}

const errorReasons: Record<string, DnsErrorReason> = {
  ETIMEOUT: "timeout",
  ECANCELLED: "timeout",
  ECONNREFUSED: "unreachable",
  EREFUSED: "refused",
  ESERVFAIL: "server-failure",
  ENOTIMP: "server-failure",
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The resolver hands over one character for each byte; people type quotation marks and letters that take several. */
function textOf(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes
  try {
    return utf8.decode(Buffer.from(bytes, "latin1"))
  } catch {
    return bytes
  }
}

/** The null MX of RFC 7505 is an exchange of one dot, which the resolver hands over as an empty text. */
function hostOf(name: string): string {
  return name.toLowerCase().replace(/\.$/, "")
}

function serverName({ host, port }: DnsHost): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`
}

function fingerprint<T>(outcome: DnsOutcome<T>): string {
  if (outcome.kind !== "found") return outcome.kind
  return JSON.stringify(outcome.values.map((value) => JSON.stringify(value)).sort())
}

function foundFirst<T>(outcome: DnsOutcome<T>): number {
  return outcome.kind === "found" ? 0 : 1
}
