import { expect, it } from "vitest"
import { rateSentences } from "@/components/overview/rate-sentences"

const week = { sent: 5_442, delivered: 5_371, bounced: 65, complained: 4 }
const before = { sent: 4_947, delivered: 4_878, bounced: 69, complained: 2 }

it("says rates as sentences with the numbers of both weeks", () => {
  expect(rateSentences(week, before).map(({ text, detail }) => `${text}. ${detail}`)).toEqual([
    "5,442 emails sent. 10% more than the week before (4,947).",
    "987 in 1,000 delivered. 986 the week before.",
    "12 in 1,000 bounced. 14 the week before. Keep it below 20.",
    "0.7 in 1,000 complained. 4 people, 2 the week before. Keep it below 1.",
  ])
})

it("judges no rate on few emails, and compares with no week of few", () => {
  expect(rateSentences({ ...week, sent: 499 }, before)).toEqual([
    {
      text: "499 emails sent",
      detail: "90% less than the week before (4,947). Too few emails to judge rates.",
      tone: "text",
    },
  ])
  expect(rateSentences(week, { ...before, sent: 20 })[2]?.detail).toBe("Keep it below 20.")
})

it("is amber above a limit and red where providers act", () => {
  const tones = (bounced: number) => rateSentences({ ...week, bounced }, before)[2]?.tone
  expect([108, 109, 272, 273].map(tones)).toEqual(["text", "warn", "warn", "bad"])
})
