import { describe, expect, test } from "vitest"
import { inEnvelope, sesEvent } from "@/e2e/support/inbound/ses-events"
import { newId } from "@/lib/platform/ids"
import { readSesEvent } from "@/lib/returns/ses-event"

const deliveryId = newId()
const read = (event: unknown) => readSesEvent(JSON.stringify(event), "mailroom-delivery")
const readOne = (event: unknown) => {
  const reading = read(event)
  if (reading.kind !== "event") throw new Error(`It was read as ${reading.kind}.`)
  return reading.event
}

describe("an event of SES", () => {
  test("is the same by itself and in the envelope of SNS, however often it comes", () => {
    const event = sesEvent("Bounce", { deliveryId })
    const alone = read(event)
    expect(readSesEvent(inEnvelope(event), "mailroom-delivery")).toEqual(alone)
    expect(readSesEvent(inEnvelope(event), "mailroom-delivery")).toEqual(alone)
    expect(readOne(sesEvent("Bounce", { deliveryId }, { feedbackId: "another" })).id).not.toBe(readOne(event).id)
    expect(readOne(sesEvent("Delivery", { deliveryId })).id).not.toBe(readOne(event).id)
  })

  test("is read by its type", () => {
    expect(readOne(sesEvent("Delivery", { deliveryId })).news).toEqual({ kind: "delivered" })
    expect(readOne(sesEvent("Bounce", { deliveryId })).news).toMatchObject({
      ...{ kind: "failed", bounceType: "Permanent", bounceSubType: "General" },
      recipients: [
        {
          address: "ada@lovelace.example",
          status: "5.1.1",
          diagnostic: { type: "smtp", text: "550 5.1.1 user unknown" },
          innermostReply: { code: 550, enhanced: "5.1.1" },
        },
      ],
    })
    expect(readOne(sesEvent("DeliveryDelay", { deliveryId })).news).toMatchObject({
      kind: "delayed",
      recipients: [{ status: "4.2.2" }],
    })
    expect(readOne(sesEvent("Complaint", { deliveryId })).news).toEqual({
      ...{ kind: "complained", feedbackType: "abuse", isSuppressed: false },
    })
    expect(readOne(sesEvent("Reject", { deliveryId })).news).toMatchObject({ kind: "not_sent", why: "rejected" })
    expect(readOne(sesEvent("Rendering Failure", { deliveryId })).news).toMatchObject({ why: "rendering_failure" })
  })

  test.each(["Send", "Open", "Click", "Subscription"])("of the type %s says nothing of the delivery", (type) => {
    expect(read(sesEvent(type, { deliveryId }))).toEqual({ kind: "ignored", type })
  })

  test("is also a notification of an identity, which has no tag of ours", () => {
    const { eventType, mail, ...rest } = sesEvent("Bounce", { deliveryId })
    const event = readOne({ notificationType: eventType, mail: { messageId: mail.messageId }, ...rest })
    expect(event).toMatchObject({ type: "Bounce", tag: "" })
  })

  test.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["another text", '"Bounce"'],
    ["no mail", '{"eventType":"Bounce"}'],
    ["an envelope without an event", inEnvelope("hello")],
    ["a list in the place of a text", '{"eventType":["Bounce"],"mail":{"messageId":"1"}}'],
    ["a deep document", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
  ])("is not %s", (_, body) => {
    expect(readSesEvent(body, "mailroom-delivery")).toEqual({ kind: "unreadable" })
  })

  test("is bounded: long texts are cut, control characters go, and of many recipients the first count", () => {
    const bouncedRecipients = Array.from({ length: 5_000 }, () => ({
      emailAddress: "ada@lovelace.example",
      status: "5.1.1",
      diagnosticCode: `smtp; 550 5.1.1 \u0000${"x".repeat(10_000)}`,
    }))
    const { news } = readOne(sesEvent("Bounce", { deliveryId }, { bouncedRecipients }))
    expect(news).toMatchObject({ kind: "failed" })
    if (news.kind !== "failed") return
    expect(news.recipients).toHaveLength(50)
    expect(news.recipients[0]?.diagnostic?.text.length).toBeLessThanOrEqual(1_000)
    expect(news.recipients[0]?.diagnostic?.text).not.toContain("\u0000")
  })
})
