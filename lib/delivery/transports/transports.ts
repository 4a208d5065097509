import { openDirect } from "@/lib/delivery/direct/transport"
import { probeSeconds } from "@/lib/delivery/regions/region-rules"
import { openSes } from "@/lib/delivery/ses/transport"
import { createSmtpPool } from "@/lib/delivery/smtp/client"
import type { SmtpLimits } from "@/lib/delivery/smtp/connection"
import type { Transport } from "@/lib/delivery/transports/transport"
import { type RegionProfile, regionSettings } from "@/lib/regions/settings"

type Kind = {
  /** Our own server, which may start a moment after the worker. */
  local: boolean
  /** All of its mail goes through one server, which may refuse everybody. */
  hasOneServer: boolean
  /** Between two probes while the next hop is unreachable, over all workers. */
  probeSeconds: number
}

/** The transports that a region's profile can name (lib/regions/settings.ts). A new one is a file beside this one, and a line in both of these. */
export function openTransport(profile: RegionProfile, limits: Partial<SmtpLimits> = {}): Transport {
  switch (profile.transport) {
    case "smtp":
      // A relay of the region: pooled SMTP connections, one transaction per recipient.
      return createSmtpPool(profile.smtp, { ehloName: profile.ehloName, ...limits })
    case "direct":
      // The recipients' own servers, found by their domains' MX records.
      return openDirect(profile)
    case "ses":
      // Amazon SES, by its API.
      return openSes(profile.ses)
    case "sandbox":
      return sandboxTransport(profile, limits)
  }
}

export const transportKinds: Record<RegionProfile["transport"], Kind> = {
  smtp: { local: false, hasOneServer: true, probeSeconds: probeSeconds.remote },
  direct: { local: false, hasOneServer: false, probeSeconds: probeSeconds.remote },
  ses: { local: false, hasOneServer: true, probeSeconds: probeSeconds.remote },
  sandbox: { local: true, hasOneServer: true, probeSeconds: probeSeconds.sandbox },
}

/** The sandbox's own mail server on this machine, over the same SMTP as a relay. */
export function sandboxTransport(
  { ehloName }: Pick<RegionProfile, "ehloName">,
  limits: Partial<SmtpLimits> = {},
): Transport {
  const target = { host: "127.0.0.1", port: regionSettings().sandboxSmtpPort, tls: "none", maxConnections: 5 } as const
  return createSmtpPool(target, { ehloName, ...limits })
}
