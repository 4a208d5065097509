/** Counts `amount` of an owner, and tells for how many milliseconds it then has to pause; 0 where it may go on. */
export type Throughput = (owner: string, amount: number) => number

/** Owners beyond which those who are behind nothing are forgotten. */
const ownersKept = 1_000

/** Lets each owner have `perSecond` of something in this process, and `burst` at once. */
export function createThroughput({ perSecond, burst }: { perSecond: number; burst: number }): Throughput {
  /** When all that each owner has had is paid for, in milliseconds of `performance.now()`. */
  const paidAt = new Map<string, number>()
  const burstMs = (burst / perSecond) * 1_000

  return (owner, amount) => {
    const now = performance.now()
    if (paidAt.size > ownersKept) for (const [one, at] of paidAt) if (at <= now) paidAt.delete(one)
    const at = Math.max(paidAt.get(owner) ?? 0, now) + (amount / perSecond) * 1_000
    paidAt.set(owner, at)
    return Math.max(0, at - now - burstMs)
  }
}
