import { expect, test } from "vitest"
import { newFeedback } from "@/lib/delivery/direct/feedback"
import { createPacing } from "@/lib/delivery/direct/pacing"
import { storedDestination } from "@/lib/delivery/direct/route"

const limits = { connections: 5, mailsPerConnection: 100 }

/** A destination whose pause is stored, and read by its queue 7. */
function paused(pacing = createPacing(() => 0)) {
  const paced = pacing.of(storedDestination("key", null, ["mx.a.example"]))
  const feedback = { ...newFeedback(limits, 0), pause: "slow", pausedUntil: 0, pauses: 1 } as const
  paced.take({ id: 7, isMine: true, revision: 0 }, { feedback, limits })
  return paced
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
