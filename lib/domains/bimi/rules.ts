import { registrableDomain } from "@/lib/addresses/registrable"
import { discoverDmarc, type DmarcDiscovery } from "@/lib/domains/check/dmarc"
import type { Finding } from "@/lib/domains/check/findings"
import type { WatchedRecord } from "@/lib/domains/records/records"
import { isOfSuffix, parseTags } from "@/lib/domains/records/dmarc-record"
import { type ComponentStatus, nextRecord } from "@/lib/domains/rules"
import { type Dns, withinMs } from "@/lib/platform/dns/dns"

export type BimiSettings = { logoUrl: string | null; vmcUrl: string | null }

/** Failed is what was found and is not the record; what is not found yet is waited for. */
export function bimiStatus(records: WatchedRecord[]): ComponentStatus {
  const record = records.find(({ key }) => key === "bimi")
  if (!record) return "not_configured"
  if (record.status === "verified") return "verified"
  return record.found.length > 0 && record.likelyCause ? "failed" : "pending"
}

export function afterLookup(
  { records, checkedAt }: { records: WatchedRecord[]; checkedAt: Date | null },
  finding: Finding,
  now: Date,
): WatchedRecord[] {
  return records.map((record) => (record.key === "bimi" ? nextRecord(record, finding, now, checkedAt) : record))
}

// What else mail programs ask for

/** A condition under which mail programs show the logo. `unknown`: a lookup failed. */
export type Gate = {
  code: "dmarc-domain" | "dmarc-organization" | "certificate"
  outcome: "passed" | "failed" | "unknown" | "optional"
  message: string
  fix?: string | undefined
}

const lookupsMaxMs = 5_000

/** What besides the logo and its record decides whether mail programs show it. */
export async function bimiGates(dns: Dns, domain: string, vmcUrl: string | null): Promise<Gate[]> {
  const bounded = withinMs(dns, lookupsMaxMs)
  const organization = registrableDomain(domain) ?? domain
  const [own, above] = await Promise.all([
    discoverDmarc(bounded, domain),
    organization === domain ? null : discoverDmarc(bounded, organization),
  ])
  return [
    gateOf("dmarc-domain", domain, own),
    ...(above ? [gateOf("dmarc-organization", organization, above)] : []),
    certificate(vmcUrl),
  ]
}

function gateOf(code: "dmarc-domain" | "dmarc-organization", domain: string, found: DmarcDiscovery): Gate {
  if (found.kind === "unknown")
    return { code, outcome: "unknown", message: `The DMARC policy of ${domain} could not be looked up.` }
  const ownRecord = `Publish a policy of quarantine or reject at _dmarc.${domain}.`
  if (found.kind !== "policy") {
    const message =
      found.kind === "none" ? `No DMARC policy applies to ${domain}.` : `The DMARC record for ${domain} is not valid.`
    return { code, outcome: "failed", message, fix: ownRecord }
  }
  const fault = weakness(domain, found)
  if (!fault) return { code, outcome: "passed", message: `The DMARC policy of ${domain} is enforced.` }
  const organization = registrableDomain(domain) ?? domain
  return { code, outcome: "failed", ...fault, ...(isOfSuffix(found.name, organization) && { fix: ownRecord }) }
}

/** Why a policy is not enforced: mail that fails must be quarantined or rejected, all of it, subdomains included. */
function weakness(domain: string, found: DmarcDiscovery & { kind: "policy" }) {
  const { name, record, policy, subdomainPolicy } = found
  const tags = parseTags(record)
  const applied = found.domain === domain ? policy : subdomainPolicy
  const pct = Number(tags?.get("pct") ?? 100)
  if (applied === "none")
    return { message: `The policy for ${domain} is none.`, fix: `Set quarantine or reject in the record at ${name}.` }
  if (subdomainPolicy === "none")
    return { message: `The record at ${name} has sp=none, so subdomains are not protected.`, fix: "Remove sp=none." }
  if (pct < 100 && applied === "quarantine")
    return { message: `The record at ${name} applies to ${pct}% of the mail.`, fix: "Remove pct, or set it to 100." }
  if (tags?.get("t")?.toLowerCase() === "y")
    return { message: `The record at ${name} has t=y, so the policy is only a test.`, fix: "Remove t=y." }
  return null
}

function certificate(vmcUrl: string | null): Gate {
  return vmcUrl
    ? { code: "certificate", outcome: "passed", message: "The record names a certificate. Mail programs check it." }
    : {
        code: "certificate",
        outcome: "optional",
        message:
          "No certificate. Gmail and Apple Mail show logos only with one (VMC or CMC); Yahoo and Fastmail do not need it.",
        fix: "Order one from an issuer of mark certificates and set its address.",
      }
}
