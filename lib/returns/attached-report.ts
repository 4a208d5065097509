import { attachmentsOf, bodyOf, type MimePart } from "@/lib/platform/mime/mime-parts"
import { cutText } from "@/lib/platform/text"
import type { AttachedReport, UnreadableReason } from "@/lib/returns/returned-mail"

/** D31's limit of a mail for reports; what is packed in it is limited where it is unpacked. */
const documentBytesMax = 10 * 2 ** 20

type Reading = Pick<AttachedReport, "kind" | "reportKind" | "filename" | "document">

/** The one DMARC aggregate report (RFC 7489, RFC 9990) or TLS report (RFC 8460) that is attached, or why there is none. */
export function attachedReport(message: MimePart): Reading | UnreadableReason {
  const attachments = attachmentsOf(message)
  const tls = attachments.filter(({ type }) => /^application\/tlsrpt\+(?:gzip|json)$/.test(type))
  if (tls.length === 0 && message.params.get("report-type") === "tlsrpt")
    tls.push(...attachments.filter(({ filename }) => /\.json(?:\.gz)?$/i.test(filename ?? "")))
  const dmarc = tls.length > 0 ? [] : attachments.filter(isDmarcReport)
  const [found] = [...tls, ...dmarc]
  if (!found) return "no_report"
  if (tls.length + dmarc.length > 1) return "several_reports"
  return {
    kind: "report",
    reportKind: tls.length > 0 ? "tls" : "dmarc",
    filename: found.filename && cutText(found.filename, 255),
    document: bodyOf(found.part, documentBytesMax),
  }
}

function isDmarcReport({ filename, type }: { filename: string | null; type: string }): boolean {
  return (
    /\.(?:xml|gz|zip)$/i.test(filename ?? "") ||
    /^(?:application|text)\/(?:x-)?(?:gzip|zip|xml|zip-compressed|gzip-compressed)$/.test(type)
  )
}
