import { isIP } from "node:net"
import { env } from "@/lib/platform/env/env"
import { createReach, type Reach } from "@/lib/platform/outbound/networks"
import { type AddressRefusal, type TargetFault, targetFaultSentence } from "@/lib/platform/outbound/target-faults"
import { parseUrl } from "@/lib/platform/url-rules"

/** Whom a request may reach: the judge of addresses, and whether the operator allows any private network. */
export type OutboundGuard = {
  reach(address: string): Reach
  allowsPrivate: boolean
  /** Public addresses may be reached without TLS: for links that people write, never for data of ours. */
  allowsPlain?: true
}

export type Target = { url: URL; host: { address: string } | { name: string } }

/** `reason` is the sentence of the fault. */
export type UrlVerdict = ({ ok: true } & Target) | { ok: false; fault: TargetFault; reason: string }

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
export const loopback = "127.0.0.1"

export function isLocal(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost")
}

function refuse(fault: TargetFault): UrlVerdict {
  return { ok: false, fault, reason: targetFaultSentence(fault) }
}

let known: OutboundGuard | undefined

/** Whom requests of ours may reach: public addresses, and the networks of ALLOW_PRIVATE_WEBHOOKS. */
export function outboundGuard(): OutboundGuard {
  const networks = env().allowPrivateWebhooks
  return (known ??= { reach: createReach(networks), allowsPrivate: networks.length > 0 })
}
