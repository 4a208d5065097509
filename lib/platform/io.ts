import { randomBytes } from "node:crypto"
import { systemClock, type Clock } from "@/lib/platform/clock"
import { dnsFromEnv, type Dns } from "@/lib/platform/dns/dns"
import { env } from "@/lib/platform/env/env"

/** Time, DNS and randomness as an argument: operations and jobs use these only through it. */
export type Io = { clock: Clock; dns: Dns; random: Random }

export type Random = {
  /** Uniform in [0, 1). */
  number(): number
  bytes(count: number): Buffer
}

export const systemRandom: Random = { number: Math.random, bytes: randomBytes }

let real: Io | undefined

/** The real ones, opened on first use. */
export function systemIo(): Io {
  return (real ??= { clock: systemClock, dns: dnsFromEnv(env()), random: systemRandom })
}
