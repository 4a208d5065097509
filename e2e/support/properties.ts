import fc from "fast-check"

/** A failure is made smaller until then, and told: without the limit the test's own comes first and says nothing of the failure. */
const shrinksForMs = 45_000

/**
 * Asserts a property that works on the database. The limit ends the assertion, not the round that is under way: that is waited
 * for, so that it does not go on beside the tests after it.
 */
export async function assertInTime<Values>(
  property: fc.IAsyncProperty<Values>,
  options: fc.Parameters<Values> = {},
): Promise<void> {
  let round: Promise<unknown> = Promise.resolve()
  const run = property.run.bind(property)
  property.run = (values) => {
    const running = run(values)
    round = running.catch(() => undefined)
    return running
  }
  try {
    await fc.assert(property, { ...options, interruptAfterTimeLimit: shrinksForMs })
  } finally {
    await round
  }
}
