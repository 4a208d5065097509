import { isIP } from "node:net"
import { z } from "zod"
import { parseUrl } from "@/lib/platform/url-rules"

/** What a host can run; by default it runs all of it. */
export const processRoles = ["web", "worker", "mail", "sandbox"] as const
export type ProcessRole = (typeof processRoles)[number]

export const Roles = list<ProcessRole>(
  (text) => processRoles.find((role) => role === text) ?? null,
  `is not one of ${processRoles.join(", ")}`,
).transform((named): readonly ProcessRole[] => (named.length > 0 ? named : processRoles))

/** Services whose API is answered beside our own, for the programs that use their SDKs. */
export const faceNames = ["resend", "sendgrid", "postmark", "mailgun"] as const
export type FaceName = (typeof faceNames)[number]

/** All of them, unless a list names fewer; `none` is no name. */
export const Faces = list<FaceName | "none">(
  (text) => [...faceNames, "none" as const].find((name) => name === text) ?? null,
  `is not one of ${faceNames.join(", ")} and none`,
).transform((named): readonly FaceName[] =>
  named.length > 0 ? named.filter((name): name is FaceName => name !== "none") : faceNames,
)

export const IpAddress = z
  .string()
  .refine((text) => isIP(text) > 0, "must be an address to listen on, such as 127.0.0.1 or 0.0.0.0.")

export const port = (fallback: number) => whole(1, 65_535, fallback)

/** The service domain of an installation that has set none: its sandbox answers for it, and nobody outside. */
export const sandboxServiceDomain = "mailroom.test"

/** The name of a cell, wherever it is read: in settings, keys and questions of other cells. */
export const cellName = "[a-z0-9]{2,8}"

export const Cell = z.string().regex(new RegExp(`^${cellName}$`), "must be 2 to 8 of a-z and 0-9.")

/** A cell with its BASE_URL. */
export type CellAddress = { cell: string; address: string }

const cellsMax = 50

export const Cells = list<CellAddress>(
  (text) => {
    const [cell = "", address = "", more] = text.split("=")
    const origin = Origin.safeParse(address)
    const isSafe = origin.success && (origin.data.startsWith("https:") || isLoopback(new URL(origin.data).hostname))
    return Cell.safeParse(cell).success && isSafe && more === undefined ? { cell, address: origin.data } : null
  },
  "is not a cell with its https address, such as eu1=https://eu1.mail.example.com",
  /[\s,]+/,
)
  .refine((cells) => cells.length <= cellsMax, `must have at most ${cellsMax} cells.`)
  .refine(
    (cells) => [cells.map(({ cell }) => cell), cells.map(({ address }) => address)].every(allDiffer),
    "must name each cell and each address once.",
  )

export const hostnameField = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^(?=.{1,253}$)([a-z0-9_]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/,
    "is not a host name.",
  )

/** A host name below which records can be published. */
export const domainField = hostnameField.regex(/[^0-9.][^.]*$/, "is an IP address: it must be a domain.")

export const Origin = z.string().transform((text, context) => {
  const url = parseUrl(text)
  if (url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash && !url.username)
    return url.origin
  return fault(context, "must be an origin such as https://mail.example.com, without a path.")
})

/** A URI as security.txt wants it; a bare address gets its scheme. */
export const SecurityContact = z.string().transform((text, context) => {
  if (/^[^\s@:/]+@[^\s@:/]+$/.test(text)) return `mailto:${text}`
  const url = parseUrl(text)
  if (url && (url.protocol === "https:" || (url.protocol === "mailto:" && url.pathname.includes("@")))) return url.href
  return fault(context, "must be an address or an https:// page, such as security@example.com.")
})

export const DatabaseUrl = z.string().superRefine((text, context) => {
  const message = faultOfDatabaseUrl(text)
  if (message) context.addIssue({ code: "custom", message })
})

const keyAdvice = "An installation that runs already needs its own key; for a new one: openssl rand -base64 32"

export const SecretKey = z.string().transform((text, context) => {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64")
  if (key.length !== 32) return fault(context, `must be 32 bytes in base64 or hex. ${keyAdvice}`)
  // 32 random bytes hold 30 different ones on average, and under 16 never; a typed or default key holds few.
  if (new Set(key).size < 16) return fault(context, `is not random. ${keyAdvice}`)
  return key
})

export const DnsServers = list((text) => {
  const [, host, port] = /^\[([^\]]+)\](?::(\d+))?$/.exec(text) ?? /^([^:]+)(?::(\d+))?$/.exec(text) ?? []
  const number = Number(port ?? 53)
  return host && isIP(host) && number > 0 && number < 65_536 ? { host, port: number } : null
}, "is not ip:port")

/** A network: the address it begins with, and the length of its prefix in bits. */
export type Network = { address: string; prefix: number }

export const Networks = list<Network>((text) => {
  const [address = "", length = ""] = text.split("/")
  const family = isIP(address)
  const prefix = /^[0-9]{1,3}$/.test(length) ? Number(length) : Infinity
  return family && prefix <= (family === 4 ? 32 : 128) ? { address, prefix } : null
}, "is not a network such as 10.0.0.0/8 or fd00::/8")

export function whole(min: number, max: number, fallback: number) {
  const message = `must be a whole number from ${min} to ${max}.`
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((number) => number >= min && number <= max, message)
    .default(fallback)
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\./.test(host)
}

function allDiffer(names: readonly string[]): boolean {
  return new Set(names).size === names.length
}

function list<T>(read: (text: string) => T | null, complaint: string, separator: string | RegExp = ",") {
  return z
    .string()
    .default("")
    .transform((text, context) => {
      const parts = text
        .split(separator)
        .map((part) => part.trim())
        .filter(Boolean)
      return parts.flatMap((part) => read(part) ?? fault(context, `"${part}" ${complaint}.`))
    })
}

function fault(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message })
  return z.NEVER
}

/** Scheme and user, hosts, and the rest of a URL that may name several hosts, as libpq does: `postgresql://u@a:5432,b/mailroom`. */
const parts = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

const sought = /([?&])target_session_attrs=([^&]*)(&|$)/

/** A URL for each host that a database URL names; we go to the one that takes writes, so the parameter that says so is left out. */
export function urlsOfHosts(databaseUrl: string): string[] {
  const [, before = "", hosts = "", after = ""] = parts.exec(databaseUrl) ?? []
  const rest = after.replace(sought, (_, first: string, __, last: string) => (last === "&" ? first : ""))
  return hosts.split(",").map((host) => `${before}${host}${rest}`)
}

/** What is wrong with a database URL; null where nothing is. */
export function faultOfDatabaseUrl(databaseUrl: string): string | null {
  if (!urlsOfHosts(databaseUrl).every((url) => /^postgres(ql)?:$/.test(parseUrl(url)?.protocol ?? "")))
    return "must be a postgresql:// URL; several hosts are separated by commas: postgresql://user@a:5432,b:5432/mailroom."
  const wanted = sought.exec(databaseUrl)?.[2] ?? "read-write"
  if (!["read-write", "primary"].includes(wanted))
    return `must lead to a server that takes writes: target_session_attrs=read-write, not ${wanted}.`
  return null
}

export type S3Target = {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/**
 * A bucket in one line: `s3://KEY:SECRET@s3.eu-west-1.amazonaws.com/bucket?region=eu-west-1`. Key and secret are
 * percent-encoded; `tls=none` is for servers of the same machine or network.
 */
export const S3Url = z.string().transform((text, context): S3Target => {
  const url = parseUrl(text)
  const [, bucket, ...rest] = url?.pathname.split("/") ?? []
  const region = url?.searchParams.get("region") ?? ""
  const tls = url?.searchParams.get("tls") ?? "required"
  const unknown = [...(url?.searchParams.keys() ?? [])].filter((name) => name !== "region" && name !== "tls")

  if (url?.protocol !== "s3:" || !url.hostname) return refuse(context, "must be an s3:// URL.")
  if (!url.username || !url.password)
    return refuse(context, "must hold the key and its secret: s3://KEY:SECRET@host/bucket.")
  if (!bucket || rest.some(Boolean)) return refuse(context, "must name one bucket after the host.")
  if (!/^[a-z0-9-]{1,40}$/.test(region)) return refuse(context, "must name the region: ?region=eu-west-1.")
  if (tls !== "required" && tls !== "none") return refuse(context, "tls must be required or none.")
  if (unknown.length > 0) return refuse(context, `does not know ${unknown.join(", ")}; it knows region, tls.`)

  return {
    endpoint: `${tls === "none" ? "http" : "https"}://${url.host}`,
    region,
    bucket,
    accessKeyId: decoded(url.username),
    secretAccessKey: decoded(url.password),
  }
})

/** A part of a URL whose percent signs are taken as they are where they encode nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message })
  return z.NEVER
}
