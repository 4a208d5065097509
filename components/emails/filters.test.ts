import { expect, it } from "vitest"
import { utc } from "@/components/data/day-filters"
import {
  emailFilters,
  hasEmailFilters,
  moreCount,
  emailListQuery,
  type EmailFilters,
} from "@/components/emails/filters"

const none: EmailFilters = {
  page: 1,
  status: [],
  search: "",
  domain: "",
  topic: "",
  broadcast: "",
  tag: "",
  since: "",
  until: "",
  peek: "",
}

it("a day that the calendar does not have is no filter", () => {
  expect(["2026-02-30", "2026-13-01", "yesterday", ""].map((text) => emailFilters.since.parse(text))).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(emailFilters.since.parse("2028-02-29")).toBe("2028-02-29")
})

it("several statuses are one list in the address and in the request; what is no status is left out", () => {
  expect(emailFilters.status.parse("bounced,gone,failed")).toEqual(["bounced", "failed"])
  expect(emailFilters.status.parse("bounced")).toEqual(["bounced"])
  expect(emailListQuery({ ...none, status: ["bounced", "failed"] }, utc)).toMatchObject({ status: "bounced,failed" })
  expect(emailListQuery(none, utc)).not.toHaveProperty("status")
})

it("a range of days counts as one of the folded filters, and any filter filters", () => {
  expect(moreCount({ ...none, tag: "kind", since: "2026-11-01", until: "2026-11-02" })).toBe(2)
  expect(hasEmailFilters(none)).toBe(false)
  for (const one of [{ status: ["sent" as const] }, { search: "x" }, { until: "2026-11-02" }, { topic: "top_1" }]) {
    expect(hasEmailFilters({ ...none, ...one })).toBe(true)
  }
})
