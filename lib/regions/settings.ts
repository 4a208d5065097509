import { isIP } from "node:net"
import { z } from "zod"
import { parseUrl } from "@/lib/platform/url-rules"
import { areaSettings, parseVariables, type Env } from "@/lib/platform/env/env"
import { decoded, DnsServers, type Network, Networks, port, whole } from "@/lib/platform/env/fields"
import type { DnsHost } from "@/lib/platform/dns/dns"
import type { Region } from "@/lib/regions/regions"

export type SmtpTarget = {
  host: string
  port: number
  tls: "implicit" | "required" | "opportunistic" | "none"
  user?: string
  password?: string
  maxConnections: number
}

/** Amazon SES, by its API. */
export type SesTarget = {
  /** Of AWS, as in `eu-west-1`. */
  awsRegion: string
  /** Absent where AWS's default chain finds them: the environment, a profile, the role of the machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string }
  /** Instead of that of the AWS region. */
  endpoint?: string
  configurationSet?: string
  /** The URL of the SQS queue to which SES's events go. */
  events?: string
  /** The SNS topic that posts them to us. */
  topic?: string
  maxConnections: number
}

/** What makes a message `delivered`: the next hop's 250, a delivery report, an event of a provider, or nothing at all. */
export type Delivered = "accept" | "dsn" | "events" | "never"

const tlsModes = ["implicit", "required", "opportunistic", "none"] as const
const deliveredModes = ["accept", "dsn", "never"] as const satisfies readonly Delivered[]
const connectionsUsual = 10
/** To one server of a recipient. */
const directConnectionsUsual = 5
const directParameters = ["ehlo", "connections"]
const parameters = ["tls", "delivered", "ehlo", "connections"]
const sesConnectionsUsual = 20
const sesParameters = ["configuration-set", "events", "topic", "endpoint", "connections"]

/**
 * How a region sends in one line. `direct:` is the way to the recipients' own servers; it takes `ehlo` and `connections`.
 * A relay: `smtp://user:pass@host:587?tls=required&delivered=accept&ehlo=name&connections=10`.
 * `smtps://` means TLS from the first byte (RFC 8314). A password is never sent in the clear, except to loopback.
 * `delivered` defaults to `never`: a relay's 250 does not mean that the recipient's server has the message. `dsn` asks the relay
 * for reports, and counts as `never` until a loop test has shown that they would arrive (lib/delivery/regions/return-route-store.ts).
 * Amazon SES by its API: `ses://KEY:SECRET@eu-west-1?configuration-set=name&events=https://sqs.eu-west-1.amazonaws.com/1/queue`.
 */
const SmtpUrl = z.string().transform((text, context) => {
  const url = parseUrl(text)
  if (url?.protocol === "direct:") return directOf(url, context)
  if (url?.protocol === "ses:") return sesOf(url, context)
  if (/^ses:/i.test(text))
    return refuse(context, "is no URL: characters such as / and + in the secret are percent-encoded (%2F, %2B).")
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname)
    return refuse(context, "must be direct:, or an smtp://, smtps:// or ses:// URL.")

  refuseUnknown(context, url, parameters)

  const host = url.hostname.replace(/^\[|\]$/g, "")
  const user = url.username ? decoded(url.username) : undefined
  const implicit = url.protocol === "smtps:"
  const usual = implicit ? "implicit" : user ? "required" : "opportunistic"
  const tls = choice(context, "tls", tlsModes, url.searchParams.get("tls") ?? usual)
  const delivered = choice(context, "delivered", deliveredModes, url.searchParams.get("delivered") ?? "never")
  const maxConnections = connectionsOf(context, url, connectionsUsual)

  if (implicit && tls !== "implicit") refuse(context, "smtps:// cannot be combined with another tls.")
  if (user && (tls === "none" || tls === "opportunistic") && !isLoopback(host)) {
    refuse(context, "would send the password in the clear: use tls=required or smtps://.")
  }

  const port = Number(url.port) || (tls === "implicit" ? 465 : user ? 587 : 25)
  const password = url.password ? decoded(url.password) : undefined
  const smtp: SmtpTarget = { host, port, tls, user, password, maxConnections }
  return { transport: "smtp" as const, smtp, delivered, ehloName: url.searchParams.get("ehlo") ?? undefined }
})

/** A recipient's server that accepts a message has it: `delivered` is nothing to choose. */
function directOf(url: URL, context: z.RefinementCtx) {
  if (url.hostname || url.pathname) refuse(context, "direct: names no server.")
  refuseUnknown(context, url, directParameters)
  const maxConnections = connectionsOf(context, url, directConnectionsUsual)
  const ehloName = url.searchParams.get("ehlo") ?? undefined
  return { transport: "direct" as const, maxConnections, delivered: "accept" as const, ehloName }
}

const awsRegion = /^[a-z]{2}(?:-[a-z]+){1,3}-\d{1,2}$/
const setName = /^[\w-]{1,64}$/
const topicArn = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}(?:\.fifo)?$/

/** What SES accepts it reports later, where its events reach us. */
function sesOf(url: URL, context: z.RefinementCtx) {
  refuseUnknown(context, url, sesParameters)
  const given = (name: string) => url.searchParams.get(name) ?? undefined
  const [configurationSet, events, topic, endpoint] = ["configuration-set", "events", "topic", "endpoint"].map(given)
  if (!awsRegion.test(url.hostname)) refuse(context, "must name an AWS region after the @, as in ses://eu-west-1.")
  if (url.pathname !== "" && url.pathname !== "/") refuse(context, "takes nothing after the AWS region but parameters.")
  if (Boolean(url.username) !== Boolean(url.password))
    refuse(context, "must hold an access key and its secret, or neither.")
  if (configurationSet !== undefined && !setName.test(configurationSet))
    refuse(context, "configuration-set must be the name of one: letters, digits, - and _.")
  for (const [name, value] of [
    ["events", events],
    ["endpoint", endpoint],
  ] as const)
    if (value !== undefined && !isSafeUrl(value)) refuse(context, `${name} must be an https URL.`)
  if (topic !== undefined && !topicArn.test(topic)) refuse(context, "topic must be the ARN of an SNS topic.")
  const isReported = events !== undefined || topic !== undefined
  if (isReported && configurationSet === undefined)
    refuse(context, "events and topic need configuration-set: SES sends events of configuration sets alone.")
  const ses: SesTarget = {
    awsRegion: url.hostname,
    ...(url.username && {
      credentials: { accessKeyId: decoded(url.username), secretAccessKey: decoded(url.password) },
    }),
    ...{ configurationSet, events, topic, endpoint },
    maxConnections: connectionsOf(context, url, sesConnectionsUsual),
  }
  return {
    transport: "ses" as const,
    ses,
    delivered: isReported ? ("events" as const) : ("never" as const),
    ehloName: undefined,
  }
}

/** Nothing goes in the clear but to servers of this machine. */
function isSafeUrl(text: string): boolean {
  const url = parseUrl(text)
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname.replace(/^\[|\]$/g, "")))
}

function refuseUnknown(context: z.RefinementCtx, url: URL, known: readonly string[]): void {
  const unknown = [...url.searchParams.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0) refuse(context, `does not know ${unknown.join(", ")}; it knows ${known.join(", ")}.`)
}

function connectionsOf(context: z.RefinementCtx, url: URL, usual: number): number {
  const connections = Number(url.searchParams.get("connections") ?? usual)
  if (!Number.isInteger(connections) || connections < 1 || connections > 1000)
    refuse(context, "connections must be a whole number from 1 to 1000.")
  return connections
}

function choice<T extends string>(context: z.RefinementCtx, name: string, allowed: readonly T[], given: string): T {
  return allowed.find((value) => value === given) ?? refuse(context, `${name} must be one of ${allowed.join(", ")}.`)
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message })
  return z.NEVER
}

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
type InboundSettings = {
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
