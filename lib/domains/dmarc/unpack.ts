import { unzipSync } from "fflate"
import { crc32, inflateRawSync } from "node:zlib"
import {
  type AttachedPart,
  attachmentsOf,
  bodyOf,
  isMessage,
  type MimePart,
  mimePartsOf,
} from "@/lib/platform/mime/mime-parts"

/** Why a report is refused, DMARC or TLS: as it is stored of one that came by mail. */
export const reportFaults = [
  "too_large",
  "archive",
  "no_report",
  "several_reports",
  "malformed",
  "other_domain",
  "other_period",
] as const

export type ReportFault = (typeof reportFaults)[number]

/** A report that cannot be taken; the message is a sentence for the person who uploaded it. */
export class ReportRefused extends Error {
  constructor(
    message: string,
    readonly fault: ReportFault = "malformed",
  ) {
    super(message)
    this.name = "ReportRefused"
  }
}

/** Bytes of a report once unpacked. */
export const reportBytesMax = 10_000_000

/** An email with an archive with a report; nothing packs deeper. */
const depthMax = 2

const tooLarge = () => new ReportRefused("The report is larger than 10 MB unpacked.", "too_large")

/**
 * The text of the one report in a file, XML or JSON: plain, gzip, a ZIP archive with one file, or the email that carried it. The
 * first bytes decide what it is, and nothing is unpacked beyond the limit. @throws ReportRefused
 */
export function reportText(bytes: Uint8Array): string {
  return textWithin(bytes, { depth: 0, isUnpacked: false })
}

type Place = { depth: number; isUnpacked: boolean }

function textWithin(bytes: Uint8Array, { depth, isUnpacked }: Place): string {
  if (depth > depthMax) throw new ReportRefused("The report is packed too many times.", "archive")
  if (bytes.length === 0) throw new ReportRefused("The file is empty.")
  const unpacked = { depth: depth + 1, isUnpacked: true }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return textWithin(gunzipped(bytes), unpacked)
  if (startsWith(bytes, "PK\u0003\u0004")) {
    if (isUnpacked) throw new ReportRefused("The archive is packed in another one.", "archive")
    return textWithin(onlyEntry(bytes), unpacked)
  }
  if (startsWith(bytes, "PK")) throw new ReportRefused("The archive is empty or damaged.", "archive")
  const text = textOf(bytes)
  if (/^\s{0,1000}[<{]/.test(text)) return text
  if (depth === 0) return textWithin(onlyAttachment(bytes), { depth: 1, isUnpacked: false })
  throw new ReportRefused("What is packed in the file is neither XML nor JSON.")
}

/** Each costs a decompressor, however little it holds. */
const membersMax = 1_000

/**
 * The members of a gzip file, one after another. Bytes behind a whole member that are no member are not part of the report:
 * mail programs add a line break, Mimecast its own bytes.
 */
function gunzipped(bytes: Uint8Array): Uint8Array {
  const members: Uint8Array[] = []
  let room = reportBytesMax
  let rest = bytes
  while (rest[0] === 0x1f && rest[1] === 0x8b) {
    if (members.length === membersMax) throw new ReportRefused("The gzip file has too many members.", "archive")
    const member = firstMember(rest, room)
    if (!member) break
    members.push(member.content)
    room -= member.content.length
    rest = rest.subarray(member.length)
  }
  if (members.length === 0) throw new ReportRefused("The gzip file is damaged.", "archive")
  return Buffer.concat(members)
}

/** The content of the member at the start (RFC 1952) and how many bytes it takes; null if it is damaged. */
function firstMember(bytes: Uint8Array, room: number): { content: Uint8Array; length: number } | null {
  const start = headerLength(bytes)
  if (start === null) return null
  try {
    const { buffer: content, engine } = inflateRawSync(bytes.subarray(start), {
      info: true,
      maxOutputLength: Math.max(room, 1),
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    if (content.length > room) throw tooLarge()
    const trailer = start + engine.bytesWritten
    if (
      trailer + 8 > bytes.length ||
      Buffer.from(bytes.subarray(trailer, trailer + 4)).readUInt32LE() !== crc32(content)
    )
      return null
    return { content, length: trailer + 8 }
  } catch (error) {
    if (error instanceof ReportRefused) throw error
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") throw tooLarge()
    return null
  }
}

const gzipFlags = { headerCrc: 2, extra: 4, name: 8, comment: 16 }

function headerLength(bytes: Uint8Array): number | null {
  const flags = bytes[3] ?? 0
  let at = 10
  if (flags & gzipFlags.extra) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
  for (const text of [gzipFlags.name, gzipFlags.comment]) {
    if (!(flags & text)) continue
    const end = bytes.indexOf(0, at)
    if (end < 0) return null
    at = end + 1
  }
  if (flags & gzipFlags.headerCrc) at += 2
  return bytes[2] === 8 && at < bytes.length ? at : null
}

/** What archivers and file managers add to an archive by themselves. */
const addedBySystem = /(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)|\/$/i

/** The size in the archive's directory decides before anything is unpacked, and fflate writes no byte beyond it. */
function onlyEntry(bytes: Uint8Array): Uint8Array {
  const files: { name: string; originalSize: number }[] = []
  unzip(bytes, ({ name, originalSize }) => {
    if (!addedBySystem.test(name)) files.push({ name, originalSize })
    return false
  })
  // A receiver's note beside the report does not make two of it.
  const reports = files.length > 1 ? files.filter(({ name }) => /\.(xml|gz|zip)$/i.test(name)) : files
  const [report] = reports
  if (reports.length !== 1 || !report)
    throw new ReportRefused(`The archive must hold one report; it holds ${files.length} files.`, "archive")
  if (report.originalSize > reportBytesMax) throw tooLarge()
  let taken = false
  const unpacked = unzip(bytes, ({ name }) => !taken && (taken = name === report.name))
  return unpacked[report.name] ?? new Uint8Array()
}

function unzip(bytes: Uint8Array, filter: (entry: { name: string; originalSize: number }) => boolean) {
  try {
    return unzipSync(bytes, { filter })
  } catch {
    throw new ReportRefused(
      "The ZIP archive is damaged, encrypted, or packed in a way that is not supported.",
      "archive",
    )
  }
}

/** The attachment of the email in which receivers send a report. */
function onlyAttachment(bytes: Uint8Array): Uint8Array {
  const { dmarc, tls } = attachedReports(mimePartsOf(bytes))
  const [report, other] = [...dmarc, ...tls]
  if (other)
    throw new ReportRefused("The email has several reports attached. Upload them one by one.", "several_reports")
  if (!report)
    throw new ReportRefused("This is neither XML, gzip, ZIP nor an email with a report attached.", "no_report")
  return bodyOf(report.part, report.part.body.length)
}

/** UTF-8, UTF-16 with its mark, or Latin-1 where the XML says so. */
function textOf(bytes: Uint8Array): string {
  if (bytes.length > reportBytesMax) throw tooLarge()
  const encoding = /^<\?xml[^>]{0,200}encoding\s{0,9}=\s{0,9}["']([\w-]{1,40})["']/.exec(
    Buffer.from(bytes.subarray(0, 256)).toString("latin1"),
  )?.[1]
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const known = /^(iso-8859-1|windows-1252|latin1)$/i.test(encoding ?? "") ? "windows-1252" : "utf-8"
  const label = isUtf16 ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : known
  return new TextDecoder(label).decode(bytes)
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString("latin1") === text
}

/** The reports that an email carries: DMARC aggregate reports (RFC 7489, RFC 9990) and TLS reports (RFC 8460), still packed. */
export function attachedReports(message: MimePart): { dmarc: AttachedPart[]; tls: AttachedPart[] } {
  // A message that is attached is no report, whatever its name.
  const all = attachmentsOf(message).filter(({ type }) => !isMessage(type))
  const typed = all.filter(({ type }) => /^application\/tlsrpt\+(?:gzip|json)$/.test(type))
  const isTls = typed.length > 0 || message.params.get("report-type") === "tlsrpt"
  // Some send the JSON under a general type, and its name tells.
  const named = all.filter(({ filename }) => /\.json(?:\.gz)?$/i.test(filename ?? ""))
  return isTls ? { dmarc: [], tls: typed.length > 0 ? typed : named } : { dmarc: all.filter(isDmarcReport), tls: [] }
}

function isDmarcReport({ filename, type }: AttachedPart): boolean {
  return (
    /\.(?:xml|gz|zip)$/i.test(filename ?? "") ||
    /^(?:application|text)\/(?:x-)?(?:gzip|zip|xml|zip-compressed|gzip-compressed)$/.test(type)
  )
}
