import { expect, it } from "vitest"
import { broadcastOf, testOf } from "@/components/compose/broadcast"
import { noFields } from "@/components/compose/fields"

const segment = "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
const fields = {
  ...noFields,
  ...{ from: "a@acme.test", to: segment, cc: "boss@x.example", subject: "News", html: "<p>News</p>", topicId: "top_1" },
  tracking: { ...noFields.tracking, openTracking: "on" as const, unsubscribeTracking: "off" as const },
}

it("a segment makes a broadcast, without copies and without a way to leave out the link to unsubscribe", () => {
  expect(broadcastOf(fields)).toEqual({
    from: "a@acme.test",
    to: [segment],
    subject: "News",
    html: "<p>News</p>",
    topicId: "top_1",
    trackingSettings: { openTracking: true },
  })
})

it("a test goes to one person alone and now, whatever the form says", () => {
  const body = testOf({ ...fields, when: "later", scheduledAt: "2030-01-01T09:00", testMode: true }, "me@acme.test")
  expect(body).toMatchObject({ to: ["me@acme.test"], html: "<p>News</p>" })
  for (const name of ["cc", "topicId", "scheduledAt", "testMode"]) expect(body).not.toHaveProperty(name)
})
