import { randomBytes } from "node:crypto"
import type { Clock } from "@/lib/platform/time"
import type { Dns } from "@/lib/platform/dns/dns"

/** Time, DNS and randomness as an argument: operations and jobs use these only through it. */
export type Io = { clock: Clock; dns: Dns; random: Random }

export type Random = {
  /** Uniform in [0, 1). */
  number(): number
  bytes(count: number): Buffer
}

export const systemRandom: Random = { number: Math.random, bytes: randomBytes }
