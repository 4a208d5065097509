import { describe, expect, test } from "vitest"
import { sesEvent } from "@/e2e/support/inbound/ses-events"
import type { ReturnedDelivery } from "@/lib/delivery/queue/feedback/data"
import { effectOfEvent } from "@/lib/inbound/ses/effect"
import { newId } from "@/lib/platform/ids"
import { readSesEvent } from "@/lib/returns/ses-event"

const deliveryId = newId()

function effect(type: string, details: Record<string, unknown> = {}, status: ReturnedDelivery["status"] = "sent") {
  const reading = readSesEvent(JSON.stringify(sesEvent(type, { deliveryId }, details)), "mailroom-delivery")
  if (reading.kind !== "event") throw new Error(`It was read as ${reading.kind}.`)
  const delivery = { id: deliveryId, address: "Ada@lovelace.example", status, isDelayed: false } as ReturnedDelivery
  return effectOfEvent(reading.event.news, delivery)
}

const bounce = (bounceType: string, bounceSubType: string, diagnosticCode = "", status = "5.1.1") =>
  effect("Bounce", {
    bounceType,
    bounceSubType,
    bouncedRecipients: [{ emailAddress: "ada@lovelace.example", status, diagnosticCode }],
  })

describe("a bounce of SES is classed by the words of the last server, and SES's type makes it only milder", () => {
  const unknown = "smtp; 550 5.1.1 user unknown"
  test.each([
    ["Permanent", "General", unknown, "hard"],
    ["Permanent", "General", "smtp; 550 5.7.1 Message rejected due to local policy", "block"],
    ["Permanent", "General", "smtp; 550 5.1.1 Your IP address is on a block list", "block"],
    ["Permanent", "General", "", "soft"],
    ["Permanent", "NoEmail", "", "soft"],
    [
      "Permanent",
      "Suppressed",
      "Amazon SES has suppressed sending to this address because it has a recent history of bouncing as an invalid address",
      "block",
    ],
    ["Permanent", "OnAccountSuppressionList", unknown, "block"],
    ["Permanent", "UnsubscribedRecipient", unknown, "block"],
    ["Transient", "General", unknown, "soft"],
    ["Transient", "MailboxFull", "smtp; 552 5.2.2 mailbox full", "soft"],
    ["Transient", "MessageTooLarge", "", "content"],
    ["Transient", "ContentRejected", "", "content"],
    ["Transient", "AttachmentRejected", "", "content"],
    ["Undetermined", "Undetermined", unknown, "block"],
    ["Undetermined", "Undetermined", "", "block"],
  ])("%s %s with “%s” is %s", (type, subType, words, expected) => {
    expect(bounce(type, subType, words)).toMatchObject({ kind: "bounced", bounceType: expected })
  })

  test("without a status or a reason is an automatic answer where SES calls it Transient and General", () => {
    expect(bounce("Transient", "General", "", ""), "an out-of-office reply").toEqual({
      ...{ kind: "noted", note: "automatic_answer" },
    })
    expect(bounce("Transient", "General", "", "4.4.7"), "with a status").toMatchObject({ bounceType: "soft" })
    expect(bounce("Transient", "General", "smtp; 451 later", ""), "with a reason").toMatchObject({ bounceType: "soft" })
    expect(bounce("Transient", "MailboxFull", "", ""), "with a reason of SES").toMatchObject({ bounceType: "soft" })
  })

  test("what SES has not sent is our content or our fault", () => {
    expect(effect("Reject")).toMatchObject({ kind: "bounced", bounceType: "content" })
    expect(effect("Rendering Failure")).toMatchObject({ kind: "bounced", bounceType: "ours" })
    expect(effect("Complaint", { complaintSubType: "OnAccountSuppressionList" })).toMatchObject({
      ...{ kind: "bounced", bounceType: "block" },
    })
  })

  test("a bounce of somebody else changes nothing", () => {
    const bouncedRecipients = [
      { emailAddress: "eve@elsewhere.example", status: "5.1.1", diagnosticCode: unknown },
      { emailAddress: "mallory@elsewhere.example", status: "5.1.1", diagnosticCode: unknown },
    ]
    expect(effect("Bounce", { bouncedRecipients })).toEqual({ kind: "noted", note: "about_another_recipient" })
  })
})

test.each([
  ["Complaint", { complaintFeedbackType: "abuse" }, "complained"],
  ["Complaint", { complaintFeedbackType: null }, "complained"],
  ["Complaint", { complaintFeedbackType: "not-spam" }, "noted"],
  ["Complaint", { complaintFeedbackType: "auth-failure" }, "noted"],
  ["DeliveryDelay", {}, "delayed"],
  ["Delivery", {}, "delivered"],
])("%s %j of a sent email is %s", (type, details, kind) => {
  expect(effect(type, details).kind).toBe(kind)
})

test.each(["queued", "sending", "delivery_delayed"] as const)(
  "whatever comes before our own record of the hand-over waits: %s",
  (status) => {
    for (const type of ["Delivery", "Bounce", "Complaint", "DeliveryDelay", "Reject"])
      expect(effect(type, {}, status), type).toEqual({ kind: "early" })
  },
)

test("an email whose outcome nobody knew has the one that SES reports", () => {
  expect(effect("Delivery", {}, "indeterminate")).toEqual({ kind: "delivered" })
  expect(effect("Bounce", {}, "indeterminate").kind).toBe("bounced")
})

test("after a human open a bounce is noted", () => {
  expect(effect("Bounce", {}, "opened")).toMatchObject({ kind: "noted", note: "after_open" })
})
