import { expect, it } from "vitest"
import { emailStatuses } from "@/lib/emails/message-rules"
import { newsPollEvery, pollEvery, statuses, statusWords } from "@/components/emails/status"

it("every state of the API has a word, a tone, a meaning and advice", () => {
  expect(Object.keys(statuses).sort()).toEqual([...emailStatuses].sort())
  for (const { word, means, todo } of Object.values(statuses)) expect([word, means, todo].every(Boolean)).toBe(true)
})

it("waiting is never red, and a state that is not known is shown as it is", () => {
  for (const status of ["scheduled", "queued", "sending", "delivery_delayed"])
    expect(statusWords(status).tone).not.toBe("bad")
  expect(statusWords("teleported")).toMatchObject({ word: "teleported", tone: "wait" })
})

it("an email is polled every 2 seconds until its status is final", () => {
  const now = Date.parse("2026-11-21T14:00:00Z")
  expect(pollEvery({ status: "queued" }, [], now)).toBe(2_000)
  expect(pollEvery({ status: "delivered" }, [{ status: "sending" }], now)).toBe(2_000)
  expect(pollEvery({ status: "sent" }, [{ status: "delivery_delayed" }, { status: "sent" }], now)).toBe(10_000)
  expect(pollEvery({ status: "scheduled", scheduledAt: "2026-11-22T13:00:00Z" }, [{ status: "scheduled" }], now)).toBe(
    30_000,
  )
  for (const status of ["sent", "delivered", "bounced", "cancelled", "failed"])
    expect(pollEvery({ status }, [{ status }], now)).toBe(false)
})

it("an email that has left is asked about for an hour after its last event, less and less often", () => {
  const now = Date.parse("2026-11-21T14:00:00Z")
  const after = (ms: number, status = "delivered", recipients = [{ status }]) =>
    newsPollEvery({ status }, { recipients, events: [{ occurredAt: new Date(now - ms).toISOString() }] }, now)
  expect([0, 59_000, 61_000, 599_000, 601_000, 3_599_000].map((ms) => after(ms))).toEqual([
    3_000, 3_000, 15_000, 15_000, 60_000, 60_000,
  ])
  expect(after(3_600_000)).toBe(false)
  for (const status of ["bounced", "complained", "failed", "cancelled"]) expect(after(0, status)).toBe(false)
  expect(after(0, "bounced", [{ status: "bounced" }, { status: "sent" }])).toBe(3_000)
  expect(after(9_999_999, "queued")).toBe(2_000)
  expect(newsPollEvery({ status: "sent" }, { recipients: [], events: [] }, now)).toBe(false)
})
