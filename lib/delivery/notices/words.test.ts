import { expect, test } from "vitest"
import { noticeWords } from "@/lib/delivery/notices/words"

test("each notice names what it is about, what was seen, what to do, and its page", () => {
  const [region, address] = ["eu-west-1", "203.0.113.6"]
  const found = { code: "missing" as const, expected: ["203.0.113.6 PTR out1.mail.example"], found: [] }
  const lead = { code: "clock_lead" as const, facts: { ms: 6_000 } }
  expect(
    noticeWords({ kind: "setup_row_red", facts: { key: "clock", code: "clock_differs", expected: [], found: [lead] } }),
  ).toMatchObject({ message: expect.stringContaining("Found 6.0 s ahead.") })
  expect(
    noticeWords({ kind: "setup_row_red", facts: { key: "reverse_name", region, address, ...found } }),
  ).toMatchObject({
    title: "Wrong: Reverse DNS of 203.0.113.6",
    message: "There is no such record. Expected 203.0.113.6 PTR out1.mail.example. Found nothing.",
    fix: expect.stringContaining("reverse DNS (PTR)"),
    page: "sending",
  })
  const block = { queueId: 7, region, address, destination: "Outlook.com", reply: "5.7.1 blocked" }
  expect(noticeWords({ kind: "address_blocked", facts: block })).toMatchObject({
    title: "Outlook.com refuses 203.0.113.6",
    message: "Its servers said: 5.7.1 blocked",
    page: "destinations/7",
  })
  const counts = { sent: 900, deferred: 0, bounced: 18, complained: 0 }
  expect(noticeWords({ kind: "warm_up_repeats", facts: { region, address, day: 3, ...counts } })).toMatchObject({
    title: "Day 3 of the warm-up of 203.0.113.6 is repeated",
    message: "Of 900 emails 0 were deferred, 18 bounced and 0 were complained about.",
    fix: expect.stringContaining("less than 5 % deferred, 2 % bounced and 0.1 % complained about"),
    page: "addresses",
  })
})
