import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { ReadDelivery } from "@/lib/delivery/queue/feedback/data"
import { type EmailEngagement, type Hit, humanEventsMax, judgeHit, machineEventsMax } from "@/lib/tracking/hits/rules"
import { person } from "@/e2e/support/reader"

const sentAt = new Date("2026-11-22T10:00:00Z")
const delivery: ReadDelivery = {
  ...{ id: "d", projectId: "p", emailId: "e", topicId: null, subject: "Hello", sentAt },
  ...{ address: "ada@x.example", canonical: "ada@x.example", status: "delivered", emailStatus: "delivered" },
}
const fresh: EmailEngagement = {
  ...{
    humanEvents: 0,
    humanClicks: 0,
    machineEvents: 0,
    readings: [],
    readMs: null,
    readAt: null,
    engagedAt: null,
    userAgent: null,
  },
}
const urls = ["https://a.test/", "https://b.test/", "https://c.test/", "https://d.test/"]

let serial = 0
function hit(kind: Hit["kind"], seconds: number, more: Partial<Hit> = {}): Hit {
  const at = new Date(sentAt.getTime() + seconds * 1_000)
  const common = { number: 0, client: "phone", userAgent: person, head: false, heldMs: null }
  return { id: `${++serial}`, kind, at, ...common, ...more }
}

/** `earlier`: those of the requests around that are judged. */
const judged = (
  due: Hit[],
  { engagement = fresh, around = due, earlier = [] as Hit[], attemptedAt = [] as Date[] } = {},
) =>
  judgeHit({
    ...{ delivery, attemptedAt, engagement, urls, due },
    around: around.map((one) => ({ ...one, isJudged: earlier.includes(one) })),
  })
const made = (due: Hit[]) =>
  judged(due).events.map(
    ({ type, data }) => `${type}${data.machine ? " machine" : ""}${data.proxied ? " proxied" : ""}`,
  )

describe("who opened or clicked", () => {
  test.each([
    ["a person, 2 s after it was sent", hit("open", 2), "opened"],
    ["somebody in the first 2 s", hit("open", 1.9), "opened machine"],
    ["somebody before we knew that it was sent", hit("open", -1), "opened machine"],
    ["a person, 10 s after it was sent", hit("click", 10), "clicked"],
    ["somebody in the first 10 s", hit("click", 9.9), "clicked machine"],
    ["Apple's prefetch", hit("open", 60, { userAgent: "Mozilla/5.0" }), "opened machine"],
    ["something without a name", hit("open", 60, { userAgent: null }), "opened machine"],
    [
      "a scanner",
      hit("click", 60, { userAgent: "Mozilla/5.0 (compatible; BarracudaCentral-bot/1.0)" }),
      "clicked machine",
    ],
    ["curl", hit("click", 60, { userAgent: "curl/8.5.0" }), "clicked machine"],
    ["HEAD", hit("click", 60, { head: true }), "clicked machine"],
    [
      "Google's proxy",
      hit("open", 60, {
        userAgent: "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
      }),
      "opened proxied",
    ],
    [
      "Yahoo's proxy",
      hit("open", 60, { userAgent: "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html" }),
      "opened proxied",
    ],
  ])("%s", (_, one, event) => {
    expect(made([one])).toEqual([event])
  })

  test("three links within 2 s of one client are a machine's, the first two as well; slower or by several clients, people's", () => {
    const at = (seconds: number[], clients = ["a", "a", "a"]) =>
      seconds.map((each, number) => hit("click", each, { number, client: clients[number] ?? "a" }))
    expect(made(at([60, 61, 62]))).toEqual(["clicked machine", "clicked machine", "clicked machine"])
    expect(made(at([60, 61, 62.1]))).toEqual(["clicked", "clicked", "clicked"])
    expect(made(at([60, 61, 62], ["a", "b", "a"]))).toEqual(["clicked", "clicked", "clicked"])
    const twice = [hit("click", 60, { number: 1 }), hit("click", 61.5, { number: 1 }), hit("click", 61, { number: 2 })]
    expect(made(twice)).toEqual(["clicked", "clicked", "clicked"])
    // Judged one at a time, each still sees the others.
    const burst = at([60, 61, 62])
    for (const one of burst) expect(judged([one], { around: burst }).events[0]?.data.machine).toBe("true")
  })

  test.each([
    ["a person, between an attempt whose response was lost and the next", hit("click", -300), "clicked"],
    ["a person, 2 s after such an attempt began", hit("open", -598), "opened"],
    ["a scanner during that attempt", hit("click", -595), "clicked machine"],
    ["a scanner during the attempt that succeeded", hit("click", -5), "clicked machine"],
    ["somebody before all attempts", hit("open", -700), "opened machine"],
    ["a person after all", hit("click", 60), "clicked"],
  ])("%s, where there were two attempts", (_, one, event) => {
    const attemptedAt = [-600, -30].map((seconds) => new Date(sentAt.getTime() + seconds * 1_000))
    const { events } = judged([one], { attemptedAt })
    expect(events.map(({ type, data }) => `${type}${data.machine ? " machine" : ""}`)).toEqual([event])
  })

  test("only people move the status and are remembered as readers", () => {
    expect(judged([hit("open", 1), hit("click", 5)])).toMatchObject({ status: null, firstOpenedAt: null })
    const { status, engagement } = judged([hit("click", 80), hit("open", 70)])
    expect({ status, userAgent: engagement.userAgent }).toEqual({ status: "clicked", userAgent: person })
  })
})

describe("how often", () => {
  test("the same client and link in a second count once, also when they are judged apart or out of order", () => {
    const doubled = [hit("click", 60), hit("click", 60.2), hit("click", 60.9)]
    expect(made(doubled)).toHaveLength(1)
    const [first, second] = doubled as [Hit, Hit]
    const around = [first, second]
    expect(judged([second], { around, earlier: [first] }).events, "after the first").toEqual([])
    expect(judged([first], { around }).events, "before the second, which is there already").toHaveLength(1)
    expect(judged([second], { around }).events, "before the first, which is there already").toHaveLength(1)
    expect(made([hit("click", 60), hit("click", 61)])).toHaveLength(2)
    expect(made([hit("click", 60), hit("click", 60, { client: "other" }), hit("open", 60)])).toHaveLength(3)
  })

  test("any order of the same requests gives the same events", () => {
    const one = fc.record({
      kind: fc.constantFrom("open" as const, "click" as const),
      seconds: fc.integer({ min: 0, max: 400 }).map((tenths) => tenths / 10),
      number: fc.nat(3),
      client: fc.constantFrom("a", "b"),
    })
    const orders = fc.array(one, { maxLength: 25 }).chain((given) => {
      const hits = given.map(({ kind, seconds, number, client }) =>
        hit(kind, seconds, { number: kind === "open" ? 0 : number, client }),
      )
      return fc.tuple(fc.constant(hits), fc.shuffledSubarray(hits, { minLength: hits.length }))
    })
    const sorted = (hits: Hit[]) =>
      judged(hits)
        .events.map((event) => JSON.stringify(event))
        .sort()
    fc.assert(
      fc.property(orders, ([hits, shuffled]) => {
        expect(sorted(shuffled)).toEqual(sorted(hits))
      }),
    )
  })

  test("a flood ends at the limits, and that of machines leaves room for people", () => {
    const flood = (userAgent: string) =>
      Array.from({ length: 1_000 }, (_, nth) => hit("open", 60 + nth, { client: `${nth}`, userAgent }))
    const machines = judged(flood("curl/8"))
    expect(machines.events).toHaveLength(machineEventsMax)
    const people = judged(flood(person), { engagement: machines.engagement })
    expect(people.events).toHaveLength(humanEventsMax)
    expect(judged([hit("open", 5_000)], { engagement: people.engagement }).events).toEqual([])
  })

  test.each(["open", "click"] as const)(
    "after a flood of %ss the first event of the other kind is recorded",
    (kind) => {
      const flood = Array.from({ length: 1_000 }, (_, nth) => hit(kind, 60 + nth, { client: `${nth}` }))
      const { engagement, events } = judged(flood)
      expect(events, "of the flood").toHaveLength(humanEventsMax)
      const other = kind === "open" ? "click" : "open"
      expect(judged([hit(other, 5_000)], { engagement }).events, `the first ${other} after it`).toHaveLength(1)
    },
  )

  test("a link that the email does not have is nothing", () => {
    expect(judged([hit("click", 60, { number: 9 })]).events).toEqual([])
  })
})

describe("reading", () => {
  const read = (seconds: number, heldMs: number, more: Partial<Hit> = {}) => hit("read", seconds, { heldMs, ...more })

  test("is as long as its image was held open, and of 8 seconds or more is told once", () => {
    const { events, engagement } = judged([hit("open", 60), read(63, 3_000)])
    expect(events.map(({ type }) => type)).toEqual(["opened"])
    expect(engagement).toMatchObject({ readMs: 3_000, engagedAt: null })
    const later = judged([hit("open", 4_000), read(4_012, 12_000)], { engagement })
    expect(later.events.map(({ type }) => type)).toEqual(["opened", "read_engaged"])
    expect(later.events[1]?.data).toEqual({ to: "ada@x.example", subject: "Hello", readTimeSeconds: "12" })
    expect(judged([read(9_000, 20_000)], { engagement: later.engagement })).toMatchObject({
      events: [],
      engagement: { readMs: 20_000, engagedAt: later.engagement.engagedAt },
    })
  })

  test("is not measured by machines or through a proxy, which hold images for reasons of their own", () => {
    const others = [read(60, 9_000, { userAgent: "curl/8" }), read(60, 9_000, { userAgent: "GoogleImageProxy" })]
    expect(judged(others)).toMatchObject({ events: [], engagement: { readMs: null, readings: [] } })
  })

  test("has a depth only where marks were loaded later than the email was opened", () => {
    const mark = (seconds: number, number: number) => hit("mark", seconds, { number })
    const atOnce = judged([hit("open", 60), mark(60.2, 25), mark(60.2, 50), mark(60.3, 75), mark(60.3, 100)])
    expect(atOnce.engagement.readings.map(({ depth }) => depth)).toEqual([undefined])
    const scrolled = judged([hit("open", 60), mark(60.2, 25), mark(64, 50), mark(70, 75)])
    expect(scrolled.engagement.readings.map(({ depth }) => depth)).toEqual([75])
  })

  test("is remembered for the latest 20 readings alone", () => {
    const many = Array.from({ length: 50 }, (_, nth) => hit("open", 60 + nth * 3_600))
    expect(judged(many).engagement.readings).toHaveLength(20)
  })
})
