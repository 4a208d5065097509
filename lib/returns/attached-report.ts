import { attachedReports } from "@/lib/domains/dmarc/unpack"
import { bodyOf, type MimePart } from "@/lib/platform/mime/mime-parts"
import { cutText } from "@/lib/platform/text"
import type { AttachedReport, UnreadableReason } from "@/lib/returns/returned-mail"

/** Of a mail for reports; what is packed in it is limited where it is unpacked (lib/domains/dmarc/unpack.ts). */
const documentBytesMax = 10 * 2 ** 20

type Reading = Pick<AttachedReport, "kind" | "reportKind" | "filename" | "document">

/** The one report that is attached, or why there is none. */
export function attachedReport(message: MimePart): Reading | UnreadableReason {
  const { dmarc, tls } = attachedReports(message)
  const [found, other] = [...dmarc, ...tls]
  if (!found) return "no_report"
  if (other) return "several_reports"
  return {
    kind: "report",
    reportKind: tls.length > 0 ? "tls" : "dmarc",
    filename: found.filename && cutText(found.filename, 255),
    document: bodyOf(found.part, documentBytesMax),
  }
}
