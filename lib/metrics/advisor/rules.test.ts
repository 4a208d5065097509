import { describe, expect, test } from "vitest"
import type { AdvisorFacts } from "@/lib/metrics/advisor/finding-types"
import {
  adviceOf,
  advisorScoreOf,
  ratingOf,
  largestCause,
  mayTell,
  type Part,
  quietMs,
  type RateTold,
} from "@/lib/metrics/advisor/rules"
import type { DmarcStanding } from "@/lib/domains/dmarc/data"
import { type Counts, noCounts } from "@/lib/metrics/rules"
import fc from "fast-check"

const nothing: AdvisorFacts = {
  month: noCounts(),
  sent24h: 0,
  dailyMean7d: 0,
  daysSinceLastSend: null,
  dmarc: [],
  refusals: [],
  withoutRecords: [],
  clippedEmailId: null,
  htmlOnlyEmailId: null,
}
const month = (counts: Partial<Counts>): AdvisorFacts => ({ ...nothing, month: { ...noCounts(), ...counts } })
const reports = (given: Partial<DmarcStanding>): AdvisorFacts => ({
  ...nothing,
  dmarc: [
    {
      ...{ domainId: "dom_1", domain: "acme.test", policy: "none", days: 30, observed: 1_000, aligned: 1_000 },
      ...{ unknownMessages: 0, unknownSources: 0, observed7d: 200, failureRate7d: 0 },
      ...given,
    },
  ],
})
const refused = (count: number, sent: number): AdvisorFacts => ({
  ...month({ sent, refusedOurs: count }),
  refusals: [{ code: "5.7.26", domain: "acme.test", domainId: "dom_1", count }],
})
const codes = (facts: AdvisorFacts) => adviceOf(facts).map(({ code, deduction }) => `${code} -${deduction}`)

describe("each rule speaks at its bound and is silent below it and on small numbers:", () => {
  test.each<[string, AdvisorFacts, string[]]>([
    ["complaints just below 0.1 %", month({ delivered: 10_001, complained: 10 }), []],
    ["complaints at 0.1 %", month({ delivered: 10_000, complained: 10 }), ["complaint_rate_high -12"]],
    ["complaints just below 0.3 %", month({ delivered: 10_001, complained: 30 }), ["complaint_rate_high -12"]],
    ["complaints at 0.3 %", month({ delivered: 10_000, complained: 30 }), ["complaint_rate_critical -30"]],
    ["two complaints", month({ delivered: 1_000, complained: 2 }), []],
    ["three complaints", month({ delivered: 1_000, complained: 3 }), ["complaint_rate_critical -30"]],
    [
      "complaints of 1,000 sent, not reported",
      month({ sent: 1_000, unreported: 999, complained: 3 }),
      ["complaint_rate_critical -30"],
    ],
    ["complaints of 999 delivered", month({ delivered: 999, complained: 500 }), []],

    ["bounces just below 2 %", month({ sent: 1_000, bounced: 19 }), []],
    ["bounces at 2 %", month({ sent: 1_000, bounced: 20 }), ["bounce_rate_high -10"]],
    ["bounces just below 5 %", month({ sent: 1_000, bounced: 49 }), ["bounce_rate_high -10"]],
    ["bounces at 5 %", month({ sent: 1_000, bounced: 50 }), ["bounce_rate_critical -25"]],
    ["bounces of 199 sent", month({ sent: 199, bounced: 199 }), []],
    ["bounces of 200 sent", month({ sent: 200, bounced: 4 }), ["bounce_rate_high -10"]],

    ["unsubscribes just below 1 %", month({ delivered: 1_001, unsubscribed: 10 }), []],
    ["unsubscribes at 1 %", month({ delivered: 1_000, unsubscribed: 10 }), ["unsubscribe_rate_high -5"]],
    [
      "unsubscribes of 1,000 sent, not reported",
      month({ sent: 1_000, unreported: 1_000, unsubscribed: 10 }),
      ["unsubscribe_rate_high -5"],
    ],
    ["unsubscribes of 999 delivered", month({ delivered: 999, unsubscribed: 900 }), []],

    ["three times the mean", { ...nothing, sent24h: 600, dailyMean7d: 200 }, []],
    ["more than three times the mean", { ...nothing, sent24h: 601, dailyMean7d: 200 }, ["volume_spike -5"]],
    ["499 a day", { ...nothing, sent24h: 499, dailyMean7d: 1 }, []],
    ["500 a day", { ...nothing, sent24h: 500, dailyMean7d: 1 }, ["volume_spike -5"]],
    ["the first day", { ...nothing, sent24h: 5_000, dailyMean7d: 0 }, []],

    ["29 days of silence", { ...nothing, daysSinceLastSend: 29 }, []],
    ["30 days of silence", { ...nothing, daysSinceLastSend: 30 }, ["dormant -5"]],
    ["never sent", nothing, []],

    ["machines just below 30 % of opens", month({ delivered: 5_000, anyOpens: 1_000, opened: 701 }), []],
    [
      "machines at 30 % of opens",
      month({ delivered: 5_000, anyOpens: 1_000, opened: 700 }),
      ["proxy_inflated_opens -0"],
    ],
    ["machines among 199 opens", month({ delivered: 5_000, anyOpens: 199 }), []],
    ["machines among 200 opens", month({ delivered: 5_000, anyOpens: 200 }), ["proxy_inflated_opens -0"]],

    ["two refusals of ours", refused(2, 10), []],
    ["three refusals of ours", refused(3, 199), ["sender_refused -8"]],
    ["refusals just below 2 %", refused(19, 1_000), ["sender_refused -8"]],
    ["refusals at 2 %", refused(20, 1_000), ["sender_refused -20"]],

    ["large bodies just below 1 %", month({ sent: 1_001, clipped: 10 }), []],
    ["large bodies at 1 %", month({ sent: 1_000, clipped: 10 }), ["body_too_large -4"]],
    ["large bodies of 199 sent", month({ sent: 199, clipped: 199 }), []],
    ["HTML alone just below 10 %", month({ sent: 1_000, htmlOnly: 99 }), []],
    ["HTML alone at 10 %", month({ sent: 1_000, htmlOnly: 100 }), ["text_part_missing -3"]],
    ["HTML alone of 199 sent", month({ sent: 199, htmlOnly: 199 }), []],

    [
      "records missing",
      { ...nothing, withoutRecords: [{ id: "dom_1", domain: "acme.test", failed: false }] },
      ["domain_records_missing -8"],
    ],
    [
      "records missing for 72 hours",
      { ...nothing, withoutRecords: [{ id: "dom_1", domain: "acme.test", failed: true }] },
      ["domain_cannot_send -20"],
    ],

    ["DMARC failures just below 5 %", reports({ days: 7, failureRate7d: 0.049 }), []],
    ["DMARC failures at 5 %", reports({ days: 7, failureRate7d: 0.05 }), ["dmarc_alignment_failures -6"]],
    ["DMARC failures just below 20 %", reports({ days: 7, failureRate7d: 0.199 }), ["dmarc_alignment_failures -6"]],
    ["DMARC failures at 20 %", reports({ days: 7, failureRate7d: 0.2 }), ["dmarc_alignment_failures -15"]],
    ["DMARC failures of 99 messages", reports({ days: 7, observed7d: 99, failureRate7d: 1 }), []],

    ["reports of 29 days", reports({ days: 29 }), []],
    ["reports of 30 days", reports({}), ["dmarc_policy_step_up -2"]],
    ["97.9 % aligned", reports({ aligned: 979 }), []],
    ["98 % aligned", reports({ aligned: 980 }), ["dmarc_policy_step_up -2"]],
    ["99 messages in reports", reports({ observed: 99, aligned: 99 }), []],
    ["quarantine", reports({ policy: "quarantine" }), ["dmarc_policy_step_up -0"]],
    ["reject", reports({ policy: "reject" }), []],
  ])("%s", (_, facts, expected) => {
    expect(codes(facts)).toEqual(expected)
  })
})

describe("the advisor", () => {
  test("puts the heaviest first, deducts each from 100, and never falls below 0", () => {
    const facts = {
      ...reports({}),
      month: month({ sent: 10_000, delivered: 9_000, bounced: 900, complained: 90 }).month,
    }
    const found = adviceOf(facts)
    expect(found.map(({ deduction }) => deduction)).toEqual([30, 25, 2])
    expect(advisorScoreOf(found)).toBe(43)
    expect(advisorScoreOf(Array.from({ length: 9 }, () => ({ deduction: 15 })))).toBe(0)
    expect(advisorScoreOf([])).toBe(100)
  })

  test.each([
    [100, "Healthy"],
    [90, "Healthy"],
    [89, "Good"],
    [75, "Good"],
    [74, "Needs attention"],
    [50, "Needs attention"],
    [49, "Critical"],
    [0, "Critical"],
  ])("calls %i %s", (score, rating) => {
    expect(ratingOf(score)).toBe(rating)
  })

  test("names the next policy, unknown sources, and that mailing lists suffer from reject", () => {
    const [quarantine] = adviceOf(reports({ unknownSources: 2, unknownMessages: 5, aligned: 995 }))
    expect(quarantine?.fix).toContain("`p=none` to `p=quarantine`")
    expect(quarantine?.message).toContain("2 sources with 5 messages are unknown")
    expect(quarantine?.data).toMatchObject({ dmarcRecommendedPolicy: "quarantine", dmarcAccountedRate: 0.995 })
    const [reject] = adviceOf(reports({ policy: "quarantine" }))
    expect(reject?.fix).toContain("mailing lists")
  })

  test("does not say that authentication fails where only some record is missing", () => {
    const [found] = adviceOf({ ...nothing, withoutRecords: [{ id: "dom_1", domain: "acme.test", failed: false }] })
    expect(found?.message).not.toContain("authentication")
  })

  test("tells opens of people from those of machines", () => {
    const [found] = adviceOf(month({ delivered: 1_000, anyOpens: 600, opened: 300 }))
    expect(found?.data).toEqual({
      ...{ totalOpens: 600, proxyOpens: 300, proxyRate: 0.5, humanOpenRate: 0.3, reportedOpenRate: 0.6 },
      adjustedOpenRate: 300 / 700,
    })
  })

  test.each(["5.7.26", "5.7.20", "5.1.8", "5.7.606"])("says what %s means", (code) => {
    const facts = { ...refused(3, 300), refusals: [{ code, domain: "acme.test", count: 3 }] }
    expect(adviceOf(facts)[0]?.message).toContain(`${code}, `)
  })
})

const day = 86_400_000
const at = (ms: number) => new Date(Date.UTC(2026, 10, 22) + ms)

describe("a critical rate is told", () => {
  test.each<[string, RateTold | undefined, boolean]>([
    ["the first time", undefined, true],
    ["not again while it is critical", { toldAt: at(-30 * day), recoveredAt: null }, false],
    ["not again within 7 days", { toldAt: at(-7 * day + 1), recoveredAt: at(-day) }, false],
    ["again after it recovered and 7 days", { toldAt: at(-7 * day), recoveredAt: at(-day) }, true],
  ])("%s", (_, last, expected) => {
    expect(mayTell(last, at(0))).toBe(expected)
  })

  test("at most once in 7 days and never twice without a recovery, whatever it does", () => {
    const steps = fc.array(fc.record({ critical: fc.boolean(), ms: fc.integer({ min: 1, max: 5 * day }) }), {
      maxLength: 80,
    })
    fc.assert(
      fc.property(steps, (all) => {
        let last: RateTold | undefined
        let now = 0
        for (const { critical, ms } of all) {
          now += ms
          if (!critical) last &&= { ...last, recoveredAt: last.recoveredAt ?? at(now) }
          else if (mayTell(last, at(now))) {
            if (last) {
              expect(now - (last.toldAt.getTime() - at(0).getTime())).toBeGreaterThanOrEqual(quietMs)
              expect(last.recoveredAt).not.toBeNull()
            }
            last = { toldAt: at(now), recoveredAt: null }
          }
        }
      }),
    )
  })
})

describe("the largest cause", () => {
  const total = { count: 100, of: 1_000 }
  test.each<[string, Omit<Part, "by">[], string | undefined]>([
    [
      "is the part with the most beyond the average",
      [
        { key: "a", count: 60, of: 100 },
        { key: "b", count: 40, of: 100 },
      ],
      "a",
    ],
    ["is not the part with the most email", [{ key: "all", count: 100, of: 1_000 }], undefined],
    ["is not a part that explains little", [{ key: "small", count: 29, of: 30 }], undefined],
    [
      "is the first of two alike",
      [
        { key: "topic", count: 60, of: 60 },
        { key: "tag", count: 60, of: 60 },
      ],
      "topic",
    ],
    ["is none without parts", [], undefined],
  ])("%s", (_, parts, expected) => {
    const tagged = parts.map((part): Part => ({ by: "tag", ...part }))
    expect(largestCause(tagged, total)?.key).toBe(expected)
  })
})
