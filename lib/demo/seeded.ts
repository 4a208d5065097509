/** Seeded random numbers: the demo has the same content every time. */
export type Seeded = {
  /** From 0 up to 1. */
  number(): number
  /** A whole number from `low` to `high`. */
  whole(low: number, high: number): number
  pick<T>(from: readonly T[]): T
  chance(of: number): boolean
  /** Hexadecimal digits. */
  hex(length: number): string
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0
  // mulberry32: 32 bits of state are enough for a story.
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (low: number, high: number) => low + Math.floor(number() * (high - low + 1))
  return {
    number,
    whole,
    pick: (from) => from[whole(0, from.length - 1)] as (typeof from)[number],
    chance: (of) => number() < of,
    hex: (length) => Array.from({ length }, () => whole(0, 15).toString(16)).join(""),
  }
}

/** A UUIDv7 of an instant. */
export function idAt(at: Date, random: Seeded): string {
  const time = at.getTime().toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.hex(3)}-${random.pick(["8", "9", "a", "b"])}${random.hex(3)}-${random.hex(12)}`
}
