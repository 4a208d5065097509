import { createSmtpPool } from "@/lib/delivery/smtp/client"
import type { Transport } from "@/lib/delivery/transports/transport"
import { regionSettings, type RegionProfile } from "@/lib/regions/settings"

/** The sandbox's own mail server on this machine, over the same SMTP as a relay. */
export function sandboxTransport({ ehloName }: Pick<RegionProfile, "ehloName">): Transport {
  const target = { host: "127.0.0.1", port: regionSettings().sandboxSmtpPort, tls: "none", maxConnections: 5 } as const
  return createSmtpPool(target, { ehloName })
}
