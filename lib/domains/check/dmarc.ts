import type { Dns } from "@/lib/platform/dns/types"
import {
  isAttempt,
  isDmarc,
  isPlain,
  policies,
  reportUris,
  type DmarcPolicy,
  type PublishedPolicy,
} from "@/lib/domains/records/dmarc-record"
import { parseTags } from "@/lib/domains/records/tags"

/** Which DMARC policy receivers apply to a domain's mail, and where it is published. */
export type DmarcDiscovery =
  | { kind: "policy"; name: string; domain: string; record: string; policy: DmarcPolicy }
  | { kind: "none" }
  /** Several records at the name, so that none applies; or the one there is not valid. */
  | { kind: "several"; name: string; domain: string; found: string[] }
  | { kind: "invalid"; name: string; domain: string; found: string[] }
  | { kind: "unknown" }

type Step = Exclude<DmarcDiscovery, { kind: "policy" }> | (DmarcDiscovery & { kind: "policy"; psd: string })

const walkMax = 8

/** The effective policy by the tree walk of RFC 9989 4.10: the domain's own record, else the organization's. */
export async function discoverDmarc(dns: Dns, domain: string): Promise<DmarcDiscovery> {
  const steps = await Promise.all(walk(domain).map((name) => step(dns, name)))
  const [own = { kind: "none" } as const, ...above] = steps
  if (own.kind !== "none") return own
  const policies = above.flatMap((found) => (found.kind === "policy" ? [found] : []))
  const marked = policies.find((found) => found.psd === "n") ?? belowPublicSuffix(policies)
  const inherited = marked ?? policies.at(-1)
  if (inherited) return inherited
  // A top-level domain that does not answer does not mean that the names below it are missing.
  const silent = above.slice(0, -1).find((found) => found.kind === "unknown")
  return silent ?? above.find((found) => found.kind === "several" || found.kind === "invalid") ?? { kind: "none" }
}

/** The domain itself, then its parents; of a name deeper than eight labels only the last seven (RFC 9989 4.10). */
function walk(domain: string): string[] {
  const labels = domain.split(".")
  const parents = labels.map((_, from) => labels.slice(from).join("."))
  return labels.length <= walkMax ? parents : [domain, ...parents.slice(labels.length - walkMax + 1)]
}

async function step(dns: Dns, domain: string): Promise<Step> {
  const name = `_dmarc.${domain}`
  const answer = await dns.txt(name)
  if (answer.kind === "error") return { kind: "unknown" }
  if (answer.kind === "missing") return { kind: "none" }
  const records = answer.values.filter(isDmarc)
  const [record] = records
  if (records.length > 1) return { kind: "several", name, domain, found: records }
  if (record === undefined) {
    const attempts = answer.values.filter(isAttempt)
    return attempts.length > 0 ? { kind: "invalid", name, domain, found: attempts } : { kind: "none" }
  }
  const tags = isPlain(record) ? parseTags(record) : null
  const policy = tags && policyOf(tags)
  if (!tags || !policy) return { kind: "invalid", name, domain, found: [record] }
  return { kind: "policy", name, domain, record, policy, psd: tags.get("psd")?.toLowerCase() ?? "u" }
}

/** Under a domain marked psd=y the organization is one label below; where that has no record, the suffix's applies. */
function belowPublicSuffix<P extends { domain: string; psd: string }>(policies: P[]): P | undefined {
  const suffix = policies.find((found) => found.psd === "y")
  if (!suffix) return undefined
  const depth = suffix.domain.split(".").length
  return policies.find((found) => found.domain.split(".").length === depth + 1) ?? suffix
}

/** Without a usable `p`, a record that names a report address counts as p=none (RFC 9989 4.7). */
function policyOf(tags: Map<string, string>): DmarcPolicy | null {
  const policy = policies.find((known) => known === tags.get("p")?.toLowerCase())
  return policy ?? (reportUris(tags.get("rua") ?? "").length > 0 ? "none" : null)
}

/** What is stored of a discovery; null when the name servers did not answer. */
export function publishedPolicy(discovery: DmarcDiscovery): PublishedPolicy | null {
  if (discovery.kind === "unknown") return null
  if (discovery.kind === "none") return { kind: "none" }
  const { kind, name } = discovery
  const texts = kind === "policy" ? [discovery.record] : discovery.found
  return { kind, name, texts: texts.slice(0, textsMax).map(storable) }
}

/** Of the records at one name, as many as are shown. */
const textsMax = 8

/** As a database can hold it: strangers' zones hold any bytes. */
function storable(text: string): string {
  return text.replace(/\p{Cc}/gu, " ").slice(0, textLengthMax)
}

/** More than is read of a record, so that one that was cut is not read either. */
const textLengthMax = 5000
