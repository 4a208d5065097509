/** Names the delivery to SES, whose events return it: its id with a keyed hash, as in a return path. */
export const deliveryTag = "mailroom-delivery"

/** Under which the events of a region are remembered. */
export function sesProviderOf(region: string): string {
  return `ses ${region}`
}
