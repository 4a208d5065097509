import { probeSeconds } from "@/lib/delivery/regions/region-rules"
import { createSmtpPool } from "@/lib/delivery/smtp/client"
import type { Transport } from "@/lib/delivery/transports/transport"
import { type RegionProfile, regionSettings } from "@/lib/regions/settings"

type Kind = {
  /** Our own server, which may start a moment after the worker. */
  local: boolean
  /** Between two probes while the next hop is unreachable, over all workers. */
  probeSeconds: number
}

/** The transports that a region's profile can name (lib/regions/settings.ts). A new one is a file beside this one, and a line in both of these. */
export function openTransport(profile: RegionProfile): Transport {
  switch (profile.transport) {
    case "smtp":
      // A relay of the region: pooled SMTP connections, one transaction per recipient.
      return createSmtpPool(profile.smtp, { ehloName: profile.ehloName })
    case "sandbox":
      return sandboxTransport(profile)
  }
}

export const transportKinds: Record<RegionProfile["transport"], Kind> = {
  smtp: { local: false, probeSeconds: probeSeconds.remote },
  sandbox: { local: true, probeSeconds: probeSeconds.sandbox },
}

/** The sandbox's own mail server on this machine, over the same SMTP as a relay. */
export function sandboxTransport({ ehloName }: Pick<RegionProfile, "ehloName">): Transport {
  const target = { host: "127.0.0.1", port: regionSettings().sandboxSmtpPort, tls: "none", maxConnections: 5 } as const
  return createSmtpPool(target, { ehloName })
}
