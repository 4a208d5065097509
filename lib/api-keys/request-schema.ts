import { z } from "zod"
import { requestFields } from "@/lib/api-keys/schema"
import { CursorInfo } from "@/lib/platform/http/paging"
import { int32, int64, timestamp } from "@/lib/platform/schema"

export const RequestRecord = z
  .strictObject({
    ...requestFields,
    keyName: z.string().optional(),
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
