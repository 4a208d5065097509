import { isIP } from "node:net"
import { domainOf, plainText, policyOf, type ReportRow } from "@/lib/domains/dmarc/report"
import { ReportRefused } from "@/lib/domains/dmarc/unpack"

type Auth = { domain?: unknown; selector?: unknown; result?: unknown }

/** A record as the XML parser returns it: any element may be missing or empty. */
export type RawRecord = {
  row?: {
    source_ip?: unknown
    count?: unknown
    policy_evaluated?: { disposition?: unknown; dkim?: unknown; spf?: unknown; reason?: { type?: unknown }[] }
  }
  identifiers?: { header_from?: unknown }
  auth_results?: { dkim?: Auth[]; spf?: Auth[] }
}

const forwards = new Set(["forwarded", "trusted_forwarder", "mailing_list"])
const messagesMax = 1_000_000_000

/**
 * A record that leaves out `header_from` is about the domain whose policy was applied.
 * @throws ReportRefused for a record without what every report must say
 */
export function reportRows(records: RawRecord[], policyDomain: string): ReportRow[] {
  return records.map(({ row, identifiers, auth_results: auth }) => {
    const evaluated = row?.policy_evaluated
    const messages = Number(/^\d{1,12}$/.exec(plainText(row?.count))?.[0] ?? Number.NaN)
    const address = plainText(row?.source_ip).toLowerCase()
    const headerFrom = domainOf(identifiers?.header_from) || policyDomain
    if (isIP(address) === 0) throw new ReportRefused("A record of the report has no IP address.")
    if (!(messages <= messagesMax)) throw new ReportRefused("A record of the report has no usable count.")
    return {
      address,
      messages,
      headerFrom,
      disposition: policyOf(evaluated?.disposition) ?? "none",
      dkim: passes(evaluated?.dkim),
      spf: passes(evaluated?.spf),
      forwarded: listOf(evaluated?.reason).some(({ type }) => forwards.has(plainText(type).toLowerCase())),
      dkimPassed: listOf(auth?.dkim)
        .filter(({ result }) => passes(result))
        .map(({ domain, selector }) => ({ domain: domainOf(domain), selector: plainText(selector).toLowerCase() })),
      spfPassed:
        listOf(auth?.spf).flatMap(({ result, domain }) => (passes(result) ? [domainOf(domain)] : []))[0] ?? null,
    }
  })
}

/** In `policy_evaluated` the parser makes lists of `dkim` and `spf` as well. */
function passes(value: unknown): boolean {
  return plainText(Array.isArray(value) ? value[0] : value).toLowerCase() === "pass"
}

/** Elements without content are read as text. */
function listOf<T extends object>(value: T[] | undefined): T[] {
  return (Array.isArray(value) ? value : []).filter((item) => typeof item === "object" && item !== null)
}
