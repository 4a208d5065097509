import { afterEach, beforeAll, expect, test, vi } from "vitest"
import { type Claimed, createDeliveryClaim } from "@/lib/delivery/queue/claims/data"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { classify } from "@/lib/delivery/transports/classify"
import { finishDelivery } from "@/lib/delivery/queue/outcomes/data"
import { prepareWork } from "@/lib/delivery/queue/prepare"
import { outcomeOfAttempt, type ClaimOutcome } from "@/lib/delivery/queue/outcome"
import {
  attemptRows,
  deliveryRows,
  eventRows,
  newSending,
  sendMail,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { log } from "@/lib/platform/log"

let sender: Sending
let asked = 0
const going = new AbortController().signal

beforeAll(async () => {
  sender = await newSending()
})

afterEach(() => vi.restoreAllMocks())

const answers = {
  accepted: { outcome: "accepted", code: 250 },
  refused: { outcome: "refused", code: 550, enhanced: "5.1.1" },
  deferred: { outcome: "deferred", code: 451 },
} as const

/** Claims one new mail for each and makes of it what such an answer with this text leads to. */
async function outcomesOf(given: readonly (readonly [keyof typeof answers, string])[]): Promise<ClaimOutcome[]> {
  asked += 1
  for (const [at] of given.entries()) await sendMail(sender, { to: [`r${at}-${asked}@x.example`] })
  const works = await prepareWork(await createDeliveryClaim()({ region: "eu-west-1", limit: 100, leaseMs: 60_000 }))
  expect(works).toHaveLength(given.length)
  const byAddress = works.toSorted((one, other) => (one.claimed.address < other.claimed.address ? -1 : 1))
  return byAddress.flatMap(({ claimed, message }, at) => {
    const [kind, text] = given[at] ?? ["accepted", "2.0.0 ok"]
    if (!message) return []
    const attempt: DeliveryAttempt = {
      ...answers[kind],
      phase: "final",
      text,
      remote: "mx.x.example 192.0.2.1:25",
      conversation: ["C: DATA", `S: ${text}`],
      startedAt: new Date(),
      endedAt: new Date(),
    }
    return [
      outcomeOfAttempt({ claimed, message, simulated: false }, attempt, classify(attempt), {
        delivered: "accept",
        random: 0.5,
      }),
    ]
  })
}

async function statusOf({ emailId }: Claimed) {
  return (await deliveryRows(emailId))[0]
}

test.each([
  ["half an emoji", "\ud83d"],
  ["a NUL", "\0"],
])(
  "a text with %s that the database refuses costs the text alone, and nothing of those written with it",
  async (_, poison) => {
    const complaints = vi.spyOn(log, "error").mockReturnValue()
    const outcomes = await outcomesOf([
      ["accepted", "2.0.0 ok"],
      ["accepted", `2.0.0 ${poison}`],
      ["refused", `5.1.1 no such user ${poison}`],
      ["refused", "5.1.1 no such user"],
      ["deferred", `4.7.1 later ${poison}`],
      ["deferred", "4.7.1 later"],
    ])
    expect(await Promise.all(outcomes.map((outcome) => finishDelivery(outcome, going)))).toEqual(Array(6).fill(true))
    expect(complaints).toHaveBeenCalled()

    const statuses = ["delivered", "delivered", "bounced", "bounced", "sending", "sending"]
    for (const [at, { claimed }] of outcomes.entries()) {
      expect(await statusOf(claimed)).toMatchObject({ status: statuses[at], attempt_count: 1, unfinished: 0 })
      expect(await attemptRows(claimed.emailId)).toHaveLength(1)
    }
    const kept = await Promise.all(outcomes.map(async ({ claimed }) => (await attemptRows(claimed.emailId))[0].text))
    expect(kept[0]).toBe("2.0.0 ok")
    expect(kept[3]).toBe("5.1.1 no such user")
    expect(kept[5]).toBe("4.7.1 later")
    expect((await eventRows(outcomes[2]?.claimed.emailId ?? "")).at(-1)).toMatchObject({
      type: "bounced",
      data: {
        to: expect.stringMatching(/^r2-/),
        bounceCode: "5.1.1",
        diagnostic: expect.stringMatching(/could not be stored/),
      },
    })
  },
)

test("an outcome that was written, though the answer to that was lost, is not written a second time", async () => {
  const outcomes = await outcomesOf([
    ["deferred", "4.7.1 later"],
    ["refused", "5.1.1 no such user"],
    ["accepted", "2.0.0 ok"],
  ])
  const finishAll = () => Promise.all(outcomes.map((outcome) => finishDelivery(outcome, going)))
  expect(await finishAll()).toEqual([true, true, true])
  expect(await finishAll()).toEqual([false, false, false])
  for (const [at, { claimed }] of outcomes.entries()) {
    expect(await statusOf(claimed)).toMatchObject({ attempt_count: 1, unfinished: 0 })
    expect(await attemptRows(claimed.emailId), `the attempts of email ${at}`).toHaveLength(1)
  }
})
