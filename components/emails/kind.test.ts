import { expect, test } from "vitest"
import { sampleFields } from "@/components/emails/curl"
import type { Email } from "@/components/emails/queries"

const receipt: Email = {
  id: "email_x",
  status: "sent",
  from: "a@acme.test",
  to: ["ada@x.example"],
  subject: "Hello",
  testMode: false,
  createdAt: "2026-01-01T03:04:00.000Z",
  sendTimeCategory: "transactional",
  trackingSettings: { unsubscribeTracking: false },
}
const on = { unsubscribeTracking: true }

test("a receipt says nothing of its kind, a newsletter its topic and category, and neither what follows from them", () => {
  expect(sampleFields(receipt)).toEqual({})
  expect(sampleFields({ ...receipt, topicId: "top_x", sendTimeCategory: "digest", trackingSettings: on })).toEqual({
    topicId: "top_x",
    sendTimeCategory: "digest",
  })
})

test("whether it can be unsubscribed from is said where topic and category do not say it, as in mail to a segment", () => {
  expect(sampleFields({ ...receipt, trackingSettings: { openTracking: true, ...on } })).toEqual({
    trackingSettings: { openTracking: true, ...on },
  })
  expect(sampleFields({ ...receipt, sendTimeCategory: "marketing" })).toEqual({
    sendTimeCategory: "marketing",
    trackingSettings: { unsubscribeTracking: false },
  })
  expect(sampleFields({ ...receipt, cc: ["b@x.example"], sendTimeCategory: "marketing" })).toEqual({
    sendTimeCategory: "marketing",
  })
})
