import type { Dns, DnsMx } from "@/lib/platform/dns/types"
import {
  failedLookup,
  type Finding,
  invalid,
  type LikelyCauseCode,
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
    return invalid(
      found,
      "extra-mx",
      `Other mail servers are published beside ours at ${place.name}.`,
      "Delete all MX records there but ours.",
    )
  }
  if (answer.values.some((mx) => mx.exchange.startsWith(`${exchange}.`))) {
    return invalid(
      found,
      "doubled-zone",
      "Your DNS provider added your domain to the mail server's name.",
      `End the value with a dot: ${exchange}.`,
    )
  }
  return invalid(
    found,
    "other-mx",
    `Another mail server receives the mail of ${place.name}.`,
    "Replace the MX record with ours.",
  )
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
    return invalid(
      records,
      "several-records",
      `${records.length} SPF records found at ${place.name}; receivers accept exactly one.`,
      "Delete all but the value shown.",
    )
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
  const [code, message, fix] = spfFault(failed, place, include)
  return invalid([record], code, message, fix)
}

function spfFault(failed: SpfResult, place: RecordLocation, include: string): [LikelyCauseCode, string, string] {
  if (failed.result !== "permerror") {
    return [
      "spf-not-passing",
      "The record does not allow our servers to send.",
      `Add include:${include} before the last term.`,
    ]
  }
  if (failed.reason === "lookups") {
    return [
      "spf-lookups",
      "The record needs more than 10 lookups, so receivers give up on it.",
      "Publish the value shown; this name needs nothing else.",
    ]
  }
  if (failed.reason === "voids") {
    return [
      "spf-voids",
      "More than 2 names in the record do not exist, so receivers give up on it.",
      "Remove the names that no longer exist.",
    ]
  }
  if (failed.reason === "syntax") {
    const { term, at } = failed
    const where = at === place.name ? "" : ` in the record of ${at}, which yours includes,`
    return [
      "spf-syntax",
      `The term ${cutText(term, termShownMax)}${where} is not valid SPF, so receivers ignore the whole record (permerror).`,
      at === place.name ? "Correct or remove it." : `Remove the include of ${at}, or have its owner correct it.`,
    ]
  }
  return [
    "spf-syntax",
    "The record refers to a name that has no usable SPF record.",
    "Publish the value shown; this name needs nothing else.",
  ]
}

/** Characters of an invalid term that are shown. */
const termShownMax = 80

function mistyped(text: string): Finding {
  return /^\s*["'“”]/.test(text)
    ? invalid([text], "quoted", "The value contains quotation marks.", "Paste the value without quotation marks.")
    : invalid(
        [text],
        "unreadable",
        "The value does not begin with v=spf1 and a space.",
        "Replace it with the value shown.",
      )
}

function names(record: string, include: string): boolean {
  const terms = parseSpf(record)?.terms ?? []
  return terms.some((term) => term.name === "include" && term.target.toLowerCase().replace(/\.$/, "") === include)
}

function mxText({ exchange, priority }: DnsMx): string {
  return `${priority} ${exchange || "."}`
}
