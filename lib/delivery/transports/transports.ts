import { probeSeconds } from "@/lib/delivery/regions/region-rules"
import { createSmtpPool } from "@/lib/delivery/smtp/client"
import { sandboxTransport } from "@/lib/delivery/transports/sandbox"
import type { Transport } from "@/lib/delivery/transports/transport"
import type { RegionProfile } from "@/lib/platform/env/env"

type Kind = {
  open(profile: RegionProfile): Transport
  /** Our own server, which may start a moment after the worker. */
  local: boolean
  /** Between two probes while the next hop is unreachable, over all workers. */
  probeSeconds: number
}

/**
 * The transports that a region's profile can name. A new one is a file beside this one, a line here,
 * and a variant of `RegionProfile` (lib/platform/env/settings.ts).
 */
export const transports: Record<RegionProfile["transport"], Kind> = {
  // A relay of the region: pooled SMTP connections, one transaction per recipient.
  smtp: {
    open: ({ smtp, ehloName }) => createSmtpPool(smtp, { ehloName }),
    local: false,
    probeSeconds: probeSeconds.remote,
  },
  sandbox: { open: sandboxTransport, local: true, probeSeconds: probeSeconds.sandbox },
}
