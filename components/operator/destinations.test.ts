import { describe, expect, test } from "vitest"
import { destinationWords, paceWords } from "@/components/operator/destinations"
import { DestinationSummary } from "@/lib/delivery/destinations/schema"

const pauseKinds = DestinationSummary.shape.pause.unwrap().options

describe("the words of a destination", () => {
  test("name each reason of a pause by its own pill, and say what happens or what to do", () => {
    const all = pauseKinds.map((pause) => destinationWords({ state: "paused", pause, refusedAddresses: 0 }))
    expect(new Set(all.map(({ text }) => text)).size).toBe(pauseKinds.length)
    for (const { why } of all) expect(why).toMatch(/\.$/)
  })

  test("say that a pause is being tried, whatever its reason", () => {
    for (const pause of pauseKinds)
      expect(destinationWords({ state: "trying", pause, refusedAddresses: 0 }).text).toBe("Trying again")
  })

  test("say the pace of one that is slowed", () => {
    expect(destinationWords({ state: "slowed", pacePerMinute: 12.4, refusedAddresses: 0 }).text).toBe(
      "Slowed to 12 a minute",
    )
    expect([1.25, 0.5, 60].map(paceWords)).toEqual(["1.3 a minute", "0.5 a minute", "60 a minute"])
  })

  test("call one without a limit flowing", () => {
    expect(destinationWords({ state: "flowing", refusedAddresses: 0 })).toMatchObject({ tone: "good", text: "Flowing" })
  })

  test("do not call one flowing that refuses an address", () => {
    const words = (refusedAddresses: number) => destinationWords({ state: "flowing", refusedAddresses })
    expect(words(1)).toMatchObject({ tone: "bad", text: "Refuses an address" })
    expect(words(2)).toMatchObject({ tone: "bad", text: "Refuses 2 addresses" })
  })
})
