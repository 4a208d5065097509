import { expect, test } from "vitest"
import type { SegmentPreview } from "@/components/segments/queries"
import { audienceIn } from "@/components/compose/addresses"
import { askedOf, audienceCheck } from "@/components/compose/audience"
import { faultsOf } from "@/components/compose/faults"
import { noFields } from "@/components/compose/fields"

const id = "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
type Reason = SegmentPreview["excluded"][number]["reason"]

function preview(sendable: number, out: Partial<Record<Reason, number>> = {}): SegmentPreview {
  const excluded = (["unsubscribed", "suppressed", "no_opt_in"] as const).map((reason) => {
    const count = out[reason] ?? 0
    return { reason, count, sample: Array.from({ length: Math.min(5, count) }, (_, n) => `${reason}${n}@x.example`) }
  })
  return { count: sendable, exact: true, estimate: sendable, scanned: sendable, sample: [], sendable, excluded }
}

test("an id alone is an audience, an address or an id among others is none", () => {
  expect(audienceIn(` ${id}\n`)).toEqual(id)
  expect(audienceIn("ada@x.example")).toBe(null)
  expect(audienceIn(`${id}, ada@x.example`)).toBe(null)
  expect(audienceIn("seg_1")).toBe(null)
})

test("a chosen topic is asked for beside a segment, so that who does not get it is counted", () => {
  const [topic, other] = ["top_01k9q3f7c2e8m9v4x6y8z0a1b3", "top_01k9q3f7c2e8m9v4x6y8z0a1b4"]
  expect(askedOf(id, topic)).toEqual({ segmentId: id, topicId: topic })
  expect(askedOf(id, "")).toEqual({ segmentId: id })
  expect(askedOf(topic, other)).toEqual({ topicId: topic })
  expect(askedOf("ada@x.example", topic)).toBe(null)
})

test("nobody to send to stops sending now; by a later time, or where not all were counted, there may be somebody", () => {
  const sent = (when: "now" | "later", exact = true) => {
    const check = audienceCheck({ id, name: "Readers", preview: { ...preview(0), exact } }, when)
    return { tone: check.tone, stops: faultsOf(noFields, [check]).map(({ field, message }) => `${field}: ${message}`) }
  }
  const stops = ["to: No one in Readers can get email: It has no members."]
  expect(sent("now")).toEqual({ tone: "bad", stops })
  expect(sent("later")).toEqual({ tone: "warn", stops: [] })
  expect(sent("now", false)).toEqual({ tone: "warn", stops: [] })
})

test("says before sending who gets it, who is left out and why, and what stops it", () => {
  expect(audienceCheck({ id, name: "Readers", preview: preview(2) })).toMatchObject({
    tone: "good",
    title: "2 members of Readers",
  })
  expect(audienceCheck({ id, name: "Readers", preview: preview(1, { suppressed: 3, no_opt_in: 1 }) })).toMatchObject({
    tone: "warn",
    title: "1 member of Readers",
    detail: expect.stringContaining(
      "Excluded: 3 suppressed (suppressed0@x.example, suppressed1@x.example, …); 1 not opted in (no_opt_in0@x.example).",
    ),
  })
  expect(audienceCheck({ id, name: "Everybody", preview: { ...preview(50_000), exact: false } })).toMatchObject({
    tone: "good",
    title: "At least 50,000 members of Everybody",
  })
  expect(audienceCheck({ id, preview: preview(0) })).toMatchObject({ tone: "bad", detail: "It has no members." })
  expect(audienceCheck({ id, refused: "Names no segment of this project." })).toMatchObject({ tone: "bad" })
  expect(audienceCheck({ id })).toMatchObject({ tone: "wait" })
})
