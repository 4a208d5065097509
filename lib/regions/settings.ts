import { z } from "zod"
import { areaSettings, parseVariables, type Env } from "@/lib/platform/env/env"
import { DnsServers, type Network, Networks, port, whole } from "@/lib/platform/env/fields"
import type { DnsHost } from "@/lib/platform/dns/types"
import type { Region } from "@/lib/regions/regions"
import { type Delivered, isLoopback, type SesTarget, SmtpUrl, type SmtpTarget } from "@/lib/regions/smtp-url"

/** How email leaves from one region: by its own transport, each with what only that needs. */
export type RegionProfile = { region: Region; ehloName: string; delivered: Delivered } & (
  | { transport: "smtp"; smtp: SmtpTarget }
  // The servers of the recipients' domains.
  | { transport: "direct"; maxConnections: number }
  | { transport: "ses"; ses: SesTarget }
  // Our own mail server on loopback, at `sandboxSmtpPort`.
  | { transport: "sandbox" }
)

export type RegionSettings = {
  profiles: Record<Region, RegionProfile>
  sandboxSmtpPort: number
  sandboxDnsPort: number
  inbound: InboundSettings
  direct: DirectSettings
}

/** What the direct transport of any region goes by. */
export type DirectSettings = {
  /** Whom it asks for routes; those of the operating system where none are named. */
  resolvers: readonly DnsHost[]
  /** What they say of DNSSEC is believed. */
  trusted: boolean
  /** Private networks in which recipients' servers may be. */
  networks: readonly Network[]
  /** Of recipients' servers, and of the hosts of MTA-STS policies: 25 and 443, but in tests. */
  port: number
  policyPort: number
}

/**
 * Where returned mail is taken: on all addresses if the operator names the port or a region sends through a relay; else on
 * loopback, for what the sandbox returns.
 */
export type InboundSettings = {
  port: number
  host: string | undefined
  /** The operator has set INBOUND_PORT. */
  isNamed: boolean
}

/** Where a region's mail leaves to, as it is shown: a change of it is another way. */
export function nextHopOf(profile: RegionProfile): string {
  if (profile.transport === "smtp") return `${profile.smtp.host}:${profile.smtp.port}`
  return profile.transport === "ses" ? sesHostOf(profile.ses) : profile.transport
}

/** The server of SES's API, by its host and port where that is not the usual one. */
export function sesHostOf({ awsRegion, endpoint }: Pick<SesTarget, "awsRegion" | "endpoint">): string {
  return endpoint === undefined ? `email.${awsRegion}.amazonaws.com` : new URL(endpoint).host
}

const notSet = 0

/** Servers as in DNS_SERVERS; `?trusted` at the end believes what they say of DNSSEC although they are elsewhere. */
const MxDns = z
  .string()
  .default("")
  .transform((text) => ({ text: text.replace(/\?trusted$/, ""), trusted: text.endsWith("?trusted") }))
  .transform(({ text, trusted }, context) => {
    const servers = DnsServers.safeParse(text)
    if (servers.success) return { servers: servers.data, trusted }
    for (const { message } of servers.error.issues) context.addIssue({ code: "custom", message })
    return z.NEVER
  })

/** The part of the configuration that says how email leaves, checked at start together with the rest. */
export const RegionVariables = z
  .object({
    SANDBOX_SMTP_PORT: port(2525),
    SANDBOX_DNS_PORT: port(2553),
    INBOUND_PORT: whole(1, 65_535, notSet),
    MX_DNS: MxDns,
    ALLOW_PRIVATE_MX: Networks,
    DIRECT_PORT: port(25),
    STS_PORT: port(443),
    NODE_ENV: z.string().optional(),
    SMTP_URL: SmtpUrl.optional(),
    SMTP_URL_US_EAST_1: SmtpUrl.optional(),
    SMTP_URL_EU_WEST_1: SmtpUrl.optional(),
    SMTP_URL_AF_SOUTH_1: SmtpUrl.optional(),
    SMTP_URL_AP_SOUTHEAST_1: SmtpUrl.optional(),
  })
  .superRefine((given, context) => {
    if (given.NODE_ENV === "test" || given.NODE_ENV === "development") return
    for (const [name, usual] of [
      ["DIRECT_PORT", 25],
      ["STS_PORT", 443],
    ] as const)
      if (given[name] !== usual) context.addIssue({ code: "custom", path: [name], message: "is for tests alone." })
  })

/** @throws EnvInvalid with every fault at once */
export const regionSettings = areaSettings(parseRegionSettings)

export function parseRegionSettings(
  variables: Record<string, string | undefined>,
  { serviceDomain, dnsServers }: Pick<Env, "serviceDomain" | "dnsServers">,
): RegionSettings {
  const given = parseVariables(variables, RegionVariables)
  const profile = (region: Region, own: typeof given.SMTP_URL): RegionProfile => {
    const route = own ?? given.SMTP_URL ?? sandbox
    const usualName = route.transport === "direct" ? `out.${region}.${serviceDomain}` : `${region}.${serviceDomain}`
    return { region, ...route, ehloName: route.ehloName ?? usualName }
  }
  const { servers, trusted } = given.MX_DNS
  const isRelayed = Object.entries(given).some(([name, value]) => name.startsWith("SMTP_URL") && value !== undefined)
  return {
    profiles: {
      "us-east-1": profile("us-east-1", given.SMTP_URL_US_EAST_1),
      "eu-west-1": profile("eu-west-1", given.SMTP_URL_EU_WEST_1),
      "af-south-1": profile("af-south-1", given.SMTP_URL_AF_SOUTH_1),
      "ap-southeast-1": profile("ap-southeast-1", given.SMTP_URL_AP_SOUTHEAST_1),
    },
    sandboxSmtpPort: given.SANDBOX_SMTP_PORT,
    sandboxDnsPort: given.SANDBOX_DNS_PORT,
    inbound: inboundOf(given.INBOUND_PORT, isRelayed),
    direct: {
      resolvers: servers.length > 0 ? servers : dnsServers,
      trusted: servers.length > 0 && (trusted || servers.every(({ host }) => isLoopback(host))),
      networks: given.ALLOW_PRIVATE_MX,
      port: given.DIRECT_PORT,
      policyPort: given.STS_PORT,
    },
  }
}

const sandbox = { transport: "sandbox", delivered: "accept", ehloName: undefined } as const

const inboundPort = 2526

function inboundOf(port: number, isRelayed: boolean): InboundSettings {
  const isNamed = port !== notSet
  return { port: port || inboundPort, host: isNamed || isRelayed ? undefined : "127.0.0.1", isNamed }
}
