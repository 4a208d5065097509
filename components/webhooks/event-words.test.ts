import { expect, test } from "vitest"
import { offeredEvents, usualEvents } from "@/components/webhooks/event-words"

test("a new webhook gets what is known of an email, and no delivery that nobody reports", () => {
  for (const delivered of ["accept", "dsn", "events"]) expect(usualEvents(delivered)).toContain("email.delivered")
  expect(usualEvents("never")).toEqual(["email.sent", "email.bounced", "email.complained"])
  expect(usualEvents("never").every((type) => offeredEvents.includes(type))).toBe(true)
})
