import { createHash } from "node:crypto"
import { z } from "zod"
import { cutText } from "@/lib/platform/format"
import { bareAddress, diagnosticIn, flatOf, innermostReply } from "@/lib/returns/delivery-status"
import type { ReturnedRecipient } from "@/lib/returns/returned-mail"

/** What Amazon SES reports of one email, which it sends to one recipient. Texts are cut and hold no control characters. */
export type SesEvent = {
  /** Made of what the event says, so that it is the same however often and by whatever way it comes. */
  id: string
  /** As SES names it. */
  type: string
  /** Of the tag that we gave the email; empty if it has none. */
  tag: string
  at: Date | null
  news: SesNews
}

export type SesNews =
  | { kind: "delivered" }
  | { kind: "delayed"; recipients: ReturnedRecipient[] }
  | { kind: "failed"; recipients: ReturnedRecipient[]; bounceType: string; bounceSubType: string }
  /** SES has not sent it: it found a virus, or could not make the message. */
  | { kind: "not_sent"; why: "rejected" | "rendering_failure"; text: string }
  /** `isSuppressed`: SES has not sent it, because the recipient complained before. */
  | { kind: "complained"; feedbackType: string; isSuppressed: boolean }

/** `ignored`: an event of a type that says nothing about the delivery, such as Send and Open. */
export type SesReading = { kind: "event"; event: SesEvent } | { kind: "ignored"; type: string } | { kind: "unreadable" }

const textCharsMax = 1_000
const recipientsMax = 50

const recipient = z.object({
  emailAddress: z.string().default(""),
  status: z.string().default(""),
  diagnosticCode: z.string().default(""),
})
const time = z.string().default("")

const Envelope = z.object({ Type: z.literal("Notification"), Message: z.string() })

const Event = z.object({
  eventType: z.string().optional(),
  /** The name of the type in notifications of an identity. */
  notificationType: z.string().optional(),
  mail: z.object({
    messageId: z.string(),
    tags: z.record(z.string(), z.array(z.string())).default({}),
  }),
  delivery: z.object({ timestamp: time }).optional(),
  deliveryDelay: z.object({ timestamp: time, delayedRecipients: z.array(recipient).default([]) }).optional(),
  bounce: z
    .object({
      timestamp: time,
      feedbackId: z.string().default(""),
      bounceType: z.string().default(""),
      bounceSubType: z.string().default(""),
      bouncedRecipients: z.array(recipient).default([]),
    })
    .optional(),
  complaint: z
    .object({
      timestamp: time,
      feedbackId: z.string().default(""),
      complaintSubType: z.string().nullish(),
      complaintFeedbackType: z.string().nullish(),
    })
    .optional(),
  reject: z.object({ reason: z.string().default("") }).optional(),
  failure: z.object({ errorMessage: z.string().default("") }).optional(),
})
type Event = z.infer<typeof Event>

/** Reads the body of a message from SQS: an event as SES writes it (raw delivery), or in the envelope of SNS. `tagName` is that of our tag. */
export function readSesEvent(body: string, tagName: string): SesReading {
  const outer = parsed(body)
  const envelope = Envelope.safeParse(outer)
  const read = Event.safeParse(envelope.success ? parsed(envelope.data.Message) : outer)
  if (!read.success) return { kind: "unreadable" }
  const { data: event } = read
  const type = cutText(flatOf(event.eventType ?? event.notificationType ?? ""), 50)
  const found = newsOf(type, event)
  if (!found) return { kind: "ignored", type }
  const { news, time: at, distinct = "" } = found
  const id = createHash("sha256")
    .update(JSON.stringify([event.mail.messageId, type, at, distinct]))
    .digest("base64url")
  return {
    kind: "event",
    event: { id, type, tag: event.mail.tags[tagName]?.[0] ?? "", at: dateOf(at), news },
  }
}

type Found = { news: SesNews; time: string; distinct?: string }

function newsOf(type: string, { delivery, deliveryDelay, bounce, complaint, reject, failure }: Event): Found | null {
  switch (type) {
    case "Delivery":
      return delivery ? { news: { kind: "delivered" }, time: delivery.timestamp } : null
    case "DeliveryDelay":
      if (!deliveryDelay) return null
      return {
        news: { kind: "delayed", recipients: recipientsOf(deliveryDelay.delayedRecipients, "delayed") },
        time: deliveryDelay.timestamp,
      }
    case "Bounce": {
      if (!bounce) return null
      const { bounceType, bounceSubType, bouncedRecipients, timestamp, feedbackId } = bounce
      return {
        news: { kind: "failed", recipients: recipientsOf(bouncedRecipients, "failed"), bounceType, bounceSubType },
        time: timestamp,
        distinct: feedbackId,
      }
    }
    case "Complaint": {
      if (!complaint) return null
      const { complaintFeedbackType, complaintSubType, timestamp, feedbackId } = complaint
      return {
        news: {
          kind: "complained",
          feedbackType: complaintFeedbackType ?? "",
          isSuppressed: complaintSubType === "OnAccountSuppressionList",
        },
        time: timestamp,
        distinct: feedbackId,
      }
    }
    case "Reject":
      return { news: { kind: "not_sent", why: "rejected", text: textOf(reject?.reason) }, time: "" }
    case "Rendering Failure":
      return { news: { kind: "not_sent", why: "rendering_failure", text: textOf(failure?.errorMessage) }, time: "" }
    default:
      return null
  }
}

function recipientsOf(given: z.infer<typeof recipient>[], action: "failed" | "delayed"): ReturnedRecipient[] {
  return given.slice(0, recipientsMax).map(({ emailAddress, status, diagnosticCode }) => {
    const address = bareAddress(emailAddress)
    const diagnostic = diagnosticIn(diagnosticCode)
    return {
      address,
      addresses: address === null ? [] : [address],
      action,
      status: /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(status)?.[0] ?? null,
      diagnostic,
      innermostReply: diagnostic && innermostReply(diagnostic.text),
      remoteMta: null,
    }
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textOf(text = ""): string {
  return cutText(flatOf(text), textCharsMax)
}

function dateOf(text: string): Date | null {
  const date = new Date(text)
  return text === "" || Number.isNaN(date.getTime()) ? null : date
}
