import { expect, test } from "vitest"
import { type DestinationFeedback, newFeedback } from "@/lib/delivery/direct/feedback"
import { type Begun, createPacing, type Paced } from "@/lib/delivery/direct/pacing"
import { storedDestination } from "@/lib/delivery/direct/route"
import type { DeliveryAttempt, DestinationWait } from "@/lib/delivery/transports/attempt"

const limits = { connections: 5, mailsPerConnection: 100 }

/** A destination whose pause is stored, and read by its queue 7. */
function paused(pacing = createPacing(() => 0)) {
  const paced = pacing.of(storedDestination("key", null, ["mx.a.example"]))
  takePause(paced, { pause: "slow", pausedUntil: 0, pauses: 1 })
  return paced
}

function takePause(paced: Paced, pause: Partial<DestinationFeedback>): void {
  paced.take({ id: 7, isMine: true, revision: 0 }, { feedback: { ...newFeedback(limits, 0), ...pause }, limits })
}

test("the one email that tries a destination at the end of its pause begins, though the worker looks for others meanwhile", () => {
  const paced = paused()
  expect(paced.room(true)).toBe(1)
  paced.claimed(1)
  // The next claim comes before the email is composed.
  expect(paced.room(true)).toBe(0)
  expect(paced.begin(7)).toMatchObject({ isCurrent: expect.any(Function) })
  // Only that one.
  expect(paced.begin(7)).toMatchObject({ why: "slow" })
  expect(paced.room(true)).toBe(0)
  paced.left()
  expect(paced.room(true)).toBe(1)
})

test("while the pause lasts nothing is claimed, and nothing begins", () => {
  const paced = paused()
  expect(paced.room(false)).toBe(0)
  expect(paced.begin(7)).toMatchObject({ why: "slow" })
})

test("what is stored by itself is not stored again later, over what an operator has changed meanwhile", () => {
  const changed = (isStored: boolean) => {
    const pacing = createPacing(() => 0)
    const paced = paused(pacing)
    // The pause is over.
    paced.answered(true)
    if (isStored) pacing.stored(paced)
    return pacing.takeChanged().map(({ destination }) => destination.key)
  }
  expect(changed(false)).toEqual(["key"])
  expect(changed(true)).toEqual([])
})

test.each<[string, (paced: Paced) => DestinationWait | null]>([
  ["asked to slow down", (paced) => paced.told(refused("421 4.7.0 Try again later"), origin)],
  ["refused for our address", (paced) => paced.told(refused("554 5.7.1 203.0.113.5 is on our block list"), origin)],
  ["found no server", (paced) => paced.unreachable(begunBy(paced), "mx.a.example", "no answer")],
])("the operator's pause outlasts an email that was under way and is %s, which waits for its end", (_, ends) => {
  const paced = paused()
  takePause(paced, { pause: "operator", pausedUntil: null, limitedSince: 0 })
  expect(ends(paced)).toEqual({ destination: "key", why: "operator", isCause: false })
  expect(paced.feedback()).toMatchObject({ pause: "operator", pausedUntil: null, limitedSince: 0, reply: null })
})

const origin = { startedAt: 0, isFromPool: false, owner: undefined }

/** A refusal of MAIL. */
function refused(reply: string): DeliveryAttempt {
  const [code, enhanced = "", ...words] = reply.split(" ")
  const at = new Date(0)
  return {
    ...{ outcome: "deferred", phase: "mail", code: Number(code), enhanced, text: [enhanced, ...words].join(" ") },
    ...{ remote: "mx.a.example 192.0.2.1:25", conversation: [], startedAt: at, endedAt: at },
  }
}

/** Only a probe of the region begins during a pause. */
function begunBy(paced: Paced): Begun {
  const begun = paced.begin(7, true)
  if ("why" in begun) throw new Error(`It waits: ${begun.why}.`)
  return begun
}
