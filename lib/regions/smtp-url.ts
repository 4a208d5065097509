import { isIP } from "node:net"
import { z } from "zod"
import { parseUrl } from "@/lib/platform/url-rules"

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
export const SmtpUrl = z.string().transform((text, context) => {
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message })
  return z.NEVER
}
