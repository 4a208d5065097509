import { gunzipSync } from "node:zlib"
import { unzipSync } from "fflate"
import PostalMime from "postal-mime"

/** Why a file is refused, as a sentence for the person who uploaded it. */
export class ReportRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = "ReportRefused"
  }
}

/** Bytes of a report once unpacked. */
export const reportBytesMax = 10_000_000

/** An email with an archive with a report; nothing packs deeper. */
const depthMax = 2

const tooLarge = () => new ReportRefused("The report is larger than 10 MB unpacked.")

/**
 * The XML of the one report in a file: plain, gzip, a ZIP archive with one file, or the email that carried it. The first bytes
 * decide what it is, and nothing is unpacked beyond the limit. @throws ReportRefused
 */
export async function reportXml(bytes: Uint8Array, depth = 0): Promise<string> {
  if (depth > depthMax) throw new ReportRefused("The report is packed too many times.")
  if (bytes.length === 0) throw new ReportRefused("The file is empty.")
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return reportXml(gunzipped(bytes), depth + 1)
  if (startsWith(bytes, "PK\u0003\u0004")) return reportXml(onlyEntry(bytes), depth + 1)
  if (startsWith(bytes, "PK")) throw new ReportRefused("The archive is empty or damaged.")
  const text = textOf(bytes)
  if (text.trimStart().startsWith("<")) return text
  if (depth === 0) return reportXml(await attachedReport(bytes), depth + 1)
  throw new ReportRefused("What is packed in the file is not XML.")
}

function gunzipped(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: reportBytesMax })
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") throw tooLarge()
    throw new ReportRefused("The gzip file is damaged.")
  }
}

/** The size in the archive's directory decides before anything is unpacked, and fflate writes no byte beyond it. */
function onlyEntry(bytes: Uint8Array): Uint8Array {
  let entries = 0
  let isTooLarge = false
  const wanted = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (name.endsWith("/")) return false
    entries += 1
    isTooLarge ||= originalSize > reportBytesMax
    return entries === 1 && !isTooLarge
  }
  let unpacked: Record<string, Uint8Array>
  try {
    unpacked = unzipSync(bytes, { filter: wanted })
  } catch {
    throw new ReportRefused("The ZIP archive is damaged, encrypted, or packed in a way that is not supported.")
  }
  if (isTooLarge) throw tooLarge()
  const [first] = Object.values(unpacked)
  if (entries !== 1 || !first) throw new ReportRefused(`The archive must hold one report; it holds ${entries} files.`)
  return first
}

/** The attachment of the email in which receivers send a report. */
async function attachedReport(bytes: Uint8Array): Promise<Uint8Array> {
  const email = await PostalMime.parse(bytes, { maxNestingDepth: 8, maxHeadersSize: 256 * 1024 }).catch(() => null)
  const reports = (email?.attachments ?? []).filter(
    ({ filename, mimeType }) =>
      /\.(xml|gz|zip)$/i.test(filename ?? "") ||
      /^(application|text)\/(x-)?(gzip|zip|xml|zip-compressed)$/i.test(mimeType),
  )
  const [report] = reports
  if (!report || reports.length > 1)
    throw new ReportRefused(
      reports.length > 1
        ? "The email has several reports attached. Upload them one by one."
        : "This is neither XML, gzip, ZIP nor an email with a report attached.",
    )
  return typeof report.content === "string" ? new TextEncoder().encode(report.content) : new Uint8Array(report.content)
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
