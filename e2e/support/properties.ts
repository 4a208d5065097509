/**
 * Options of a property that works on the database. A failure is made smaller until then, and told: without the limit the
 * test's own comes first, says nothing of the failure, and leaves the property running beside the tests after it.
 */
export const shrinksInTime = { interruptAfterTimeLimit: 45_000 } as const
