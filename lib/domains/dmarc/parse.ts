import { XMLParser, XMLValidator } from "fast-xml-parser"
import { isIP } from "node:net"
import { setImmediate } from "node:timers/promises"
import { ReportRefused } from "@/lib/domains/dmarc/unpack"
import { formatNumber } from "@/lib/platform/format"

// What a report says

export type Disposition = "none" | "quarantine" | "reject"

/** Messages of one source that a receiver judged alike. `dkim` and `spf`: passed and aligned with the domain in From. */
export type ReportRow = {
  address: string
  messages: number
  disposition: Disposition
  dkim: boolean
  spf: boolean
  headerFrom: string
  /** The receiver says that it was forwarded or came by a mailing list. */
  forwarded: boolean
  /** Domains that DKIM proved, with selectors, and the one that SPF proved. */
  dkimPassed: { domain: string; selector: string }[]
  spfPassed: string | null
}

export type AggregateReport = {
  reporter: string
  reportId: string
  beganAt: Date
  endedAt: Date
  policyDomain: string
  policy: Disposition
  subdomainPolicy: Disposition | null
  rows: ReportRow[]
}

// The report around its records

const recordsMax = 25_000
/** Characters parsed in one go: the process serves others in between. */
const pieceChars = 64 * 1024

const parser = new XMLParser({
  processEntities: false,
  parseTagValue: false,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  maxNestedTags: 12,
  // Writing out the path of each element takes a tenth of the time, and nothing here reads it.
  jPath: false,
  isArray: (name) => name === "record" || name === "reason" || name === "dkim" || name === "spf",
})

/** Reads an aggregate report of RFC 7489 or RFC 9990. @throws ReportRefused */
export async function parseReport(xml: string): Promise<AggregateReport> {
  if (/^\s{0,1000}\{/.test(xml)) throw new ReportRefused("The file holds JSON like a TLS report, not a DMARC report.")
  if (/<!(DOCTYPE|ENTITY)/i.test(xml))
    throw new ReportRefused("The XML declares a document type, which reports do not.")
  const { head, pieces } = split(feedbackOf(xml))
  if (head.length > pieceChars) throw new ReportRefused("The report holds more than 64 kB beside its records.")
  if (pieces.some(({ length }) => length > 2 * pieceChars))
    throw new ReportRefused("A record of the report is larger than 64 kB.")
  const { feedback } = parsed(head) as { feedback?: Tree }
  if (!feedback || typeof feedback !== "object") throw new ReportRefused("The XML is not a DMARC aggregate report.")
  const report = headOf(feedback)
  const rows: ReportRow[] = []
  let records = 0
  for (const piece of pieces) {
    const { part } = parsed(`<part>${piece}</part>`) as { part?: { record?: RawRecord[] } }
    records += part?.record?.length ?? 0
    if (records > recordsMax)
      throw new ReportRefused(`The report has more than ${formatNumber(recordsMax)} records.`, "too_large")
    rows.push(...reportRows(part?.record ?? [], report.policyDomain))
    await setImmediate()
  }
  if (rows.length === 0) throw new ReportRefused("The report has no records.")
  return { ...report, rows }
}

/**
 * The `feedback` element alone. Some receivers put it into an `xs:schema`, or leave such a tag in it, opened or closed alone.
 */
function feedbackOf(xml: string): string {
  const start = /<(?:[\w-]{1,40}:)?feedback[\s>]/.exec(xml)?.index
  if (start === undefined) {
    if (XMLValidator.validate(xml) !== true) throw new ReportRefused("The XML is not well-formed.")
    throw new ReportRefused("The XML is not a DMARC aggregate report.")
  }
  const closing = /^<\/(?:[\w-]{1,40}:)?feedback\s{0,9}>/
  for (let at = xml.lastIndexOf("</"); at > start; at = xml.lastIndexOf("</", at - 1)) {
    const end = closing.exec(xml.slice(at, at + 64))
    if (end) return xml.slice(start, at + end[0].length).replace(/<\/?xsd?:schema(?:\s[^<>]{0,2000})?>/gi, "")
  }
  throw new ReportRefused("The XML is not well-formed.")
}

type Tree = { [name: string]: unknown }

/** What surrounds the records, and the records in pieces of whole records. */
function split(xml: string): { head: string; pieces: string[] } {
  const open = /<(?:[\w-]{1,40}:)?record[\s>]/.exec(xml)
  if (!open) return { head: xml, pieces: [] }
  const closing = /<\/(?:[\w-]{1,40}:)?record\s{0,9}>/g
  closing.lastIndex = open.index
  const pieces: string[] = []
  let from = open.index
  let end = from
  for (let match = closing.exec(xml); match; match = closing.exec(xml)) {
    end = closing.lastIndex
    if (end - from < pieceChars) continue
    pieces.push(xml.slice(from, end))
    from = end
  }
  if (end > from) pieces.push(xml.slice(from, end))
  return { head: xml.slice(0, open.index) + xml.slice(end), pieces }
}

function parsed(xml: string): unknown {
  if (XMLValidator.validate(xml) !== true) throw new ReportRefused("The XML is not well-formed.")
  try {
    return parser.parse(xml)
  } catch {
    throw new ReportRefused("The XML is not well-formed, or nested too deeply.")
  }
}

function headOf(feedback: Tree): Omit<AggregateReport, "rows"> {
  const metadata = treeOf(feedback, "report_metadata")
  const published = treeOf(feedback, "policy_published")
  const range = treeOf(metadata, "date_range")
  const [beganAt, endedAt] = [instantOf(range, "begin"), instantOf(range, "end")]
  if (endedAt < beganAt) throw new ReportRefused("The report ends before it begins.")
  return {
    reporter: reporterOf(metadata),
    reportId: textOf(metadata, "report_id", 255),
    beganAt,
    endedAt,
    policyDomain: reportedName(textOf(published, "domain", 253)),
    policy: policyOf(published.p) ?? "none",
    subdomainPolicy: policyOf(published.sp),
  }
}

/** Some receivers leave `org_name` empty: then the domain that their address is at names them. */
function reporterOf(metadata: Tree): string {
  if (plainText(metadata.org_name) !== "") return textOf(metadata, "org_name", 200)
  const domain = /@([\w.-]{1,253})/.exec(plainText(metadata.email))?.[1]
  if (!domain) throw new ReportRefused("The report names no reporter: both org_name and email are missing.")
  return reportedName(domain)
}

function treeOf(tree: Tree, name: string): Tree {
  const value = tree[name]
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ReportRefused(`The report has no ${name}.`)
  return value as Tree
}

function textOf(tree: Tree, name: string, charsMax: number): string {
  const text = plainText(tree[name])
  if (text === "" || text.length > charsMax) throw new ReportRefused(`The report has no usable ${name}.`)
  return text
}

function instantOf(range: Tree, name: string): Date {
  const seconds = /^\d{1,12}$/.exec(plainText(range[name]))?.[0]
  const instant = new Date(Number(seconds ?? Number.NaN) * 1_000)
  if (Number.isNaN(instant.getTime())) throw new ReportRefused(`The report has no usable ${name} of its period.`)
  return instant
}

// Its records

type Auth = { domain?: unknown; selector?: unknown; result?: unknown }

/** A record as the XML parser returns it: any element may be missing or empty. */
type RawRecord = {
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
function reportRows(records: RawRecord[], policyDomain: string): ReportRow[] {
  return records.map(({ row, identifiers, auth_results: auth }) => {
    const evaluated = row?.policy_evaluated
    const messages = Number(/^\d{1,12}$/.exec(plainText(row?.count))?.[0] ?? Number.NaN)
    const address = plainText(row?.source_ip).toLowerCase()
    const headerFrom = reportedName(identifiers?.header_from) || policyDomain
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
        .map(({ domain, selector }) => ({ domain: reportedName(domain), selector: plainText(selector).toLowerCase() })),
      spfPassed:
        listOf(auth?.spf).flatMap(({ result, domain }) => (passes(result) ? [reportedName(domain)] : []))[0] ?? null,
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

// The values of elements

function policyOf(value: unknown): Disposition | null {
  const text = plainText(value).toLowerCase()
  return text === "none" || text === "quarantine" || text === "reject" ? text : null
}

/** In the form in which domains are compared. */
export function reportedName(value: unknown): string {
  return plainText(value).toLowerCase().replace(/\.$/, "")
}

/** The text of an element, without the five entities of XML and without control characters. */
function plainText(value: unknown): string {
  if (typeof value !== "string") return ""
  const text = value.includes("&") ? withoutEntities(value) : value
  return text.replace(/\p{Cc}/gu, "").trim()
}

function withoutEntities(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&")
}
