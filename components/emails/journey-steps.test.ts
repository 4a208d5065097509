import { expect, it } from "vitest"
import { journeyAnswer, comingOf, duration, endOf, journeyOf } from "@/components/emails/journey"
import type { Email, Explanation } from "@/components/emails/queries"

const moment = (ms: number) => new Date(Date.UTC(2026, 10, 24, 14, 2, 10, ms)).toISOString()
const email: Email = {
  id: "email_1",
  status: "delivered",
  from: "Shop <orders@harborpine.test>",
  to: ["ada@b.example"],
  subject: "Hi",
  testMode: false,
  createdAt: moment(114),
}
const event = (type: string, ms: number) => ({
  id: `evt_${type}`,
  type,
  occurredAt: moment(ms),
  createdAt: moment(ms),
})
const explanation: Explanation = {
  emailId: "email_1",
  status: "delivered",
  severity: "none",
  cause: "It was delivered.",
  fix: "Nothing to do.",
  acceptedWith: { keyId: "key_1", name: "Shop production" },
  signedAt: moment(201),
  events: [event("queued", 114), event("delivered", 398), event("opened", 900)],
  recipients: [
    {
      id: "dlv_1",
      role: "to",
      address: "ada@b.example",
      status: "delivered",
      severity: "none",
      cause: "It was delivered.",
      fix: "Nothing to do.",
      decisions: [],
      attempts: [
        {
          id: "att_1",
          attempt: 1,
          outcome: "accepted",
          remote: "mx.b.example:25",
          tls: "TLSv1.3",
          startedAt: moment(244),
          endedAt: moment(398),
        },
      ],
    },
  ],
  webhookDeliveries: [
    {
      id: "whd_1",
      projectId: "proj_1",
      webhookEndpointId: "whk_1",
      eventType: "email.delivered",
      status: "success",
      attemptCount: 1,
      lastStatusCode: 200,
      createdAt: moment(400),
      updatedAt: moment(489),
    },
  ],
}

it("the way of an email leads from its key over signature, hand-over and delivery to the webhook and the reader", () => {
  const steps = journeyOf(email, explanation)
  expect(steps.map(({ title, at, link }) => [title, Date.parse(at) - Date.parse(moment(0)), link?.path])).toEqual([
    ["Accepted", 114, "api-keys/key_1"],
    ["Signed", 201, undefined],
    ["Handed over", 244, undefined],
    ["Delivered", 398, undefined],
    ["Webhook delivered", 489, "webhooks/whk_1"],
    ["Opened by a person", 900, undefined],
  ])
  expect(steps[1]?.detail).toBe("DKIM for harborpine.test")
})

it("the answer counts from acceptance to the end, and an email that waits names its next attempt", () => {
  expect(journeyAnswer(email, explanation)).toBe("Delivered in 284 ms")
  expect(journeyAnswer(email, { ...explanation, status: "clicked" })).toBe("Delivered in 284 ms")
  expect(journeyAnswer({ ...email, scheduledAt: moment(0) }, explanation)).toBe("Delivered")
  const recipients = explanation.recipients.map((recipient) => ({ ...recipient, nextAttemptAt: moment(0) }))
  expect(journeyAnswer(email, { ...explanation, status: "delivery_delayed", recipients })).toBe("Waiting for attempt 2")
  expect(journeyAnswer(email, { ...explanation, status: "queued" })).toBe("What happened")
  expect(journeyAnswer(email, { ...explanation, status: "suppressed" })).toBe("Not sent")
})

it("names what is still to come: the next attempt, or the time of a scheduled email", () => {
  const recipients = explanation.recipients.map((recipient) => ({ ...recipient, nextAttemptAt: moment(900) }))
  expect(comingOf(email, { ...explanation, recipients })).toEqual({ title: "Attempt 2", at: moment(900) })
  expect(comingOf({ ...email, status: "scheduled", scheduledAt: moment(5) }, explanation)).toEqual({
    title: "Sent",
    at: moment(5),
  })
  expect(comingOf(email, explanation)).toEqual({ title: "More to come" })
})

it("durations are of at most two units", () => {
  expect([0, 284, 1_234, 59_600, 142_000, 3_600_000, 11_100_000, 187_200_000].map(duration)).toEqual([
    "0 ms",
    "284 ms",
    "1.2 s",
    "1 min",
    "2 min 22 s",
    "1 h",
    "3 h 5 min",
    "2 d 4 h",
  ])
})

it("ends where the relay reports nothing further, and only there", () => {
  const [recipient] = explanation.recipients
  if (!recipient) return expect.fail("no recipient")
  const sent = { ...explanation, status: "sent", recipients: [{ ...recipient, status: "sent" }] } as Explanation
  expect(journeyAnswer({ ...email, status: "sent" }, sent)).toBe("Sent, delivery not reported")
  expect(endOf(sent)).toEqual({
    title: "The relay reports nothing further",
    detail: "If a server refuses the email later, the bounce comes back by mail.",
  })
  expect(endOf(explanation)).toBeUndefined()
})
