import { expect, it } from "vitest"
import { emptyLog, eventsMax, filtered, reduceLog, parseEvent, type StreamEvent } from "@/components/stream/events"

const event = (n: number, over: Partial<StreamEvent> = {}): StreamEvent => ({
  id: `evt_${n}`,
  type: "sent",
  emailId: "email_1",
  occurredAt: "2026-11-21T14:02:10.000Z",
  data: { to: `user${n}@b.example` },
  ...over,
})
const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => event(from + index))

it("the list never holds more than its bound, and keeps the newest", () => {
  const log = reduceLog(reduceLog(emptyLog, { do: "receive", events: many(0, eventsMax) }), {
    do: "receive",
    events: many(eventsMax, 5),
  })
  expect(log.shown).toHaveLength(eventsMax)
  expect(log.shown[0]?.id).toBe("evt_5")
  expect(log.shown.at(-1)?.id).toEqual(`evt_${eventsMax + 4}`)
  expect(log.total).toBe(eventsMax + 5)
})

it("what arrives while paused waits, is counted, and is shown in its order when resumed", () => {
  let log = reduceLog(emptyLog, { do: "receive", events: [event(1)] })
  log = reduceLog(log, { do: "pause" })
  log = reduceLog(log, { do: "receive", events: [event(2), event(3)] })
  expect({ shownCount: log.shown.length, waitingCount: log.waiting.length }).toEqual({ shownCount: 1, waitingCount: 2 })
  log = reduceLog(log, { do: "resume" })
  expect(log.shown.map(({ id }) => id)).toEqual(["evt_1", "evt_2", "evt_3"])
  expect(log.waiting).toEqual([])
})

it("a long pause is bounded too, and still tells how many have come", () => {
  const paused = reduceLog(emptyLog, { do: "pause" })
  const log = reduceLog(paused, { do: "receive", events: many(0, eventsMax + 7) })
  expect({ waitingCount: log.waiting.length, missed: log.missed }).toEqual({
    waitingCount: eventsMax,
    missed: eventsMax + 7,
  })
  expect(reduceLog(log, { do: "resume" })).toMatchObject({ missed: 0, total: eventsMax + 7 })
})

it("events from before the page was connected come first, are not counted as received, and go first", () => {
  let log = reduceLog(emptyLog, { do: "recall", events: many(0, 3) })
  log = reduceLog(log, { do: "receive", events: many(3, 2) })
  expect({ before: log.before, shownCount: log.shown.length, total: log.total }).toEqual({
    before: 3,
    shownCount: 5,
    total: 2,
  })
  log = reduceLog(log, { do: "receive", events: many(5, eventsMax - 4) })
  expect({ before: log.before, shownCount: log.shown.length }).toEqual({ before: 2, shownCount: eventsMax })
})

it("a filter takes the types and a part of address or subject in any case", () => {
  const events = [event(1), event(2, { type: "bounced" }), event(3, { data: { to: "Ada@B.example" } })]
  expect(filtered(events, ["bounced"], "").map(({ id }) => id)).toEqual(["evt_2"])
  expect(filtered(events, [], "ADA@").map(({ id }) => id)).toEqual(["evt_3"])
  expect(filtered(events, [], "")).toBe(events)
})

it("a line that is no event is skipped", () => {
  for (const line of ["", "{", "null", '"x"', "{}", '{"id":"evt_1","type":"sent"}']) expect(parseEvent(line)).toBeNull()
  expect(parseEvent(JSON.stringify(event(1)))).toEqual(event(1))
})
