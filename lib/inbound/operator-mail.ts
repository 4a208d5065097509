import { attachmentsOf, mimePartsOf, partsOf, textOf, type MimePart } from "@/lib/platform/mime/mime-parts"
import { cutText } from "@/lib/platform/format"
import type { OperatorMailDetail, operatorReasons } from "@/lib/inbound/schema"
import type { Door, ReturnedMail } from "@/lib/returns/returned-mail"

/** Why a mail is in the operator's mailbox. */
export type OperatorReason = (typeof operatorReasons)[number]

type Done = { door: Door; kind: ReturnedMail["kind"] | null; outcome: string }

/**
 * The reason for which a mail that was worked on is in the operator's mailbox: people wrote it to the service or to a return path, or
 * nobody could tell what it says or which email it is about. Null if it is not.
 */
export function operatorReasonOf({ door, kind, outcome }: Done): OperatorReason | null {
  if (outcome === "given_up") return "given_up"
  // Whose domain a report is about sees it there.
  if (door === "setup" || door === "reports" || outcome === "routed") return null
  const isOffice = door === "mailbox" || door === "feedback"
  if (outcome === "unknown" || outcome === "kept") {
    if (kind === "delivery_status" || kind === "feedback" || kind === "unsubscribe") return "unmatched"
    if (!isOffice) return kind === "unreadable" ? "unreadable" : null
    return "written"
  }
  if (outcome === "dropped") return isOffice ? "written" : null
  if (kind === "unreadable") return "unreadable"
  return kind === "personal" ? "answer" : null
}

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
