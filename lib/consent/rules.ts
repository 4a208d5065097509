export const subscriptions = ["opt_in", "opt_out"] as const

export type Subscription = (typeof subscriptions)[number]

/** A subscription as it is stored: a check constraint admits nothing else. */
export const storedSubscription = (text: string) => text as Subscription

/** What a contact says about a topic. */
export type Preference = { topicId: string; subscription: Subscription }

export const suppressionReasons = ["bounce", "manual", "unsubscribe", "complaint"] as const

/** Why an address is suppressed. */
export type SuppressionReason = (typeof suppressionReasons)[number]

/** A reason as it is stored: a check constraint admits nothing else. */
export const storedReason = (text: string) => text as SuppressionReason

/** True where the later reason says more: what the person said outweighs what a server or the owner said. */
export function outweighs(later: SuppressionReason, earlier: SuppressionReason): boolean {
  return weight(later) > weight(earlier)
}

function weight(reason: SuppressionReason): number {
  if (reason === "complaint") return 2
  return reason === "unsubscribe" ? 1 : 0
}
