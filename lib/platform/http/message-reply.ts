import { Reply } from "@/lib/platform/http/endpoint"

/** A message (RFC 5322) byte for byte: strangers may have written it, so it is saved and never shown as a page of ours. */
export function messageReply(raw: Uint8Array): Reply {
  return new Reply(200, {
    stream: new Uint8Array(raw),
    headers: {
      "Content-Type": "message/rfc822",
      "Content-Disposition": 'attachment; filename="message.eml"',
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "X-Content-Type-Options": "nosniff",
    },
  })
}
