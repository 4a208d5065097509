import { Resolver } from "node:dns/promises"
import { isIPv6 } from "node:net"
import type { DnsAnswer, DnsErrorReason, DnsHost, DnsOutcome, DnsValues } from "@/lib/platform/dns/types"

export type RecordKind = keyof DnsValues

export type DnsQuestion<K extends RecordKind> = {
  kind: K
  name: string
  timeoutMs: number
  /** Milliseconds since the epoch after which the question is given up. */
  deadline: number
}

const serversMax = 4

/** Queries each server (at most four) at once and takes the majority of their answers. Never throws. */
export async function askServers<K extends RecordKind>(
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
export function weigh<T>(outcomes: DnsOutcome<T>[]): DnsOutcome<T> {
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
