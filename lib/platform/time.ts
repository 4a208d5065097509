/** Milliseconds. */
export const hourMs = 60 * 60 * 1000
export const dayMs = 24 * hourMs
