import { z } from "zod"
import { areaSettings, parseVariables, type Env } from "@/lib/platform/env/env"
import { port, whole } from "@/lib/platform/env/fields"
import type { Region } from "@/lib/regions/regions"
import { SmtpUrl, type Delivered, type SmtpTarget } from "@/lib/regions/smtp-url"

/** How email leaves from one region: by its own transport, each with what only that needs. */
export type RegionProfile = { region: Region; ehloName: string; delivered: Delivered } & (
  | { transport: "smtp"; smtp: SmtpTarget }
  // Our own mail server on loopback, at `sandboxSmtpPort`.
  | { transport: "sandbox" }
)

export type RegionSettings = {
  profiles: Record<Region, RegionProfile>
  sandboxSmtpPort: number
  sandboxDnsPort: number
  inbound: InboundSettings
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
  return profile.transport === "smtp" ? `${profile.smtp.host}:${profile.smtp.port}` : profile.transport
}

const notSet = 0

/** The part of the configuration that says how email leaves, checked at start together with the rest. */
export const RegionVariables = z.object({
  SANDBOX_SMTP_PORT: port(2525),
  SANDBOX_DNS_PORT: port(2553),
  INBOUND_PORT: whole(1, 65_535, notSet),
  SMTP_URL: SmtpUrl.optional(),
  SMTP_URL_US_EAST_1: SmtpUrl.optional(),
  SMTP_URL_EU_WEST_1: SmtpUrl.optional(),
  SMTP_URL_AF_SOUTH_1: SmtpUrl.optional(),
  SMTP_URL_AP_SOUTHEAST_1: SmtpUrl.optional(),
})

/** @throws EnvInvalid with every fault at once */
export const regionSettings = areaSettings(parseRegionSettings)

export function parseRegionSettings(
  variables: Record<string, string | undefined>,
  { serviceDomain }: Pick<Env, "serviceDomain">,
): RegionSettings {
  const given = parseVariables(variables, RegionVariables)
  const profile = (region: Region, own: typeof given.SMTP_URL): RegionProfile => {
    const route = own ?? given.SMTP_URL ?? sandbox
    return { region, ...route, ehloName: route.ehloName ?? `${region}.${serviceDomain}` }
  }
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
  }
}

const sandbox = { transport: "sandbox", delivered: "accept", ehloName: undefined } as const

const inboundPort = 2526

function inboundOf(port: number, isRelayed: boolean): InboundSettings {
  const isNamed = port !== notSet
  return { port: port || inboundPort, host: isNamed || isRelayed ? undefined : "127.0.0.1", isNamed }
}
