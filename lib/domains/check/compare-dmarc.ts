import type { Dns } from "@/lib/platform/dns/types"
import { discoverDmarc, publishedPolicy, type DmarcDiscovery } from "@/lib/domains/check/dmarc"
import { missing, valid, undecided, unknown, invalid, type Finding } from "@/lib/domains/check/findings"
import { isWildcard, missingAt } from "@/lib/domains/check/misplaced"
import {
  isDmarc,
  recommendedDmarc,
  reportUris,
  type PublishedPolicy,
  type RecommendedDmarc,
} from "@/lib/domains/records/dmarc-record"
import { parseTags } from "@/lib/domains/records/tags"

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
  return { status: "verified", finding: await reporting(dns, discovery, expected), record, published }
}

/** A policy applies: are its reports sent to us? */
async function reporting(
  dns: Dns,
  discovery: DmarcDiscovery & { kind: "policy" },
  expected: DmarcExpectation,
): Promise<Finding> {
  const found = [discovery.record]
  if (!reportUris(parseTags(discovery.record)?.get("rua") ?? "").includes(expected.uri.toLowerCase())) {
    return withoutOurs(dns, discovery.name, found)
  }
  // A receiver sends reports to another domain only when that domain says yes to it (RFC 9990 4).
  const consent = await dns.txt(`${discovery.domain}._report._dmarc.${expected.reportDomain}`)
  if (consent.kind === "error") return undecided(found)
  if (consent.kind === "found" && consent.values.some(isDmarc)) return valid(found)
  return invalid(
    found,
    "dmarc-not-authorized",
    `${expected.reportDomain} does not accept reports about other domains yet.`,
    "Your record is correct. The operator of this service has to publish the authorization record.",
  )
}

async function withoutOurs(dns: Dns, name: string, found: string[]): Promise<Finding> {
  const alias = await dns.cname(name)
  if (alias.kind === "found" && !(await isWildcard(dns, name, "txt"))) {
    return invalid(
      found,
      "dmarc-vendor-hosted",
      `${name} has a CNAME to ${alias.values.join(", ")}: another service manages this record for you.`,
      "Add our report address in that service. Do not publish a record beside the CNAME.",
    )
  }
  return invalid(
    found,
    "dmarc-rua-missing",
    "A policy applies, but its reports are not sent to us.",
    "Replace the record with the value shown: the same policy with our address appended.",
  )
}

function several(found: string[], { name, value }: RecommendedDmarc): Finding {
  return invalid(
    found,
    "dmarc-several",
    `${found.length} DMARC records found at ${name}, so receivers ignore them all.`,
    value === null
      ? "Keep the one with the policy that you want, and delete the others."
      : "Replace them all with the value shown: the same policy, with the report addresses of all.",
  )
}

function malformed(found: string[], { name, value }: RecommendedDmarc): Finding {
  const [text = ""] = found
  if (value === null) {
    return invalid(
      found,
      "dmarc-policy-unreadable",
      `The record at ${name} is not valid, so receivers ignore it, and the policy that it asks for cannot be read.`,
      "Begin it with v=DMARC1; and then p=none, p=quarantine or p=reject, whichever you want. End each tag with a semicolon.",
    )
  }
  if (/^\s*["'“”]/.test(text)) {
    return invalid(found, "quoted", "The value contains quotation marks.", "Paste the value without quotation marks.")
  }
  if (text.includes("\\;")) {
    return invalid(
      found,
      "escaped-semicolon",
      "The value has a backslash before its semicolons.",
      "Paste the value without backslashes.",
    )
  }
  return invalid(
    found,
    "dmarc-invalid",
    `The record at ${name} is not valid, so receivers ignore it.`,
    "Replace it with the value shown: the same policy and report addresses, in valid syntax.",
  )
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
