import { env } from "@/lib/platform/env/env"
import { createReach } from "@/lib/platform/outbound/networks"
import type { Guard } from "@/lib/platform/outbound/url"

let known: Guard | undefined

/** Whom requests of ours may reach: public addresses, and the networks of ALLOW_PRIVATE_WEBHOOKS. */
export function outboundGuard(): Guard {
  const networks = env().allowPrivateWebhooks
  return (known ??= { reach: createReach(networks), allowsPrivate: networks.length > 0 })
}
