import { createSmtpPool } from "@/lib/delivery/smtp/client"
import type { Transport } from "@/lib/delivery/transports/transport"
import { env, type RegionProfile } from "@/lib/platform/env/env"

/** The sandbox's own mail server on this machine, over the same SMTP as a relay. */
export function sandboxTransport({ ehloName }: Pick<RegionProfile, "ehloName">): Transport {
  const target = { host: "127.0.0.1", port: env().sandboxSmtpPort, tls: "none", maxConnections: 5 } as const
  return createSmtpPool(target, { ehloName })
}
