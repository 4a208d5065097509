import type { Dns } from "@/lib/platform/dns/types"
import { parseTags } from "@/lib/domains/records/tags"

/** Which DMARC policy receivers apply to a domain's mail, and where it is published. */
export type DmarcDiscovery =
  | { kind: "policy"; name: string; domain: string; record: string; policy: DmarcPolicy }
  | { kind: "none" }
  /** Several records at the name, so that none applies; or the one there is not valid. */
  | { kind: "several"; name: string; domain: string; found: string[] }
  | { kind: "invalid"; name: string; domain: string; found: string[] }
  | { kind: "unknown" }

export type DmarcPolicy = "none" | "quarantine" | "reject"

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
    const attempts = answer.values.filter((text) => /dmarc1/i.test(text))
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

/** What we show, store and put into zone files: printable ASCII (RFC 9989 4.7) of a sane length. */
function isPlain(record: string): boolean {
  return record.length <= 2048 && /^[\x20-\x7e\t]*$/.test(record)
}

export function isDmarc(text: string): boolean {
  return /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(text)
}

/** Without a usable `p`, a record that names a report address counts as p=none (RFC 9989 4.7). */
function policyOf(tags: Map<string, string>): DmarcPolicy | null {
  const policy = policies.find((known) => known === tags.get("p")?.toLowerCase())
  return policy ?? (reportUris(tags.get("rua") ?? "").length > 0 ? "none" : null)
}

const policies = ["none", "quarantine", "reject"] as const

/** The report addresses of a record, without size limits, compared by their lower-case form. */
export function reportUris(rua: string): string[] {
  return rua
    .split(",")
    .map((uri) =>
      uri
        .trim()
        .toLowerCase()
        .replace(/!\d+[kmgt]?$/, ""),
    )
    .filter((uri) => /^mailto:[^@\s]+@[^@\s]+$/.test(uri))
}

/**
 * The record to recommend: the policy that applies, at its own name, with our report address appended, never a new and
 * weaker one beside it; p=none at the organizational domain only where nothing applies.
 */
export function recommendedDmarc(
  discovery: DmarcDiscovery,
  organizationalDomain: string,
  uri: string,
): { name: string; value: string } {
  if (discovery.kind === "policy") return { name: discovery.name, value: withReportUri(discovery.record, uri) }
  if (discovery.kind === "none" || discovery.kind === "unknown") {
    return { name: `_dmarc.${organizationalDomain}`, value: `v=DMARC1; p=none; rua=${uri}` }
  }
  const readable = discovery.found.find((text) => isDmarc(text) && isPlain(text) && parseTags(text)?.has("p"))
  if (readable) return { name: discovery.name, value: withReportUri(readable, uri) }
  const policy = /p\s*=\s*(quarantine|reject)/i.exec(discovery.found.join(" "))?.[1]?.toLowerCase() ?? "none"
  return { name: discovery.name, value: `v=DMARC1; p=${policy}; rua=${uri}` }
}

function withReportUri(record: string, uri: string): string {
  const tags = [...(parseTags(record) ?? new Map<string, string>())].filter(([name, value]) => !isObsolete(name, value))
  const rua = tags.find(([name]) => name === "rua")
  if (rua && reportUris(rua[1]).includes(uri.toLowerCase())) return written(tags)
  if (rua) rua[1] = `${rua[1].replace(/[\s,]+$/, "")},${uri}`
  else tags.push(["rua", uri])
  return written(tags)
}

/** RFC 9989 dropped `rf`, `ri` and `pct`; a pct below 100 stays, because older receivers still weaken the policy by it. */
function isObsolete(name: string, value: string): boolean {
  return name === "rf" || name === "ri" || (name === "pct" && value === "100")
}

function written(tags: [string, string][]): string {
  return tags.map(([name, value]) => `${name}=${value}`).join("; ")
}
