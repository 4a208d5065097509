import { expect, it } from "vitest"
import { emailFilters } from "@/components/emails/filters"
import { countedOf, sameCauseOf, waitingHref, waitingWords } from "@/components/emails/also-waiting"

type Recipient = Parameters<typeof sameCauseOf>[0]

const recipient = (address: string, outcome = "deferred") => ({ address, attempts: [{ outcome }] }) as Recipient

const tried = ["sending", "delivery_delayed"]

it("emails wait with those to the same domain, or with all where the relay refuses the region", () => {
  const from = "Shop <shop@harbor.example>"
  expect(sameCauseOf(recipient("jana@Acme.example"), from)).toEqual({ statuses: tried, domain: "acme.example" })
  expect(sameCauseOf(recipient("jana@acme.example", "region_fault"), from)).toEqual({ statuses: ["queued", ...tried] })
})

it("a domain that is also the sender's is no filter", () => {
  expect(sameCauseOf(recipient("jana@acme.example"), "Shop <shop@ACME.example>")).toBeNull()
})

const acme = { statuses: ["sending", "delivery_delayed"], domain: "acme.example" } as const
const all = { statuses: ["queued", ...acme.statuses] } as const

it("the address of the list holds its filters", () => {
  const { searchParams } = new URL(waitingHref("proj_1", acme), "http://localhost")
  expect(emailFilters.status.parse(searchParams.get("status") ?? "")).toEqual(tried)
  expect(searchParams.get("search")).toBe("@acme.example")
  expect(waitingHref("proj_1", all)).not.toContain("search")
})

it("what is counted goes back as far as an email can wait, and is the same question for an hour", () => {
  const at = Date.parse("2026-11-24T14:18:30Z")
  expect(countedOf(acme, at)).toEqual({ search: "@acme.example", after: "2026-11-21T14:00:00.000Z" })
  expect(countedOf(acme, at + 30 * 60_000)).toEqual(countedOf(acme, at))
  expect(countedOf(all, at)).toEqual({ after: "2026-11-21T14:00:00.000Z" })
})

it("the others are counted without the email itself, as a minimum if there may be more", () => {
  const counts = (delayed: number, complete = true) => ({
    ...{ total: 2_000, complete },
    statuses: [
      { status: "queued" as const, count: 5 },
      { status: "sending" as const, count: 1 },
      { status: "delivery_delayed" as const, count: delayed },
      { status: "delivered" as const, count: 700 },
    ],
  })
  expect(waitingWords(counts(8), "delivery_delayed", acme)).toBe("8 more waiting for acme.example")
  expect(waitingWords(counts(8), "bounced", all)).toBe("14 more waiting")
  expect(waitingWords(counts(1_000, false), "sending", acme)).toBe("1,000+ more waiting for acme.example")
  expect(waitingWords(counts(0), "sending", acme)).toBeNull()
})
