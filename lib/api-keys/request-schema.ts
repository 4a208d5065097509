import { z } from "zod"
import { CursorInfo } from "@/lib/platform/http/paging"
import { id, int32, int64, timestamp } from "@/lib/platform/schema"

export const RequestRecord = z
  .strictObject({
    id: id("use"),
    keyId: id("key"),
    keyName: z.string().optional(),
    method: z.string(),
    route: z.string().describe("The template of the path; never its values or the query."),
    statusCode: int32,
    durationMs: int64.optional(),
    ip: z.string().optional(),
    ts: timestamp,
  })
  .meta({ id: "RequestRecord" })

export type RequestRecord = z.output<typeof RequestRecord>

export const RequestPage = z
  .strictObject({ cursor: CursorInfo, data: z.array(RequestRecord) })
  .meta({ id: "RequestPage" })

export const UsageSummary = z
  .strictObject({
    days: z
      .array(
        z.strictObject({
          day: z.string().describe("A day in UTC, such as 2026-11-20."),
          requests: int32,
          refused: int32.describe("Answered with 400 or above."),
        }),
      )
      .describe("The last 30 days, oldest first, those without requests included."),
    requests: int64.describe("Of the 30 days."),
    refused: int64,
    permissions: z.array(
      z.strictObject({
        permission: z.string(),
        granted: z.boolean().describe("Whether the key has it now."),
        requests: int64.describe("Of the 30 days."),
        lastUsedAt: timestamp.optional().describe("Within 90 days."),
      }),
    ),
    unused: z
      .array(z.string())
      .describe("Permissions that the key has had for 30 days and not used in them. Advice: it works without them."),
  })
  .meta({ id: "ApiKeyUsageSummary" })

export type UsageSummary = z.output<typeof UsageSummary>
