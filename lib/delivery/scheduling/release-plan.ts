/** How long scheduled email waits for the daily allowance after its time. */
export const waitHoursMax = 72

/**
 * `expired`: due so long ago that it does not wait another day. `reachable`: at least one recipient is not suppressed.
 * `domainDeleted`: its sending domain was deleted while it was scheduled.
 */
export type Due = {
  id: string
  subject: string
  to: string[]
  testMode: boolean
  /** Of its sender. */
  domain: string | null
  expired: boolean
  reachable: boolean
  domainDeleted: boolean
}

export type ReleasePlan = { release: Due[]; cost: number; expired: Due[]; tomorrow: Due[]; withoutDomain: Due[] }

/** In the order in which they became due. Test mail and mail whose every recipient is suppressed cost nothing. */
export function planRelease(due: readonly Due[], { used, daily }: { used: number; daily: number }): ReleasePlan {
  const plan: ReleasePlan = { release: [], cost: 0, expired: [], tomorrow: [], withoutDomain: [] }
  for (const email of due) {
    if (email.domainDeleted) {
      plan.withoutDomain.push(email)
      continue
    }
    const cost = email.testMode || !email.reachable ? 0 : 1
    if (used + plan.cost + cost <= daily || cost === 0) {
      plan.release.push(email)
      plan.cost += cost
    } else if (email.expired) plan.expired.push(email)
    else plan.tomorrow.push(email)
  }
  return plan
}
