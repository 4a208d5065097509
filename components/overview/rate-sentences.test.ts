import { expect, it } from "vitest"
import { rateSentences } from "@/components/overview/volume"

const week = { sent: 5_442, delivered: 5_371, bounced: 65, complained: 4 }
const before = { sent: 4_947, delivered: 4_878, bounced: 69, complained: 2 }

it("says rates as sentences with the numbers of both weeks", () => {
  expect(rateSentences(week, before).map(({ text, detail }) => `${text}. ${detail}`)).toEqual([
    "5,442 emails sent. 10% more than the week before (4,947).",
    "987 in 1,000 delivered. 986 the week before.",
    "12 in 1,000 were hard bounces. 14 the week before. Keep it below 20.",
    "0.7 in 1,000 complained. 4 people, 2 the week before. Keep it below 1.",
  ])
})

it("judges no rate on few emails, and compares with no week of few", () => {
  expect(rateSentences({ ...week, sent: 199 }, before)).toEqual([
    {
      text: "199 emails sent",
      detail: "96% less than the week before (4,947). Too few emails to judge rates.",
      tone: "text",
    },
  ])
  expect(rateSentences(week, { ...before, sent: 20 })[2]?.detail).toBe("Keep it below 20.")
})

it("is amber above a limit and red where providers act", () => {
  const tones = (bounced: number) => rateSentences({ ...week, bounced }, before)[2]?.tone
  expect([108, 109, 272, 273].map(tones)).toEqual(["text", "warn", "warn", "bad"])
})

it("says where delivery is not reported instead of a rate of what is known, and takes complaints of what was sent", () => {
  const unreported = { ...week, delivered: 0, deliveryReported: false, deliveryNotReported: 5_377 }
  const texts = (now: typeof unreported) => rateSentences(now, before).map(({ text, detail }) => `${text}. ${detail}`)
  expect(texts(unreported).slice(1)).toEqual([
    "Delivery of 5,377 is not reported. A relay accepted them and reports nothing further.",
    "12 in 1,000 were hard bounces. 14 the week before. Keep it below 20.",
    "0.7 in 1,000 complained. 4 people, 2 the week before. Keep it below 1.",
  ])
  expect(texts({ ...unreported, delivered: 4_000, deliveryNotReported: 1_377 })[1]).toBe(
    "Delivery of 1,377 is not reported. A relay accepted them and reports nothing further. 4,000 others are known to be delivered.",
  )
  expect(texts({ ...unreported, delivered: 1, deliveryNotReported: 5_376 })[1]).toContain("1 other is known")
  // The week before had no reports: nothing to compare a rate of delivery with.
  expect(rateSentences(week, { ...before, deliveryReported: false })[1]?.detail).toBe("No week before to compare with.")
})
