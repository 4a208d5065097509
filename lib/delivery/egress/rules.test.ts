import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { chooseSource, type EgressSource, type SourceAsk } from "@/lib/delivery/egress/choose-source"
import { capOf, capWithinLife, dayCounts, warmUpAt, warmUpCaps, warmUpDays } from "@/lib/delivery/egress/rules"

const today = "2026-11-26"
const good = { sent: 1_000, deferred: 49, bounced: 19, complained: 0 }

function source(address: string, given: Partial<EgressSource> = {}): EgressSource {
  const usual = { id: address, pool: "default", ehloName: `${address}.test`, isPaused: false, warmUp: null }
  return { ...usual, address, sent: new Map(), onBlock: "wait", blocks: new Map(), ...given }
}

function ask(recipientDomain = "x.example", given: Partial<SourceAsk> = {}): SourceAsk {
  const names = { pool: "default", senderDomain: "acme.test", recipientDomain, provider: "" }
  return { ...names, queue: null, before: null, ...given }
}

const chosen = (sources: EgressSource[], asked: SourceAsk): string => {
  const choice = chooseSource(sources, asked, today)
  return choice.kind === "place" ? choice.source.address : choice.kind
}

describe("The address of a delivery", () => {
  const three = ["203.0.113.1", "203.0.113.2", "203.0.113.3"].map((address) => source(address))
  const domains = Array.from({ length: 300 }, (_, at) => `d${at}.example`)

  test("depends on pool, sender domain and recipient domain alone, whatever the order of the addresses", () => {
    for (const domain of domains) expect(chosen(three.toReversed(), ask(domain))).toBe(chosen(three, ask(domain)))
  })

  test("spreads evenly, and one that goes moves only its own mail", () => {
    const homes = domains.map((domain) => chosen(three, ask(domain)))
    for (const { address } of three) expect(homes.filter((home) => home === address).length).toBeGreaterThan(70)
    const left = three.slice(1)
    domains.forEach((domain, at) => {
      if (homes[at] !== three[0]?.address) expect(chosen(left, ask(domain))).toBe(homes[at])
    })
  })

  test("stays the one of the first attempt, when others come, when its pool changes and while it is paused", () => {
    const before = { addressId: "203.0.113.9", on: "2026-11-25" }
    expect(chosen([...three, source("203.0.113.9", { pool: "other" })], ask("x.example", { before }))).toBe(
      "203.0.113.9",
    )
    expect(chosen([...three, source("203.0.113.9", { isPaused: true })], ask("x.example", { before }))).toBe("paused")
    expect(chosen(three, ask("x.example", { before }))).toBe(chosen(three, ask()))
  })

  test("is none of a paused one, and none at all while all of the pool are paused", () => {
    const paused = three.map((one, at) => ({ ...one, isPaused: at < 2 }))
    for (const domain of domains) expect(chosen(paused, ask(domain))).toBe("203.0.113.3")
    expect(chosen(paused.slice(0, 2), ask())).toBe("paused")
  })

  test("is of the project's pool, else of the default one, else the system's", () => {
    const own = source("203.0.113.7", { pool: "vip" })
    expect(chosen([...three, own], ask("x.example", { pool: "vip" }))).toBe("203.0.113.7")
    expect(chosen(three, ask("x.example", { pool: "vip" }))).toMatch(/^203\.0\.113\.[123]$/)
    expect(chosen([own], ask())).toBe("any")
    expect(chosen([], ask())).toBe("any")
  })

  test("is an IPv4 address where the pool has both", () => {
    const both = [source("2001:db8::1"), source("203.0.113.1")]
    for (const domain of domains) expect(chosen(both, ask(domain))).toBe("203.0.113.1")
    expect(chosen(both.slice(0, 1), ask())).toBe("2001:db8::1")
  })
})

describe("A warm-up", () => {
  test("has these caps, doubled up to 200,000, and ends on its twelfth day", () => {
    expect(warmUpCaps.slice(0, 7)).toEqual([200, 500, 1_000, 2_500, 5_000, 10_000, 20_000])
    expect(warmUpCaps.slice(7)).toEqual([40_000, 80_000, 160_000, 200_000])
    expect(warmUpDays).toBe(12)
    expect(warmUpAt({ day: 11, on: "2026-11-25" }, today, good)).toBeNull()
  })

  test.each([
    ["good rates", good, true],
    ["nothing sent", { sent: 0, deferred: 0, bounced: 0, complained: 0 }, false],
    ["5 % deferred", { ...good, deferred: 50 }, false],
    ["2 % bounced", { ...good, bounced: 20 }, false],
    ["a complaint in 1,000", { ...good, complained: 1 }, false],
    ["a complaint in 1,001", { ...good, sent: 1_001, complained: 1 }, true],
  ])("counts or repeats a day: %s", (_, counts, expected) => {
    expect(dayCounts(counts)).toBe(expected)
    expect(warmUpAt({ day: 3, on: "2026-11-20" }, today, counts)).toEqual({ day: expected ? 4 : 3, on: today })
  })

  test("is unchanged on its own day and sends nothing before it begins", () => {
    const begins = { day: 1, on: "2026-11-28" }
    expect(warmUpAt(begins, today, good)).toEqual(begins)
    expect(capOf(begins, today)).toBe(0)
    expect(chooseSource([source("203.0.113.1", { warmUp: begins })], ask(), today)).toMatchObject({
      kind: "warm_up",
      until: new Date("2026-11-28T00:00:00Z"),
    })
  })

  test("gives away exactly its cap, to one provider half of it, and the rest to a warm address or to tomorrow", () => {
    const asks = fc.array(fc.constantFrom("", "Google", "Yahoo"), { minLength: 0, maxLength: 600 })
    fc.assert(
      fc.property(asks, fc.boolean(), (providers, hasWarm) => {
        const warming = source("203.0.113.1", { warmUp: { day: 1, on: today } })
        const sources = hasWarm ? [warming, source("203.0.113.2")] : [warming]
        const kinds = providers.map((provider) => {
          const choice = chooseSource(sources, ask(homeDomain, { provider }), today)
          if (choice.kind !== "place") return choice.kind
          choice.source.sent.set(provider, (choice.source.sent.get(provider) ?? 0) + 1)
          return choice.source.address
        })
        const sentFrom = (address: string) => kinds.filter((kind) => kind === address).length
        const most = (provider: string) =>
          Math.min(provider === "" ? 200 : 100, providers.filter((one) => one === provider).length)
        expect(sentFrom("203.0.113.1")).toBe(Math.min(200, most("") + most("Google") + most("Yahoo")))
        const rest = providers.length - sentFrom("203.0.113.1")
        expect(hasWarm ? sentFrom("203.0.113.2") : kinds.filter((kind) => kind === "warm_up").length).toBe(rest)
      }),
      { numRuns: 50 },
    )
  })

  test("counts a delivery once a day: its retries need no place", () => {
    const full = source("203.0.113.1", { warmUp: { day: 1, on: today }, sent: new Map([["", 200]]) })
    const before = (on: string) => ({ before: { addressId: full.id, on } })
    expect(chooseSource([full], ask("x.example", before(today)), today)).toMatchObject({ kind: "place", isNew: false })
    expect(chooseSource([full], ask("x.example", before("2026-11-25")), today)).toMatchObject({
      kind: "warm_up",
      until: new Date("2026-11-27T00:00:00Z"),
    })
  })
})

describe("What a warm-up leaves of what waits", () => {
  test("is what its next three days allow, if each of them counts", () => {
    expect(capWithinLife({ day: 1, on: today }, today)).toBe(500 + 1_000 + 2_500)
    // Nothing has left since an earlier day, which is repeated.
    expect(capWithinLife({ day: 2, on: "2026-11-20" }, "2026-11-26")).toBe(1_000 + 2_500 + 5_000)
    expect(capWithinLife({ day: 9, on: today }, today)).toBe(Infinity)
  })

  test("is nothing before it has begun", () => {
    expect(capWithinLife({ day: 1, on: "2026-11-28" }, today)).toBe(200 + 500)
    expect(capWithinLife({ day: 1, on: "2026-11-30" }, today)).toBe(0)
  })
})

/** A domain whose mail leaves from 203.0.113.1 of these two. */
const homeDomain =
  Array.from({ length: 20 }, (_, at) => `h${at}.example`).find(
    (domain) => chosen([source("203.0.113.1"), source("203.0.113.2")], ask(domain)) === "203.0.113.1",
  ) ?? ""

describe("An address that a destination refuses", () => {
  const block = (isOver: boolean) => {
    return new Map([[7, { since: new Date(0), until: new Date(1), reply: "No", waitSeconds: isOver ? 0 : 60, isOver }]])
  }
  const two = ["203.0.113.1", "203.0.113.2"].map((address) => source(address))
  const asked = ask("x.example", { queue: 7 })
  const home = chosen(two, asked)
  const blocked = (given: Partial<EgressSource> = {}) =>
    two.map((one) => (one.address === home ? { ...one, blocks: block(false), ...given } : one))
  const other = two.find(({ address }) => address !== home)?.address

  test("keeps its mail waiting there, takes no other address' mail, and sends to all other destinations", () => {
    expect(chosen(blocked(), asked)).toBe("blocked")
    expect(chosen(blocked(), ask("x.example", { queue: 8 }))).toBe(home)
    const theirs = Array.from({ length: 50 }, (_, at) => ask(`d${at}.example`, { queue: 7 }))
    for (const one of theirs) expect(chosen(blocked(), one)).toBe(chosen(two, one) === home ? "blocked" : other)
  })

  test("leaves mail to others of its pool if it spills, but not what was attempted from it", () => {
    expect(chosen(blocked({ onBlock: "spill" }), asked)).toBe(other)
    const before = { addressId: home, on: today }
    expect(chosen(blocked({ onBlock: "spill" }), { ...asked, before })).toBe("blocked")
    const all = two.map((one) => ({ ...one, onBlock: "spill" as const, blocks: block(false) }))
    expect(chosen(all, asked)).toBe("blocked")
  })

  test("is tried by one mail when that is over", () => {
    const tried = chooseSource(blocked({ blocks: block(true) }), asked, today)
    expect(tried).toMatchObject({ kind: "place", isTry: true, source: { address: home } })
    expect(chooseSource(two, asked, today)).toMatchObject({ kind: "place", isTry: false })
  })
})
