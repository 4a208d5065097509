import { attachmentsOf, mimePartsOf, partsOf, textOf, type MimePart } from "@/lib/platform/mime/mime-parts"
import { cutText } from "@/lib/platform/text"
import type { OperatorMailDetail } from "@/lib/inbound/schema"

const textBytesMax = 256 * 1024
const nameCharsMax = 200

type Shown = Pick<OperatorMailDetail, "replyTo" | "text" | "headers" | "attachments">

/** A mail of a stranger as the operator reads it: text alone, so that nothing in it runs or loads. */
export function readOperatorMail(raw: Uint8Array): Shown {
  const message = mimePartsOf(raw)
  const replyTo = message.header.get("reply-to") || message.header.get("from")
  return {
    ...(replyTo === "" ? {} : { replyTo: cutText(replyTo, 1_000) }),
    text: firstText(message),
    headers: message.header.fields.map(([name, value]) => ({ name, value: cutText(value, 16_000) })),
    attachments: attachmentsOf(message)
      .filter(({ filename }) => filename !== null)
      .map(({ filename, type }) => ({
        ...(filename === null ? {} : { filename: cutText(filename, nameCharsMax) }),
        contentType: type,
      })),
  }
}

function firstText(message: MimePart): string {
  const parts = partsOf(message).filter(({ parts }) => parts.length === 0)
  const part = parts.find(({ type }) => type === "text/plain") ?? parts.find(({ type }) => type === "text/html")
  return part ? cutText(textOf(part, textBytesMax), textBytesMax) : ""
}
