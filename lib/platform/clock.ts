/** Time as an argument, so that tests move it instead of waiting for it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
