export const subscriptions = ["opt_in", "opt_out"] as const

export type Subscription = (typeof subscriptions)[number]

export const visibilities = ["public", "private"] as const

/** What holds for a contact: what was said for it, else the default of the topic. */
export function effective(explicit: Subscription | null | undefined, byDefault: Subscription): Subscription {
  return explicit ?? byDefault
}
