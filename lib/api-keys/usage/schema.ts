import { z } from "zod"
import { requestFields } from "@/lib/api-keys/schema"
import { CursorInfo } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, int64, timestamp } from "@/lib/platform/schema"

export const RequestRecord = z
  .strictObject({
    ...requestFields,
    keyName: z.string().optional(),
  })
  .meta({ id: "RequestRecord" })

export type RequestRecord = z.output<typeof RequestRecord>

export const RequestDetail = z
  .strictObject({
    ...RequestRecord.shape,
    problemDetail: z.string().optional().describe("The `detail` of the problem."),
    problemFields: z
      .array(z.strictObject({ pointer: z.string(), detail: z.string() }))
      .optional()
      .describe("The first 10 `errors` of the problem."),
    userAgent: z.string().optional().describe("The header `User-Agent`, at most 300 characters of it."),
    idempotencyKey: z.string().optional().describe("The `idempotencyKey` of the body, at most 256 characters of it."),
    objectIds: z
      .array(z.string())
      .describe("Ids of what the request made, at most 100; if it made nothing, the id in its path."),
  })
  .meta({ id: "RequestDetail" })

export type RequestDetail = z.output<typeof RequestDetail>

export const loggedRequestMissing = problem(
  "logged_request.not_found",
  404,
  "Request not in the log",
  "The log of this project has no such request. It has requests with an API key, about a second after they ended and for 90 days.",
)

export const RequestPage = z
  .strictObject({ cursor: CursorInfo, data: z.array(RequestRecord) })
  .meta({ id: "RequestPage" })

const counts = { requests: int32, refused: int32.describe("Requests answered with a status of 400 or above.") }

const days = z
  .array(z.strictObject({ day: z.string().describe("A day in UTC, such as 2026-11-20."), ...counts }))
  .describe("The last 30 days, oldest first, including days without requests.")

const hours = z
  .array(z.strictObject({ hour: timestamp.describe("When the hour begins."), ...counts }))
  .describe("The current hour and the 23 before it, oldest first, including hours without requests.")

const RotatedKey = z
  .strictObject({
    keyId: id("key"),
    start: z.string(),
    lastUsedAt: timestamp.optional(),
    addresses: z
      .array(z.string())
      .describe(
        "Client addresses of its latest 1,000 requests on the last UTC day with requests, most recent first; at most 10.",
      ),
    days,
    hours,
  })
  .meta({ id: "ApiKeyInRotation" })

export type RotatedKeyUsage = z.output<typeof RotatedKey>

const Rotation = z
  .strictObject({
    startedAt: timestamp,
    endsAt: timestamp.optional().describe("When the old key stops working."),
    next: RotatedKey.describe("The new key."),
    old: RotatedKey,
  })
  .meta({ id: "ApiKeyRotation" })

export const UsageSummary = z
  .strictObject({
    days,
    hours,
    requests: int64.describe("Requests in the 30 days."),
    refused: int64,
    permissions: z.array(
      z.strictObject({
        permission: z.string(),
        granted: z.boolean().describe("Whether the key has it now."),
        requests: int64.describe("Requests in the 30 days."),
        lastUsedAt: timestamp.optional().describe("Within 90 days."),
      }),
    ),
    latency: z
      .strictObject({ sample: int32, p50Ms: int32, p95Ms: int32 })
      .optional()
      .describe("Of its last 1,000 requests, whenever they were made."),
    rotation: Rotation.optional().describe(
      "Present while this key and the key that replaces it, or that it replaces, both work.",
    ),
    unused: z
      .array(z.string())
      .describe("Permissions that the key has had for 30 days without using them. You can remove them."),
  })
  .meta({ id: "ApiKeyUsageSummary" })

export type UsageSummary = z.output<typeof UsageSummary>
