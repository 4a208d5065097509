import { attachmentsOf, type Attachment, type MimePart } from "@/lib/platform/mime/mime-parts"

/** The reports that an email carries: DMARC aggregate reports (RFC 7489, RFC 9990) and TLS reports (RFC 8460), still packed. */
export function attachedReports(message: MimePart): { dmarc: Attachment[]; tls: Attachment[] } {
  const all = attachmentsOf(message)
  const typed = all.filter(({ type }) => /^application\/tlsrpt\+(?:gzip|json)$/.test(type))
  const isTls = typed.length > 0 || message.params.get("report-type") === "tlsrpt"
  // Some send the JSON under a general type, and its name tells.
  const named = all.filter(({ filename }) => /\.json(?:\.gz)?$/i.test(filename ?? ""))
  return isTls ? { dmarc: [], tls: typed.length > 0 ? typed : named } : { dmarc: all.filter(isDmarcReport), tls: [] }
}

function isDmarcReport({ filename, type }: Attachment): boolean {
  return (
    /\.(?:xml|gz|zip)$/i.test(filename ?? "") ||
    /^(?:application|text)\/(?:x-)?(?:gzip|zip|xml|zip-compressed|gzip-compressed)$/.test(type)
  )
}
