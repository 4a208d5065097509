import { z } from "zod"
import { permissions } from "@/lib/access/permissions"
import { domainMax } from "@/lib/addresses/address"
import { hostname } from "@/lib/addresses/hostname"
import { rangeText, readRange } from "@/lib/platform/http/address-range-rules"
import { noticeCodes } from "@/lib/platform/http/endpoint"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, int64, timestamp } from "@/lib/platform/schema"

export const ApiKey = z
  .strictObject({
    id: id("key"),
    configId: z.string().describe("Always `default`."),
    name: z.string().optional(),
    prefix: z.string().optional().describe("The prefix of every key."),
    start: z
      .string()
      .optional()
      .describe(
        "Its first characters, to recognise the key by: the prefix, the cell where the key names one, and four more. The rest is never shown again.",
      ),
    organizationId: id("org"),
    projectId: id("proj").optional(),
    permissions: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe("Resource to actions, such as `emails: [send]`."),
    enabled: z.boolean().describe("False once the key is revoked or expired."),
    rateLimitEnabled: z.boolean().describe("Always true: see the rate limits of each operation."),
    rateLimitMax: int32.optional(),
    rateLimitTimeWindow: int64.optional(),
    remaining: int32.optional(),
    requestCount: int32,
    lastRequest: timestamp.optional(),
    expiresAt: timestamp.optional(),
    allowedAddresses: z
      .array(z.string())
      .optional()
      .describe("Additive: the client addresses and networks that the key works from; absent if it works from all."),
    allowedDomains: z
      .array(z.string())
      .optional()
      .describe("Additive: the domains that the key sends from; absent if it sends from all of the project."),
    metadata: z.record(z.string(), z.string()).optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "ApiKey" })

export type ApiKey = z.output<typeof ApiKey>

export const ApiKeyList = z.strictObject({ data: z.array(ApiKey) }).meta({ id: "ApiKeyList" })

export const CreatedApiKey = z
  .strictObject({ ...ApiKey.shape, apiKey: z.string().describe("The key itself, shown this once.") })
  .meta({ id: "CreatedApiKey" })

export const expiryDays = [7, 30, 90, 365] as const

/** Entries of each list that restricts a key. */
export const restrictionsMax = 20

const allowedAddress = z
  .codec(z.string().max(60), z.string(), {
    decode(text, context) {
      const range = readRange(text)
      if (range) return rangeText(range)
      const message = "Must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24."
      context.issues.push({ code: "custom", input: text, message })
      return z.NEVER
    },
    encode: (text) => text,
  })
  .meta({ type: "string", maxLength: 60 })

const allowedDomain = z
  .codec(z.string(), z.string(), {
    decode(text, context) {
      const read = hostname(text.trim())
      if (read.ok) return read.ascii
      context.issues.push({ code: "custom", input: text, message: `This name ${read.reason}` })
      return z.NEVER
    },
    encode: (name) => name,
  })
  .meta({ type: "string", maxLength: domainMax })

const restrictions = {
  allowedAddresses: z
    .array(allowedAddress)
    .min(1, "Must hold an address.")
    .max(restrictionsMax)
    .nullish()
    .describe(
      "Client addresses that the key works from: IPv4 and IPv6 addresses and networks (CIDR). Requests from elsewhere get `auth.address_not_allowed`. Null: from everywhere.",
    ),
  allowedDomains: z
    .array(allowedDomain)
    .min(1, "Must hold a domain.")
    .max(restrictionsMax)
    .nullish()
    .describe(
      "Domains of the project that the key sends from, without their subdomains. Sends from others get `auth.sender_not_allowed`. Null: from all. A deleted domain stays in the list.",
    ),
}

export const KeyRestrictions = z.strictObject(restrictions)

export const NewApiKey = z
  .strictObject({
    name: z.string().trim().min(1, "Must not be empty.").max(100),
    permissions: z
      .array(z.enum(permissions))
      .min(1, "Must hold at least one permission.")
      .max(permissions.length)
      .describe("At most the permissions of the user who creates the key."),
    expiresInDays: z
      .literal([...expiryDays])
      .nullish()
      .describe("If omitted or null, the key does not expire."),
    ...restrictions,
  })
  .meta({ id: "CreateApiKeyRequest" })

/** Hours for which a rotated key goes on working. */
const overlaps = [0, 1, 24, 168, 720] as const
/** To which that can be extended. */
const longerOverlaps = [24, 168, 720] as const

export const ApiKeyChange = z
  .strictObject({
    permissions: NewApiKey.shape.permissions
      .optional()
      .describe("Replaces the list. You can add only permissions that you have."),
    overlapHours: z
      .literal([...longerOverlaps])
      .optional()
      .describe(
        "Extends the time that a rotated key works: hours from its rotation, 24, 168 or 720. The key still ends at its own expiry.",
      ),
    ...restrictions,
  })
  .meta({ id: "UpdateApiKeyRequest" })

export const Rotation = z
  .strictObject({
    overlapHours: z
      .literal([...overlaps])
      .describe("Hours for which the old key continues to work: 0, 1, 24, 168 or 720."),
  })
  .meta({ id: "RotateApiKeyRequest" })

/** What is recorded of one request. */
export const requestFields = {
  id: id("use"),
  requestId: id("req")
    .optional()
    .describe("Additive: the `X-Request-Id` of the response, and the `requestId` of its problem."),
  keyId: id("key"),
  method: z.string(),
  route: z.string().describe("The template of the path; never its values or the query."),
  statusCode: int32,
  durationMs: int64.optional(),
  ip: z.string().optional(),
  problemCode: z
    .string()
    .optional()
    .describe("Additive: the `code` of the problem that answered the request; absent if it succeeded."),
  notice: z
    .enum(noticeCodes)
    .optional()
    .describe(
      "Additive: what the header `Mailroom-Notice` of the response said. `idempotency_key_unread` and `idempotency_unsupported`: the request had the header `Idempotency-Key`, which is not read.",
    ),
  ts: timestamp,
}

export const ApiKeyUsageRecord = z
  .strictObject({ ...requestFields, orgId: id("org") })
  .meta({ id: "ApiKeyUsageRecord" })

export type ApiKeyUsageRecord = z.output<typeof ApiKeyUsageRecord>

export const ApiKeyUsage = z
  .strictObject({
    data: z.array(ApiKeyUsageRecord),
    page: z
      .strictObject({
        size: int32.describe("The limit of the page."),
        totalPages: int32.describe("Pages of this size in the window; counted up to a million records."),
        hasMore: z.boolean(),
      })
      .meta({ id: "UsagePage" }),
  })
  .meta({ id: "ApiKeyUsageResponse" })

export const keyMissing = problem(
  "api_key.not_found",
  404,
  "API key not found",
  "This project has no such key. A key's id begins with `key_`; it is not the key itself.",
)

export const alreadyRotated = problem(
  "api_key.already_rotated",
  409,
  "API key already rotated",
  "A key that replaces this one still works. Rotate that key instead, or revoke it first.",
)

export const usageTooLarge = problem(
  "api_key.usage_too_large",
  413,
  "Too much usage to export",
  "The window has more than 1,000,000 requests. Export shorter windows with `after` and `before`.",
)
