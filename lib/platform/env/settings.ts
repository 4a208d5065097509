import { z } from "zod"
import { decodeId } from "@/lib/platform/ids"
import { parseUrl } from "@/lib/platform/url-rules"
import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import {
  Cell,
  Cells,
  DatabaseUrl,
  DnsServers,
  Faces,
  domainField,
  IpAddress,
  Networks,
  Origin,
  port,
  Roles,
  sandboxServiceDomain,
  SecretKey,
  SecurityContact,
  whole,
  S3Url,
} from "@/lib/platform/env/fields"

/** What the operator registered at an identity provider: the application's id and secret, and where the provider is. */
export type IdentityProvider = { clientId: string; clientSecret: string; origin: string }

/** The members of a group get this role in an organization. */
export type GroupRole = { group: string; organizationId: string; role: "owner" | "admin" | "developer" | "viewer" }

/** A provider that speaks OpenID Connect, with the roles that its groups give. */
export type OidcProvider = Omit<IdentityProvider, "origin"> & {
  /** As the provider calls itself, without a slash at the end. */
  issuer: string
  name: string
  scopes: string
  groupsClaim: string
  roles: readonly GroupRole[]
}

const origin = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text, context) => {
      const url = parseUrl(text)
      if (url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash && !url.username)
        return url.origin
      context.addIssue({ code: "custom", message: `must be an origin such as ${fallback}, without a path.` })
      return z.NEVER
    })

const issuer = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined) return undefined
    const url = parseUrl(text)
    if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username)
      return text.replace(/\/$/, "")
    context.addIssue({ code: "custom", message: "must be a URL such as https://id.example.com/realms/acme." })
    return z.NEVER
  })

/** A group's name may have commas and equals signs, as in directories: this tells where it ends. */
const roleOfGroup = /=(org_[0-9a-z]+):(owner|admin|developer|viewer)\s*(?:,|$)/g

const groupRoles = z
  .string()
  .default("")
  .transform((text, context) => {
    const found: GroupRole[] = []
    let end = 0
    for (const { 0: whole, 1: organization = "", 2: role, index } of text.matchAll(roleOfGroup)) {
      const group = text.slice(end, index).trim()
      const organizationId = decodeId("org", organization)
      if (!group || !organizationId) break
      found.push({ group, organizationId, role: role as GroupRole["role"] })
      end = index + whole.length
    }
    const rest = text.slice(end).trim()
    if (!rest) return found
    const form = "must be a list such as mail-admins=org_…:admin, mail-team=org_…:viewer"
    context.addIssue({ code: "custom", message: `${form}; "${rest}" is none.` })
    return z.NEVER
  })

/** The variables of sign-in by GitHub, Google and a provider of OpenID Connect. */
const identityVariables = {
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GITHUB_URL: origin("https://github.com"),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: origin("https://accounts.google.com"),
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().trim().max(40, "must have at most 40 characters.").default("single sign-on"),
  OIDC_SCOPES: z.string().default("openid email"),
  OIDC_GROUPS_CLAIM: z.string().default("groups"),
  OIDC_ROLES: groupRoles,
}

type Given = z.output<z.ZodObject<typeof identityVariables>>

/** A part of what belongs together is a mistake, not "off". */
function refuseParts(given: Given, context: z.RefinementCtx) {
  for (const name of ["GITHUB", "GOOGLE"] as const) {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`] as const
    if (given[id] && !given[secret])
      context.addIssue({ code: "custom", path: [secret], message: `must be set with ${id}.` })
    if (given[secret] && !given[id])
      context.addIssue({ code: "custom", path: [id], message: `must be set with ${secret}.` })
  }
  const oidc = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const
  const begun = oidc.find((name) => given[name]) ?? (given.OIDC_ROLES.length ? "OIDC_ROLES" : undefined)
  for (const name of oidc)
    if (begun && !given[name]) context.addIssue({ code: "custom", path: [name], message: `must be set with ${begun}.` })
}

type IdentitySettings = {
  github: IdentityProvider | null
  google: IdentityProvider | null
  oidc: OidcProvider | null
}

function identitySettings(given: Given): IdentitySettings {
  return {
    oidc: oidcProvider(given),
    github: provider(given.GITHUB_CLIENT_ID, given.GITHUB_CLIENT_SECRET, given.GITHUB_URL),
    google: provider(given.GOOGLE_CLIENT_ID, given.GOOGLE_CLIENT_SECRET, given.GOOGLE_ISSUER),
  }
}

function provider(clientId: string | undefined, clientSecret: string | undefined, at: string): IdentityProvider | null {
  return clientId && clientSecret ? { clientId, clientSecret, origin: at } : null
}

function oidcProvider(given: Given): OidcProvider | null {
  const { OIDC_ISSUER: issuedBy, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = given
  if (!issuedBy || !clientId || !clientSecret) return null
  const { OIDC_NAME: name, OIDC_SCOPES: scopes, OIDC_GROUPS_CLAIM: groupsClaim, OIDC_ROLES: roles } = given
  return { issuer: issuedBy, clientId, clientSecret, name, scopes, groupsClaim, roles }
}

/** The value of LEAVE_SECONDS where it is not given: whether somebody must notice that a process leaves follows from the proxies. */
const asProxied = -1

function leaveSecondsOf(proxyHops: number): number {
  return proxyHops > 0 ? 5 : 0
}

function baseUrlOf({ BASE_URL, PORT }: { BASE_URL?: string | undefined; PORT: number }): string {
  return BASE_URL ?? `http://localhost:${PORT}`
}

export type Settings = z.output<typeof Variables>

/** Validates the variables and turns them into settings; the path of each issue is a variable's name. */
export function settingsOf(variables: Record<string, unknown>) {
  return Variables.safeParse(variables)
}

const Variables = z
  .object({
    NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
    ROLES: Roles,
    CELL: Cell.optional(),
    CELLS: Cells,
    HOST: IpAddress.optional(),
    PORT: port(3000),
    BASE_URL: Origin.optional(),
    API_FACES: Faces,
    API_MOUNT: z.enum(["direct", "next"], { error: "must be direct or next." }).default("direct"),
    SERVICE_DOMAIN: domainField.default(sandboxServiceDomain),
    REPORT_DOMAIN: domainField.optional(),
    SYSTEM_FROM: z
      .string()
      .regex(/^[^\s@<>",;:\\]+@[^\s@<>",;:\\]+$/, "is not an address.")
      .optional(),
    SECURITY_CONTACT: SecurityContact.optional(),
    DATABASE_URL: DatabaseUrl.optional(),
    DATABASE_DIRECT_URL: DatabaseUrl.optional(),
    DATA_DIR: z
      .string()
      .default(".data")
      .transform((path) => resolve(path)),
    SECRET_KEY: SecretKey.optional(),
    WEB_PROCESSES: whole(1, 256, availableParallelism()),
    METRICS_PORT: port(9464),
    METRICS_HOST: IpAddress.default("127.0.0.1"),
    TLS_CERT: z.string().optional(),
    TLS_KEY: z.string().optional(),
    TRUSTED_PROXY_HOPS: whole(0, 16, 0),
    LEAVE_SECONDS: whole(0, 60, asProxied),
    DNS_SERVERS: DnsServers,
    ALLOW_PRIVATE_WEBHOOKS: Networks,
    KEEP_EVENTS_DAYS: whole(90, 36_500, 400),
    KEEP_ATTEMPTS_DAYS: whole(1, 36_500, 90),
    KEEP_BODIES_DAYS: whole(1, 36_500, 90),
    STREAMS_PER_PROJECT: whole(1, 100_000, 100),
    FAILED_CREDENTIALS_PER_MINUTE: whole(1, 1_000_000, 300),
    PUBLIC_REQUESTS_PER_MINUTE: whole(1, 1_000_000, 300),
    SIGN_IN_TRIES_PER_ACCOUNT: whole(1, 1_000_000, 20),
    SIGN_IN_TRIES_PER_ADDRESS: whole(1, 1_000_000, 100),
    S3_URL: S3Url.optional(),
    LOG_OUTPUT: z.enum(["files", "stdout"], { error: "must be files or stdout." }).default("files"),
    LOG_LEVEL: z
      .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
        error: "must be trace, debug, info, warn, error, fatal or silent.",
      })
      .default("info"),
    ...identityVariables,
  })
  // `when`: checks this even if another variable is invalid, so that one start shows every fault.
  .refine((given) => !given.DATABASE_URL || given.SECRET_KEY !== undefined, {
    path: ["SECRET_KEY"],
    error:
      "must be set when DATABASE_URL is set: to the key that this database was set up with; for a new database make one with: openssl rand -base64 32",
    when: ({ value, issues }) =>
      typeof value === "object" && value !== null && !issues.some((issue) => issue.path?.[0] === "SECRET_KEY"),
  })
  .refine((given) => !given.DATABASE_DIRECT_URL || given.DATABASE_URL !== undefined, {
    path: ["DATABASE_DIRECT_URL"],
    error: "needs DATABASE_URL, the address of the pooler; without a pooler DATABASE_URL alone is set.",
  })
  .superRefine(refuseParts)
  .refine((given) => (given.TLS_CERT === undefined) === (given.TLS_KEY === undefined), {
    path: ["TLS_CERT"],
    error: "must be set together with TLS_KEY.",
  })
  .refine(({ CELL, CELLS }) => CELLS.length === 0 || CELL !== undefined, {
    path: ["CELLS"],
    error: "needs CELL, the name of this one.",
  })
  .refine(
    (given) => given.CELLS.every(({ cell, address }) => (cell === given.CELL) === (address === baseUrlOf(given))),
    {
      path: ["CELLS"],
      error: "must have this cell, if at all, with the address in BASE_URL, and no other one with it.",
    },
  )
  .transform((given) => ({
    mode: given.NODE_ENV,
    // In development Next serves the API too, because it follows edits.
    apiMount: given.NODE_ENV === "development" ? "next" : given.API_MOUNT,
    apiFaces: given.API_FACES,
    roles: given.ROLES,
    cell: given.CELL,
    /** The other cells. */
    peers: given.CELLS.filter(({ cell }) => cell !== given.CELL),
    host: given.HOST,
    port: given.PORT,
    baseUrl: baseUrlOf(given),
    serviceDomain: given.SERVICE_DOMAIN,
    reportDomain: given.REPORT_DOMAIN ?? `dmarc.${given.SERVICE_DOMAIN}`,
    systemFrom: given.SYSTEM_FROM ?? `no-reply@${given.SERVICE_DOMAIN}`,
    securityContact: given.SECURITY_CONTACT,
    databaseUrl: given.DATABASE_DIRECT_URL ?? given.DATABASE_URL,
    pooledDatabaseUrl: given.DATABASE_DIRECT_URL && given.DATABASE_URL,
    dataDir: given.DATA_DIR,
    secretKey: given.SECRET_KEY,
    webProcesses: given.WEB_PROCESSES,
    logOutput: given.LOG_OUTPUT,
    metricsPort: given.METRICS_PORT,
    metricsHost: given.METRICS_HOST,
    tls: given.TLS_CERT && given.TLS_KEY ? { cert: resolve(given.TLS_CERT), key: resolve(given.TLS_KEY) } : undefined,
    trustedProxyHops: given.TRUSTED_PROXY_HOPS,
    leaveSeconds: given.LEAVE_SECONDS === asProxied ? leaveSecondsOf(given.TRUSTED_PROXY_HOPS) : given.LEAVE_SECONDS,
    dnsServers: given.DNS_SERVERS,
    allowPrivateWebhooks: given.ALLOW_PRIVATE_WEBHOOKS,
    keepDays: { events: given.KEEP_EVENTS_DAYS, attempts: given.KEEP_ATTEMPTS_DAYS, bodies: given.KEEP_BODIES_DAYS },
    streamsPerProject: given.STREAMS_PER_PROJECT,
    failedCredentialsPerMinute: given.FAILED_CREDENTIALS_PER_MINUTE,
    publicRequestsPerMinute: given.PUBLIC_REQUESTS_PER_MINUTE,
    signInTriesPerAccount: given.SIGN_IN_TRIES_PER_ACCOUNT,
    signInTriesPerAddress: given.SIGN_IN_TRIES_PER_ADDRESS,
    s3: given.S3_URL,
    identity: identitySettings(given),
  }))
