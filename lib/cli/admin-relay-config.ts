import { flags, regionArgument } from "@/lib/cli/admin-arguments"
import { relayConfig, type RelayConfig } from "@/lib/delivery/setup/relay-config"
import { env } from "@/lib/platform/env/env"
import { regionSettings } from "@/lib/regions/settings"
import { isLoopback } from "@/lib/regions/smtp-url"

/** Not 25, which returned mail comes to. */
const usualRelayPort = 10_025

/** Prints the configuration of a Postfix on this server as a region's relay: JSON, and the files as text on stderr. */
export function relayConfigOf(args: string[]): () => Promise<RelayConfig> {
  const region = regionArgument(flags(args, "region").region)
  return async () => {
    const { profiles, inbound } = regionSettings()
    const profile = profiles[region]
    const own = profile.transport === "smtp" && isLoopback(profile.smtp.host) ? profile.smtp.port : usualRelayPort
    const config = relayConfig({ region, service: env(), relayPort: own, inboundPort: inbound.port })
    process.stderr.write(asText(config))
    return config
  }
}

function asText({ mainCf, masterCf, env: line, hostName }: RelayConfig): string {
  return `/etc/postfix/main.cf, as a whole:

${mainCf}
/etc/postfix/master.cf, in place of the line that begins with "smtp inet":

${masterCf}
At your DNS provider, and for its reverse DNS at the company that rents you the server:

${hostName} A the address of this server
the address of this server PTR ${hostName}

.env of Mailroom:

${line}

Then run "postfix check && systemctl restart postfix", restart Mailroom, and run the loop test of the region.
`
}
