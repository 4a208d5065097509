import { registrableDomain } from "@/lib/addresses/registrable"
import {
  type Finding,
  invalid,
  isWildcard,
  missing,
  missingAt,
  undecided,
  unknown,
  valid,
} from "@/lib/domains/check/findings"
import {
  type DmarcPolicy,
  isAttempt,
  isDmarc,
  isOfSuffix,
  isPlain,
  policiesOf,
  type PublishedPolicy,
  recommendedDmarc,
  type RecommendedDmarc,
  reportUris,
  parseTags,
} from "@/lib/domains/records/dmarc-record"
import type { Dns } from "@/lib/platform/dns/dns"

// Which policy applies

/** Which DMARC policy receivers apply to a domain's mail, and where it is published. */
export type DmarcDiscovery =
  | {
      kind: "policy"
      name: string
      domain: string
      record: string
      policy: DmarcPolicy
      /** For mail of the domains below the one that publishes it. */
      subdomainPolicy: DmarcPolicy
    }
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
  const organization = registrableDomain(domain) ?? domain
  const faulty = above.find(
    (found) => (found.kind === "several" || found.kind === "invalid") && !isOfSuffix(found.name, organization),
  )
  return silent ?? faulty ?? { kind: "none" }
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
  const applied = tags && policiesOf(tags)
  if (!applied) return { kind: "invalid", name, domain, found: [record] }
  return { kind: "policy", name, domain, record, ...applied, psd: tags.get("psd")?.toLowerCase() ?? "u" }
}

/** Under a domain marked psd=y the organization is one label below; where that has no record, the suffix's applies. */
function belowPublicSuffix<P extends { domain: string; psd: string }>(policies: P[]): P | undefined {
  const suffix = policies.find((found) => found.psd === "y")
  if (!suffix) return undefined
  const depth = suffix.domain.split(".").length
  return policies.find((found) => found.domain.split(".").length === depth + 1) ?? suffix
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

// How it compares with what we need

/** `status`: does one valid policy apply; null while that cannot be looked up. `finding` is about our report address. */
export type DmarcComparison = {
  status: "verified" | "not_configured" | "failed" | null
  finding: Finding
  record: RecommendedDmarc
  /** From what the record is made; null while it cannot be looked up. */
  published: PublishedPolicy | null
}

export type DmarcExpectation = {
  domain: string
  organizationalDomain: string
  /** `mailto:` and the report address of this organization and domain. */
  uri: string
  reportDomain: string
}

/** Which policy applies, whether it sends us reports, and what to publish so that it does. */
export async function compareDmarc(dns: Dns, expected: DmarcExpectation): Promise<DmarcComparison> {
  const discovery = await discoverDmarc(dns, expected.domain)
  const published = publishedPolicy(discovery)
  const record = recommendedDmarc(published ?? { kind: "none" }, expected.organizationalDomain, expected.uri)
  if (discovery.kind === "unknown") return { status: null, finding: unknown, record, published }
  if (discovery.kind === "none") {
    return { status: "not_configured", finding: await absent(dns, record.name, expected), record, published }
  }
  if (discovery.kind === "several")
    return { status: "failed", finding: several(discovery.found, record), record, published }
  if (discovery.kind === "invalid")
    return { status: "failed", finding: malformed(discovery.found, record), record, published }
  return { status: "verified", finding: await reporting(dns, discovery, record, expected), record, published }
}

/** A policy applies: are its reports sent to us? */
async function reporting(
  dns: Dns,
  discovery: DmarcDiscovery & { kind: "policy" },
  recommended: RecommendedDmarc,
  expected: DmarcExpectation,
): Promise<Finding> {
  const found = [discovery.record]
  if (isOfSuffix(discovery.name, expected.organizationalDomain)) return absent(dns, recommended.name, expected)
  if (recommended.value === null) return malformed(found, recommended)
  if (!reportUris(parseTags(discovery.record)?.get("rua") ?? "").includes(expected.uri.toLowerCase())) {
    return withoutOurs(dns, discovery.name, found)
  }
  // A receiver sends reports to another domain only when that domain says yes to it (RFC 9990 4).
  const consent = await dns.txt(`${discovery.domain}._report._dmarc.${expected.reportDomain}`)
  if (consent.kind === "error") return undecided(found)
  if (consent.kind === "found" && consent.values.some(isDmarc)) return valid(found)
  return invalid(found, { code: "dmarc-not-authorized", facts: { reportDomain: expected.reportDomain } })
}

async function withoutOurs(dns: Dns, name: string, found: string[]): Promise<Finding> {
  const alias = await dns.cname(name)
  if (alias.kind === "found" && !(await isWildcard(dns, name, "txt"))) {
    return invalid(found, { code: "dmarc-vendor-hosted", facts: { name, targets: alias.values } })
  }
  return invalid(found, { code: "dmarc-rua-missing", facts: {} })
}

function several(found: string[], { name, value }: RecommendedDmarc): Finding {
  return invalid(found, { code: "dmarc-several", facts: { count: found.length, name, policyKept: value !== null } })
}

function malformed(found: string[], { name, value }: RecommendedDmarc): Finding {
  const [text = ""] = found
  if (value === null) {
    return invalid(found, { code: "dmarc-policy-unreadable", facts: { name } })
  }
  if (/^\s*["'“”]/.test(text)) {
    return invalid(found, { code: "quoted", facts: {} })
  }
  if (text.includes("\\;")) {
    return invalid(found, { code: "escaped-semicolon", facts: {} })
  }
  return invalid(found, { code: "dmarc-invalid", facts: { name } })
}

async function absent(dns: Dns, name: string, expected: DmarcExpectation): Promise<Finding> {
  const place = { name, domain: expected.domain, zone: expected.organizationalDomain }
  const finding = await missingAt(dns, place, async (other) => {
    const answer = await dns.txt(other)
    return answer.kind === "found" ? answer.values.filter(isDmarc) : []
  })
  // An alias that leads to nothing is the vendor's affair and not in the way of anything required.
  return finding.outcome === "invalid" ? missing(finding.likelyCause) : finding
}
