/** Milliseconds. */
export const hourMs = 60 * 60 * 1000
export const dayMs = 24 * hourMs

/** Time as an argument, so that tests move it instead of waiting for it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
