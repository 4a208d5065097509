import { env } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import { receivedEvent, type ReceivedRow } from "@/lib/received/data"
import { attachmentsIn, textsOf } from "@/lib/received/read-received"
import type { Payload } from "@/lib/webhooks/rules"

/** Of an event as it is sent: longer texts are left out, and read from the API. */
const payloadBytesMax = 256 * 1024

/** The event `email.received` of a mail. Its id is the mail's, so that it is the same at every delivery. */
export function receivedPayload(email: ReceivedRow, projectId: string): Payload {
  const url = `${env().baseUrl}/v1/projects/${encodeId("proj", projectId)}/inbound/${encodeId("inb", email.id)}`
  const { text, replyText, isCut } = textsOf(email.raw)
  const withTexts = payloadWith(email, projectId, { url, texts: isCut ? {} : { text, replyText } })
  if (isCut || Buffer.byteLength(JSON.stringify(withTexts)) <= payloadBytesMax) return withTexts
  return payloadWith(email, projectId, { url, texts: {} })
}

function payloadWith(
  email: ReceivedRow,
  projectId: string,
  { url, texts }: { url: string; texts: { text?: string; replyText?: string } },
): Payload {
  const { id, receivedAt, routeId, inReplyTo, raw } = email
  const { to, from, fromName, subject, messageId, plus, spf, dkim, dmarc, autoSubmitted, size } = email
  const optional = { fromName, subject, messageId, plus, spf, dkim, dmarc, ...texts }
  const given = Object.entries(optional).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    id: encodeId("evt", id),
    type: receivedEvent,
    timestamp: receivedAt.toISOString(),
    createdAt: receivedAt.toISOString(),
    projectId: encodeId("proj", projectId),
    data: {
      inboundId: encodeId("inb", id),
      ...(routeId === undefined ? {} : { routeId: encodeId("inr", routeId) }),
      ...(inReplyTo === undefined ? {} : { inReplyTo: encodeId("email", inReplyTo) }),
      ...{ to, from, size, autoSubmitted: autoSubmitted ?? false },
      ...Object.fromEntries(given),
      attachments: attachmentsIn(raw).map(({ number, filename, contentType, size: bytes }) => ({
        ...{ number, contentType, size: bytes, url: `${url}/attachments/${number}` },
        ...(filename === null ? {} : { filename }),
      })),
      ...{ url, rawUrl: `${url}/raw` },
    },
  }
}
