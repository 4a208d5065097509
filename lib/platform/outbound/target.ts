import { isIP } from "node:net"
import { areaSettings, env } from "@/lib/platform/env/env"
import { createReach, type Reach } from "@/lib/platform/networks"
import { parseUrl } from "@/lib/platform/url-rules"
import { Resolver } from "node:dns/promises"
import type { Dns } from "@/lib/platform/dns/dns"
import { formatNumber } from "@/lib/platform/format"
import { setTimeout as wait } from "node:timers/promises"
import { requestInvalid } from "@/lib/platform/http/problems"

/** Whom a request may reach: the judge of addresses, and whether the operator allows any private network. */
export type OutboundGuard = {
  reach(address: string): Reach
  allowsPrivate: boolean
  /** Public addresses may be reached without TLS: for links that people write, never for data of ours. */
  allowsPlain?: true
}

export type Target = { url: URL; host: { address: string } | { name: string } }

/** `reason` is the sentence of the fault. */
type UrlVerdict = ({ ok: true } & Target) | { ok: false; fault: TargetFault; reason: string }

const urlCharsMax = 2_048

/** Ports above 1023 at which databases, caches and control planes listen, which take what looks like a request. */
const refusedPorts = new Set([
  ...[1433, 1521, 2049, 2375, 2376, 2379, 2380, 2525, 2587, 3306, 3389, 5432, 5672, 5900, 5984, 6379, 6443, 6667],
  ...[8500, 9042, 9092, 9200, 9300, 10250, 11211, 27017],
])

/**
 * Whether requests may be sent to a URL, as far as its text tells: names are judged by the addresses that they resolve to,
 * when a connection is opened. The parser of WHATWG turns every spelling of an address into one.
 */
export function judgeUrl(text: string, guard: OutboundGuard): UrlVerdict {
  if (text.length > urlCharsMax) return refuse({ code: "url_too_long", facts: { charsMax: urlCharsMax } })
  const url = /[\s\\]/.test(text) ? null : parseUrl(text)
  if (!url) return refuse({ code: "not_a_url", facts: {} })
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse({ code: "not_https", facts: {} })
  if (url.username || url.password) return refuse({ code: "credentials", facts: {} })
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80))
  if (port !== 443 && port !== 80 && (port < 1024 || refusedPorts.has(port)))
    return refuse({ code: "port", facts: { port } })
  return judgeHost(url, guard)
}

function judgeHost(url: URL, guard: OutboundGuard): UrlVerdict {
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")
  if (isIP(host)) {
    const why = addressFault(guard, host, url.protocol)
    return why ? refuse({ code: "address", facts: { address: host, why } }) : { ok: true, url, host: { address: host } }
  }
  if (isLocal(host) && guard.reach(loopback) !== "allowed") return refuse({ code: "this_machine", facts: { host } })
  if (!guard.allowsPrivate) {
    if (url.protocol !== "https:" && !guard.allowsPlain) return refuse({ code: "not_https", facts: {} })
    if (!isLocal(host) && (!host.includes(".") || /\.(local|localdomain|internal|lan|home\.arpa)$/.test(host)))
      return refuse({ code: "private_name", facts: { host } })
  }
  return { ok: true, url, host: { name: host } }
}

/** Why no request may be sent to an address; null where it may. Without TLS only to networks that the operator allows. */
export function addressFault(guard: OutboundGuard, address: string, protocol: string): AddressRefusal | null {
  const reach = guard.reach(address)
  if (reach === "refused") return "not_public"
  const isPlain = protocol !== "https:" && !guard.allowsPlain
  return reach === "public" && isPlain ? "plain" : null
}

/** What a local name resolves to, without a question to any server (RFC 6761). */
const loopback = "127.0.0.1"

function isLocal(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost")
}

function refuse(fault: TargetFault): UrlVerdict {
  return { ok: false, fault, reason: targetFaultSentence(fault) }
}

/** Whom requests of ours may reach: public addresses, and the networks of ALLOW_PRIVATE_WEBHOOKS. */
export const outboundGuard = areaSettings((_, { allowPrivateWebhooks: networks }): OutboundGuard => ({
  reach: createReach(networks),
  allowsPrivate: networks.length > 0,
}))

/** The addresses of a name; empty when it has none. Throws when that cannot be found out. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Thrown for a target that no request may be sent to. */
export class TargetRefused extends Error {
  constructor(readonly fault: TargetFault) {
    super(targetFaultSentence(fault))
    this.name = "TargetRefused"
  }
}

/** Asks the name servers of `dns`. The error it throws says whether the name is missing or no server answers. */
export function resolveBy(dns: Dns): Resolve {
  return async (name) => {
    const answer = await dns.addresses(name)
    if (answer.kind === "found") return answer.values
    if (answer.kind === "missing") throw new TargetRefused({ code: "name_missing", facts: { host: name } })
    throw new TargetRefused({ code: "no_name_server", facts: { host: name } })
  }
}

/**
 * The addresses to connect to, judged now: all of them must be allowed, because a connection may be opened to any. They are
 * the ones that the caller dials, so that no later answer of a name server takes their place.
 */
export async function dialable({ url, host }: Target, guard: OutboundGuard, resolve: Resolve): Promise<string[]> {
  const addresses = "address" in host ? [host.address] : isLocal(host.name) ? [loopback] : await resolve(host.name)
  if (!addresses.length) throw new TargetRefused({ code: "no_address", facts: {} })
  for (const address of addresses) {
    const why = addressFault(guard, address, url.protocol)
    if (why) throw new TargetRefused({ code: "resolves_to", facts: { address, why } })
  }
  return [...addresses]
}

const missing = new Set(["ENODATA", "ENOTFOUND", "NXDOMAIN"])

/** Names by the resolvers of this machine, or DNS_SERVERS; never by its hosts file, and without Node's pool of threads. */
export function systemResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const servers = env().dnsServers.map(({ host, port }) =>
    host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`,
  )
  if (servers.length) resolver.setServers(servers)
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
    const failed = answers.find((answer) => answer.status === "rejected" && !missing.has(codeOf(answer.reason)))
    // An address of the other family is enough to connect; a name that has none at all must be known to have none.
    if (!found.length && failed?.status === "rejected") throw failed.reason
    return found
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : ""
}

/** Why no request may be sent to an address. */
type AddressRefusal = "not_public" | "plain"

/** Why no request may be sent to a URL, as a code with its facts. */
type TargetFaultFacts = {
  url_too_long: { charsMax: number }
  not_a_url: Record<string, never>
  not_https: Record<string, never>
  credentials: Record<string, never>
  port: { port: number }
  address: { address: string; why: AddressRefusal }
  this_machine: { host: string }
  private_name: { host: string }
  name_missing: { host: string }
  no_name_server: { host: string }
  no_address: Record<string, never>
  resolves_to: { address: string; why: AddressRefusal }
  leads_to: { address: string; why: AddressRefusal }
}
export type TargetFault = {
  [C in keyof TargetFaultFacts]: { code: C; facts: TargetFaultFacts[C] }
}[keyof TargetFaultFacts]

const addressRefusals: Record<AddressRefusal, string> = {
  not_public: "the address is not public.",
  plain: "a public address must be reached by https.",
}

export function targetFaultSentence(fault: TargetFault): string {
  switch (fault.code) {
    case "url_too_long":
      return `The URL must be at most ${formatNumber(fault.facts.charsMax)} characters.`
    case "not_a_url":
      return "The URL must be a URL, such as https://example.com/webhooks."
    case "not_https":
      return "The URL must begin with https://."
    case "credentials":
      return "The URL must not contain a user name or password."
    case "port":
      return `The URL must not use port ${fault.facts.port}. Use 443, 80, or a port from 1024 that no other kind of service uses.`
    case "address":
      return `The URL must not name ${fault.facts.address}: ${addressRefusals[fault.facts.why]}`
    case "this_machine":
      return `The URL must not name ${fault.facts.host}, which is this machine.`
    case "private_name":
      return `The URL must have a public host name, not ${fault.facts.host}.`
    case "name_missing":
      return `The host name ${fault.facts.host} does not exist.`
    case "no_name_server":
      return `No name server answers for ${fault.facts.host}.`
    case "no_address":
      return "The host name has no address."
    case "resolves_to":
      return `The host resolves to ${fault.facts.address}: ${addressRefusals[fault.facts.why]}`
    case "leads_to":
      return `The connection leads to ${fault.facts.address}: ${addressRefusals[fault.facts.why]}`
  }
}

/** Nobody waits longer for name servers: every request judges the addresses again, on its own connection. */
const lookupMs = 2_000

/** The `url` of a body to which requests will be sent, parsed. @throws the problem with its pointer when none may be */
export async function checkedUrl(text: string, dns: Dns, guard = outboundGuard()): Promise<URL> {
  const verdict = judgeUrl(text, guard)
  if (!verdict.ok) throw refused([verdict.reason, wayOut(verdict.fault)].filter(Boolean).join(" "))
  const fault = await Promise.race([faultOfName(verdict, dns, guard), wait(lookupMs, null, { ref: false })])
  if (fault) throw refused(fault)
  return verdict.url
}

/** A name that cannot be resolved yet is taken: the DNS of a receiver may be set up later. */
async function faultOfName({ url, host }: Target, dns: Dns, guard: OutboundGuard): Promise<string | null> {
  if ("address" in host || isLocal(host.name)) return null
  const answer = await dns.addresses(host.name)
  for (const address of answer.kind === "found" ? answer.values : []) {
    const why = addressFault(guard, address, url.protocol)
    if (why) return `The URL must not name ${host.name}, which resolves to ${address}: ${addressRefusals[why]}`
  }
  return null
}

/** Whoever tries the product on their own machine has no public address to give. */
function wayOut({ code }: TargetFault): string {
  return code === "this_machine" || code === "private_name" || code === "address"
    ? "The operator of this installation can allow networks of its own with ALLOW_PRIVATE_WEBHOOKS, such as 127.0.0.0/8."
    : ""
}

function refused(reason: string) {
  return requestInvalid(`/url: ${reason}`, { errors: [{ pointer: "/url", detail: reason }] })
}
