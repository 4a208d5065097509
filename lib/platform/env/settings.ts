import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import { z } from "zod"
import { identitySettings, identityVariables, refuseParts } from "@/lib/platform/env/identity"
import {
  Cell,
  Cells,
  DatabaseUrl,
  DnsServers,
  Faces,
  hostnameField,
  IpAddress,
  Networks,
  Origin,
  port,
  Roles,
  sandboxServiceDomain,
  SecretKey,
  SecurityContact,
  whole,
} from "@/lib/platform/env/fields"
import { S3Url } from "@/lib/platform/storage/s3-url"

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
    SERVICE_DOMAIN: hostnameField.default(sandboxServiceDomain),
    REPORT_DOMAIN: hostnameField.optional(),
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
