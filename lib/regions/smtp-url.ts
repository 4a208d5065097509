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

/** What makes a message `delivered`: the next hop's 250, a delivery report, or nothing at all. */
export type Delivered = "accept" | "dsn" | "never"

const tlsModes = ["implicit", "required", "opportunistic", "none"] as const
const deliveredModes = ["accept", "dsn", "never"] as const satisfies readonly Delivered[]
const connectionsUsual = 10
/** To one server of a recipient. */
const directConnectionsUsual = 5
const directParameters = ["ehlo", "connections"]
const parameters = ["tls", "delivered", "ehlo", "connections"]

/**
 * How a region sends in one line. `direct:` is the way to the recipients' own servers; it takes `ehlo` and `connections`.
 * A relay: `smtp://user:pass@host:587?tls=required&delivered=accept&ehlo=name&connections=10`.
 * `smtps://` means TLS from the first byte (RFC 8314). A password is never sent in the clear, except to loopback.
 * `delivered` defaults to `never`: a relay's 250 does not mean that the recipient's server has the message. `dsn` asks the relay
 * for reports, and counts as `never` until a loop test has shown that they would arrive (lib/delivery/regions/return-route-store.ts).
 */
export const SmtpUrl = z.string().transform((text, context) => {
  const url = parseUrl(text)
  if (url?.protocol === "direct:") return directOf(url, context)
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname)
    return refuse(context, "must be direct:, or an smtp:// or smtps:// URL.")

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
