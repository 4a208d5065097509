import { feedbackHost, type ServiceNames } from "@/lib/domains/records/records"
import type { Region } from "@/lib/regions/regions"

/** What a Postfix on this machine has to know to be the relay of a region. */
export type RelayFacts = {
  region: Region
  service: ServiceNames
  /** Where Postfix takes email, on loopback. Port 25 of the other addresses is for returned mail. */
  relayPort: number
  /** Where Mailroom takes returned mail. */
  inboundPort: number
}

export type RelayConfig = {
  /** The whole of main.cf. */
  mainCf: string
  /** The line of master.cf that takes the place of the one that begins with `smtp inet`. */
  masterCf: string
  /** The name in Postfix's greeting, for which this server's address needs a record and reverse DNS. */
  hostName: string
  /** The line of `.env`. */
  env: string
}

/** Larger than every message that Mailroom composes; Postfix's own limit is 10 MB. */
const messageBytesMax = 40 * 2 ** 20

/** A Postfix that forwards what Mailroom hands it, changes nothing in it, and returns bounces to Mailroom. */
export function relayConfig({ region, service, relayPort, inboundPort }: RelayFacts): RelayConfig {
  const { serviceDomain } = service
  const hostName = `out.${region}.${serviceDomain}`
  const variable = `SMTP_URL_${region.toUpperCase().replaceAll("-", "_")}`
  return {
    mainCf: `compatibility_level = 3.6

# The name in the greeting: it needs an A record, and reverse DNS of this server's address with the same name.
myhostname = ${hostName}
myorigin = ${serviceDomain}

# Email from programs of this server alone, for recipients elsewhere alone.
inet_interfaces = loopback-only
mynetworks = 127.0.0.0/8 [::1]/128
mydestination =
alias_maps =
smtpd_relay_restrictions = permit_mynetworks, reject
# "all" once an IPv6 address of this server has reverse DNS, too.
inet_protocols = ipv4

# What was signed stays as it is.
local_header_rewrite_clients =
append_dot_mydomain = no
message_size_limit = ${messageBytesMax}

# TLS where the recipient's server offers it. With a validating resolver in /etc/resolv.conf:
# smtp_tls_security_level = dane and smtp_dns_support_level = dnssec
smtp_tls_security_level = may

maximal_queue_lifetime = 3d
bounce_queue_lifetime = 3d
delay_warning_time = 1h

# Bounces have an empty sender, and go to Mailroom without a way round. Those of other servers come to
# port 25 of ${feedbackHost(region, service)}.
empty_address_default_transport_maps_lookup_key = <>
sender_dependent_default_transport_maps = inline:{ { <> = smtp:[127.0.0.1]:${inboundPort} } }
`,
    masterCf: `127.0.0.1:${relayPort} inet n - n - - smtpd\n`,
    hostName,
    env: `${variable}=smtp://127.0.0.1:${relayPort}?delivered=dsn`,
  }
}
