import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  aggregateStatus,
  type EmailStatus,
  emailStatuses,
  isSettled,
  rankOf,
  statusAfter,
  statusBetweenAttempts,
} from "@/lib/delivery/queue/rules"

const status = fc.constantFrom(...emailStatuses)
const fold = (news: readonly EmailStatus[], from: EmailStatus = "queued") => news.reduce(statusAfter, from)

describe("nextStatus", () => {
  it.each<[EmailStatus, EmailStatus, EmailStatus]>([
    ["scheduled", "queued", "queued"],
    ["queued", "sending", "sending"],
    ["sending", "queued", "sending"],
    ["delivery_delayed", "sending", "delivery_delayed"],
    ["sent", "delivery_delayed", "sent"],
    ["delivered", "complained", "complained"],
    ["complained", "clicked", "complained"],
    ["complained", "bounced", "complained"],
    ["opened", "bounced", "opened"],
    ["delivered", "bounced", "bounced"],
    ["sent", "bounced", "bounced"],
    ["bounced", "delivered", "bounced"],
    ["sent", "failed", "sent"],
    ["sent", "cancelled", "sent"],
    ["sent", "indeterminate", "sent"],
    ["sending", "failed", "failed"],
    ["scheduled", "cancelled", "cancelled"],
    ["cancelled", "sending", "cancelled"],
    ["queued", "suppressed", "suppressed"],
    ["queued", "test", "test"],
    ["delivery_delayed", "indeterminate", "indeterminate"],
    ["indeterminate", "sent", "sent"],
    ["indeterminate", "bounced", "bounced"],
    ["indeterminate", "sending", "sending"],
    ["indeterminate", "queued", "indeterminate"],
  ])("%s, then the news %s: %s", (current, news, expected) => {
    expect(statusAfter(current, news)).toBe(expected)
  })

  it("never goes down in rank, and never leaves an end", () => {
    fc.assert(
      fc.property(status, status, (current, news) => {
        const next = statusAfter(current, news)
        if (current === "indeterminate") return
        const before = rankOf(current)
        const after = rankOf(next)
        if (before === null) expect(next).toBe(current)
        else if (after !== null) expect(after).toBeGreaterThanOrEqual(before)
        else expect([current, next]).not.toContain("complained")
      }),
    )
  })

  it("takes the same news twice as once", () => {
    fc.assert(
      fc.property(status, status, (current, news) => {
        const once = statusAfter(current, news)
        expect(statusAfter(once, news)).toBe(once)
      }),
    )
  })

  it("ends the same in whatever order providers tell how far a mail came", () => {
    const climbs = ["sending", "delivery_delayed", "sent", "delivered", "opened", "clicked", "complained"] as const
    fc.assert(
      fc.property(fc.shuffledSubarray([...climbs]), fc.shuffledSubarray([...climbs]), (some, others) => {
        const shuffled = [...others, ...some]
        const sorted = shuffled.toSorted((a, b) => climbs.indexOf(a) - climbs.indexOf(b))
        expect(fold(shuffled)).toBe(fold(sorted))
      }),
    )
  })

  it("ends in bounced in whatever order sent, delivered and bounced come", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(["sent", "delivered", "bounced"] as const, { minLength: 3 }), (news) => {
        expect(fold(news)).toBe("bounced")
      }),
    )
  })

  it("lets any later news resolve an unknown outcome", () => {
    fc.assert(
      fc.property(status, (news) => {
        const resolved = statusAfter("indeterminate", news)
        if (news === "scheduled" || news === "queued") expect(resolved).toBe("indeterminate")
        else expect(resolved).toBe(news)
      }),
    )
  })
})

describe("aggregateStatus", () => {
  it.each<[EmailStatus[], EmailStatus]>([
    [["sent", "queued", "delivered"], "queued"],
    [["sent", "bounced"], "sent"],
    [["delivered", "bounced"], "delivered"],
    [["delivered", "clicked", "suppressed"], "clicked"],
    [["delivered", "complained"], "complained"],
    [["bounced", "failed"], "bounced"],
    [["suppressed", "failed"], "failed"],
    [["suppressed", "rejected"], "rejected"],
    [["suppressed", "suppressed"], "suppressed"],
    [["delivered", "indeterminate"], "indeterminate"],
    [["sending", "indeterminate"], "sending"],
    [["test"], "test"],
    [["cancelled", "cancelled"], "cancelled"],
    [[], "queued"],
  ])("%j together are %s", (deliveries, expected) => {
    expect(aggregateStatus(deliveries)).toBe(expected)
  })

  it("is the status itself for one recipient, and does not depend on the order of several", () => {
    fc.assert(
      fc.property(fc.array(status, { minLength: 1, maxLength: 8 }), (deliveries) => {
        expect(aggregateStatus([...deliveries].reverse())).toBe(aggregateStatus(deliveries))
        expect(deliveries).toContain(aggregateStatus(deliveries))
        for (const only of deliveries) expect(aggregateStatus([only])).toBe(only)
      }),
    )
  })

  it("is never settled while a recipient still waits", () => {
    fc.assert(
      fc.property(fc.array(status, { minLength: 1, maxLength: 8 }), (deliveries) => {
        if (deliveries.every(isSettled)) expect(isSettled(aggregateStatus(deliveries))).toBe(true)
        else expect(isSettled(aggregateStatus(deliveries))).toBe(false)
      }),
    )
  })
})

it("calls a waiting mail delayed from 20 minutes on", () => {
  expect([0, 1_199, 1_200, 90_000].map(statusBetweenAttempts)).toEqual([
    "sending",
    "sending",
    "delivery_delayed",
    "delivery_delayed",
  ])
})
