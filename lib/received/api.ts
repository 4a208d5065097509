import { z } from "zod"
import { addAudit } from "@/lib/access/audit/data"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { cursorPage, cursorMissing } from "@/lib/platform/http/cursors"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import { messageReply } from "@/lib/platform/download"
import { cursorQuery } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { encodeId } from "@/lib/platform/ids"
import { id, present, timestamp } from "@/lib/platform/schema"
import * as received from "@/lib/received/data"
import { receivedPayload } from "@/lib/received/event"
import { attachmentAt, attachmentsIn, headersOf, replyAddressOf, textsOf } from "@/lib/received/read-received"
import { findRouteRow } from "@/lib/received/routes/data"
import {
  receivedAttachmentMissing,
  ReceivedEmailDetail,
  ReceivedEmailPage,
  receivedMissing,
} from "@/lib/received/schema"

const path = { inboundId: { prefix: "inb", missing: receivedMissing } } as const
const reading = { tag: "Inbound", access: allow("inbound:read"), bucket: null, additive: true } as const

export const notDeliverable = problem(
  "received_email.no_webhook",
  409,
  "No webhook takes this email",
  "The route of the email has no webhook, or its webhook is disabled, does not subscribe to email.received, or filters the event out.",
)

export const listReceivedEmails = endpoint({
  route: "GET /v1/projects/{projectId}/inbound",
  operationId: "listReceivedEmails",
  summary: "List received emails",
  description: "What came by the project's inbound routes, newest first.",
  ...reading,
  query: {
    ...cursorQuery(),
    route: id("inr").optional().describe("Only what came by this route."),
    inReplyTo: id("email").optional().describe("Only what answers this email."),
    to: z.string().max(320).optional().describe("Only what came to this address."),
    from: timestamp.optional().describe("Start of the window."),
    until: timestamp.optional().describe("End of the window."),
  },
  answers: [200, ReceivedEmailPage],
  problems: [projectMissing, cursorMissing],

  run(scope, { query: { size, after, route, ...filter } }) {
    return cursorPage(
      `${scope.project.id}|received`,
      { size, ...(after !== undefined && { after }) },
      (email) => email.id,
      (position, count) => received.listReceived(scope, { ...filter, routeId: route }, position, count),
    )
  },
})

export const getReceivedEmail = endpoint({
  route: "GET /v1/projects/{projectId}/inbound/{inboundId}",
  operationId: "getReceivedEmail",
  summary: "Get received email",
  description:
    "With its text, what of it the person wrote, its headers, the names of its attachments, and its events to webhooks. Everything in it was written by a stranger: show text as text.",
  ...reading,
  path,
  answers: [200, ReceivedEmailDetail],
  problems: [projectMissing, receivedMissing],

  async run(scope, { path: { inboundId } }) {
    const [email, deliveries] = await Promise.all([
      received.findReceived(scope, inboundId),
      received.deliveriesOfReceived(scope, inboundId),
    ])
    if (!email) throw receivedMissing()
    const { raw, ...rest } = email
    const { isCut, ...texts } = textsOf(raw)
    return {
      ...rest,
      ...texts,
      textCut: isCut,
      replyTo: present(replyAddressOf(raw)),
      headers: headersOf(raw),
      attachments: attachmentsIn(raw).map(({ filename, ...attachment }) => ({
        ...attachment,
        ...(filename === null ? {} : { filename }),
      })),
      deliveries: deliveries.map(
        ({ id: deliveryId, webhookEndpointId, status, attemptCount, lastError, createdAt }) => ({
          ...{ id: deliveryId, webhookId: webhookEndpointId, status, attemptCount, lastError, createdAt },
        }),
      ),
    }
  },
})

export const getReceivedEmailRaw = endpoint({
  route: "GET /v1/projects/{projectId}/inbound/{inboundId}/raw",
  operationId: "getReceivedEmailRaw",
  summary: "Get received email as it arrived",
  description: "The message (RFC 5322), byte for byte.",
  ...reading,
  path,
  answers: [200, undefined, "message/rfc822"],
  problems: [projectMissing, receivedMissing],

  async run(scope, { path: { inboundId } }) {
    const raw = await received.findReceivedRaw(scope, inboundId)
    if (!raw) throw receivedMissing()
    return messageReply(raw)
  },
})

export const getReceivedAttachment = endpoint({
  route: "GET /v1/projects/{projectId}/inbound/{inboundId}/attachments/{number}",
  operationId: "getReceivedAttachment",
  summary: "Get attachment of a received email",
  description:
    "The decoded octets of one attachment, numbered from 1, to be saved: it is never shown as a page of this service, whatever its sender calls it.",
  ...reading,
  path,
  answers: [200, undefined, "application/octet-stream"],
  problems: [projectMissing, receivedMissing, receivedAttachmentMissing],
  example: { path: { number: "1" } },

  async run(scope, { path: { inboundId, number } }) {
    const raw = await received.findReceivedRaw(scope, inboundId)
    if (!raw) throw receivedMissing()
    const attachment = /^[1-9]\d{0,2}$/.test(number) ? attachmentAt(raw, Number(number)) : null
    if (!attachment) throw receivedAttachmentMissing()
    return new Reply(200, {
      stream: new Uint8Array(attachment.bytes),
      headers: {
        "Content-Type": "application/octet-stream",
        "Content-Disposition": dispositionOf(attachment.filename ?? `attachment-${number}`),
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "X-Content-Type-Options": "nosniff",
      },
    })
  },
})

export const deliverReceivedEmail = endpoint({
  route: "POST /v1/projects/{projectId}/inbound/{inboundId}/deliver",
  operationId: "deliverReceivedEmail",
  summary: "Deliver received email again",
  description: "Sends `email.received` to the webhook of the email's route again, with the same `webhook-id`.",
  tag: "Inbound",
  access: allow("inbound:write"),
  bucket: buckets.webhooks,
  additive: true,
  path,
  answers: [202],
  problems: [projectMissing, receivedMissing, notDeliverable],

  async run(scope, { path: { inboundId } }) {
    const email = await received.findReceived(scope, inboundId)
    if (!email) throw receivedMissing()
    const route = email.routeId === undefined ? null : await findRouteRow(scope, email.routeId)
    if (!route?.webhookId) throw notDeliverable()
    const payload = receivedPayload(email, scope.project.id)
    if (!(await received.deliverAgain(scope, inboundId, { webhookId: route.webhookId, payload })))
      throw notDeliverable()
    const target = encodeId("inb", inboundId)
    await addAudit(scope, { action: "received_email.delivered_again", target, name: email.subject })
  },
})

export const receivedOperations = [
  ...([
    listReceivedEmails,
    getReceivedEmail,
    getReceivedEmailRaw,
    getReceivedAttachment,
    deliverReceivedEmail,
  ] as const),
] as const

const nameCharsMax = 100

/** A name of plain characters (RFC 6266), so that neither direction marks nor a second extension hide what the file is. */
function dispositionOf(filename: string): string {
  const plain = filename.replace(/[^A-Za-z0-9._ -]/g, "_").replace(/^\.+/, "_")
  return `attachment; filename="${plain.slice(-nameCharsMax) || "attachment"}"`
}
