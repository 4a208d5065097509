/**
 * Options of a test that measures time. What else runs on the machine only adds to it, so such a test has three attempts: one
 * within its limit shows that the product keeps it, and a product that became slower fails all three.
 */
export const measured = { retry: 2 } as const
