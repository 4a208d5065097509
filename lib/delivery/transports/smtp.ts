import { createSmtpPool } from "@/lib/delivery/smtp/client"
import type { Transport } from "@/lib/delivery/transports/transport"
import type { RegionProfile } from "@/lib/platform/env/env"

/** A relay of the region: pooled SMTP connections, one transaction per recipient. */
export function smtpTransport({ smtp, ehloName }: Pick<RegionProfile, "smtp" | "ehloName">): Transport {
  return createSmtpPool(smtp, { ehloName })
}
