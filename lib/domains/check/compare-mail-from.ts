import type { Cause } from "@/lib/explanation/record-codes"
import type { Dns, DnsMx } from "@/lib/platform/dns/types"
import {
  failedLookup,
  type Finding,
  invalid,
  missingAt,
  type RecordLocation,
  undecided,
  valid,
} from "@/lib/domains/check/findings"
import { cutText } from "@/lib/platform/text"
import { evaluateSpf, isSpf, parseSpf, readSpf, type SpfResult } from "@/lib/domains/check/spf"

/** Exactly one MX, ours: with a second one bounces would go elsewhere. The priority is the owner's affair. */
export async function compareMx(dns: Dns, place: RecordLocation, exchange: string): Promise<Finding> {
  const answer = await dns.mx(place.name)
  if (answer.kind === "error") return failedLookup(answer.reason, place.name)
  if (answer.kind === "missing") {
    return missingAt(dns, place, async (name) => {
      const other = await dns.mx(name)
      return other.kind === "found" ? other.values.filter((mx) => mx.exchange === exchange).map(mxText) : []
    })
  }
  const found = answer.values.map(mxText)
  const ours = answer.values.filter((mx) => mx.exchange === exchange)
  if (ours.length > 0 && answer.values.every((mx) => mx.exchange === exchange)) return valid(found)
  if (ours.length > 0) {
    return invalid(found, { code: "extra-mx", facts: { name: place.name } })
  }
  if (answer.values.some((mx) => mx.exchange.startsWith(`${exchange}.`))) {
    return invalid(found, { code: "doubled-zone", facts: { in: "exchange", value: exchange } })
  }
  return invalid(found, { code: "other-mx", facts: { name: place.name } })
}

/**
 * SPF at the MAIL FROM domain, judged by evaluation: it must pass for the addresses from which the region sends.
 * `include` is the name whose SPF record lists these addresses.
 */
export async function compareSpf(dns: Dns, place: RecordLocation, include: string): Promise<Finding> {
  const answer = await dns.txt(place.name)
  if (answer.kind === "error") return failedLookup(answer.reason, place.name)
  const texts = answer.kind === "found" ? answer.values : []
  const records = texts.filter(isSpf)
  const [record] = records
  if (records.length > 1) {
    return invalid(records, {
      code: "several-records",
      facts: { kind: "SPF", count: records.length, name: place.name },
    })
  }
  if (record !== undefined) return judgeSpf(dns, place, record, include)
  const typed = texts.find((text) => /v=spf1/i.test(text))
  if (typed !== undefined) return mistyped(typed)
  return missingAt(dns, place, async (name) => {
    const other = await dns.txt(name)
    return other.kind === "found" ? other.values.filter((text) => isSpf(text) && names(text, include)) : []
  })
}

async function judgeSpf(dns: Dns, place: RecordLocation, record: string, include: string): Promise<Finding> {
  // Word for word ours: whether our own list of addresses is right is the operator's affair, not the owner's.
  if (record.trim().toLowerCase().replace(/ +/g, " ") === `v=spf1 include:${include} ~all`) return valid([record])
  // A receiver reads the whole record before it evaluates any of it.
  const read = readSpf(record)
  if ("invalid" in read) {
    const fault = { result: "permerror", reason: "syntax", term: read.invalid, at: place.name } as const
    return spfInvalid(record, fault, place, include)
  }
  const egress = await egressAddresses(dns, include)
  if (egress === null) return undecided([record])
  const results = await Promise.all(egress.map((ip) => evaluateSpf(dns, place.name, ip)))
  const failed = results.find((result) => result.result !== "pass")
  if (failed?.result === "temperror") return undecided([record])
  if (failed) return spfInvalid(record, failed, place, include)
  if (egress.length === 0 && !names(record, include)) return spfInvalid(record, { result: "neutral" }, place, include)
  return valid([record])
}

/** The first addresses that our own SPF record lists; null when it cannot be read now. */
async function egressAddresses(dns: Dns, include: string): Promise<string[] | null> {
  const answer = await dns.txt(include)
  if (answer.kind === "error") return null
  const ours = answer.kind === "found" ? answer.values.find(isSpf) : undefined
  const terms = (ours !== undefined && parseSpf(ours)?.terms) || []
  return terms
    .filter((term) => term.name === "ip4" || term.name === "ip6")
    .map((term) => term.target)
    .slice(0, 4)
}

function spfInvalid(record: string, failed: SpfResult, place: RecordLocation, include: string): Finding {
  return invalid([record], spfFault(failed, place, include))
}

function spfFault(failed: SpfResult, place: RecordLocation, include: string): Cause {
  if (failed.result !== "permerror") return { code: "spf-not-passing", facts: { include } }
  if (failed.reason === "lookups") return { code: "spf-lookups", facts: {} }
  if (failed.reason === "voids") return { code: "spf-voids", facts: {} }
  if (failed.reason !== "syntax") return { code: "spf-syntax", facts: {} }
  const includedFrom = failed.at === place.name ? {} : { includedFrom: failed.at }
  return { code: "spf-syntax", facts: { term: cutText(failed.term, termShownMax), ...includedFrom } }
}

/** Characters of an invalid term that are shown. */
const termShownMax = 80

function mistyped(text: string): Finding {
  return /^\s*["'“”]/.test(text)
    ? invalid([text], { code: "quoted", facts: {} })
    : invalid([text], { code: "unreadable", facts: {} })
}

function names(record: string, include: string): boolean {
  const terms = parseSpf(record)?.terms ?? []
  return terms.some((term) => term.name === "include" && term.target.toLowerCase().replace(/\.$/, "") === include)
}

function mxText({ exchange, priority }: DnsMx): string {
  return `${priority} ${exchange || "."}`
}
