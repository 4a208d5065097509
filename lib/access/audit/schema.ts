import { z } from "zod"
import { CursorInfo } from "@/lib/platform/http/paging"
import { id, int64, timestamp } from "@/lib/platform/schema"

export const AuditEntry = z
  .strictObject({
    id: id("aud"),
    at: timestamp,
    action: z.string().describe("`<area>.<verb>`, such as `api_key.created`."),
    actor: z.strictObject({
      kind: z.string().describe("`user`, `key`, `operator`, `recipient` or `system`."),
      id: z.string().optional(),
      name: z.string().optional().describe("Email address of the user, or name of the key."),
    }),
    projectId: id("proj").optional(),
    target: z.string().optional().describe("What was changed: an id or an address."),
    targetName: z.string().optional().describe("What that was called at the time, if it has a name."),
    changes: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("What changed, with `before` and `after` if both are known."),
    ip: z.string().optional(),
    requestId: z.string().optional(),
    position: int64.optional().describe("Position in the organization's hash chain."),
  })
  .meta({ id: "AuditEntry" })

export type AuditEntry = z.output<typeof AuditEntry>

export const AuditEntryPage = z
  .strictObject({ cursor: CursorInfo, data: z.array(AuditEntry) })
  .meta({ id: "AuditEntryPage" })
