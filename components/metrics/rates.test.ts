import { describe, expect, test } from "vitest"
import {
  changeOf,
  isOver,
  isUntracked,
  pointsText,
  rates,
  ratesFor,
  shareOf,
  shareText,
  type JudgedRate,
} from "@/components/metrics/rates"

const figures = {
  sent: 0,
  delivered: 0,
  bounced: 0,
  complained: 0,
  opened: 0,
  clicked: 0,
  unsubscribed: 0,
  deferred: 0,
}
const named = (label: string): JudgedRate => rates.find((rate) => rate.label === label) ?? expect.fail(label)

test("what is not tracked is not 0, unless somebody was seen all the same or the settings are not known yet", () => {
  const off = { openTracking: false, clickTracking: false }
  const untracked = (
    of: Partial<typeof figures> & { openedByAnyone?: number },
    tracking: typeof off | undefined = off,
  ) => rates.flatMap((rate) => (isUntracked(rate, { ...figures, ...of }, tracking) ? rate.label : []))
  expect(untracked({ sent: 9, delivered: 9 })).toEqual(["Opened", "Clicked"])
  expect(untracked({ opened: 1 })).toEqual(["Clicked"])
  expect(untracked({ openedByAnyone: 1, clicked: 1 })).toEqual([])
  expect(untracked({}, { openTracking: true, clickTracking: false })).toEqual(["Clicked"])
  expect(rates.some((rate) => isUntracked(rate, figures, undefined))).toBe(false)
})

describe("a rate", () => {
  test("without a base is not 0 but nothing", () => {
    expect(shareText(shareOf(named("Hard bounces"), figures))).toBe("–")
    expect(changeOf(named("Hard bounces"), { ...figures, sent: 10 }, figures)).toBeNull()
  })

  test("has a coloured change only where it is more than chance", () => {
    const deferred = named("Deferred")
    const now = { ...figures, sent: 20_636, deferred: 356 }
    expect(changeOf(deferred, now, { ...figures, sent: 17_904, deferred: 234 })?.tone).toBe("warn")
    expect(changeOf(deferred, now, { ...figures, sent: 17_904, deferred: 300 })?.tone).toBeNull()
    expect(changeOf(deferred, { ...figures, sent: 199, deferred: 100 }, now)?.tone).toBeNull()
    const delivered = named("Delivered")
    const better = { ...figures, sent: 1_000, delivered: 990 }
    expect(changeOf(delivered, better, { ...figures, sent: 1_000, delivered: 900 })?.tone).toBe("good")
  })

  test("has no change against a period of a few emails", () => {
    const now = { ...figures, sent: 1_000, delivered: 990 }
    expect(changeOf(named("Delivered"), now, { ...figures, sent: 49, delivered: 23 })).toBeNull()
    expect(changeOf(named("Delivered"), now, { ...figures, sent: 50, delivered: 25 })?.points).toBeCloseTo(49)
  })

  test("is over its limit from the limit on, with enough email", () => {
    const bounced = named("Hard bounces")
    expect(isOver(bounced, { ...figures, sent: 1_000, bounced: 19 })).toBe(false)
    expect(isOver(bounced, { ...figures, sent: 1_000, bounced: 20 })).toBe(true)
    expect(isOver(bounced, { ...figures, sent: 199, bounced: 100 })).toBe(false)
    expect(isOver(named("Complained"), { ...figures, delivered: 400, complained: 2 })).toBe(false)
  })

  test("is of sent where delivery is not reported, and that of delivery is not 0 but nothing", () => {
    const unreported = { ...figures, sent: 1_000, opened: 250, complained: 4, deliveryReported: false }
    expect(shareText(shareOf(named("Opened"), unreported))).toBe("25.00%")
    expect(isOver(named("Complained"), unreported)).toBe(true)
    expect(shareText(shareOf(named("Delivered"), unreported))).toBe("–")
    expect(shareText(shareOf(named("Deferred"), unreported))).toBe("–")
    const reported = { ...figures, sent: 1_000, delivered: 990 }
    expect(changeOf(named("Delivered"), { ...unreported, delivered: 500 }, reported)).toBeNull()
    expect(ratesFor(unreported).map(({ means }) => means)).not.toContainEqual(expect.stringContaining("of delivered"))
    expect(ratesFor(reported)).toEqual(rates)
  })

  test("writes changes with a sign, and none as 0.00", () => {
    expect(pointsText(0.42)).toBe("+0.42")
    expect(pointsText(-0.12)).toBe("−0.12")
    expect(pointsText(0.001)).toBe("0.00")
  })
})
