import { z } from "zod"
import { listEntries, AuditEntryPage } from "@/lib/access/audit/data"
import { allowSession } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { cursorPage, cursorMissing } from "@/lib/platform/http/cursors"
import { endpoint } from "@/lib/platform/http/endpoint"
import { cursorQuery } from "@/lib/platform/http/paging"
import { requestInvalid } from "@/lib/platform/http/problems"
import { decodeId } from "@/lib/platform/ids"
import { timestamp } from "@/lib/platform/schema"

export const listAuditEntries = endpoint({
  route: "GET /v1/projects/{projectId}/audit-entries",
  operationId: "listAuditEntries",
  tag: "Logs",
  summary: "List audit entries",
  description:
    "Who changed what in the project's organization, newest first: keys, domains, members, webhooks, suppressions and settings, each with the values before and after. Entries are never changed or deleted, and each carries a hash of itself and the previous entry, which the worker seals with a key of its own; `npm run admin -- verify-audit-log` checks them. For owners and admins.",
  access: allowSession("projects:read", "owner", "admin"),
  bucket: null,
  query: {
    ...cursorQuery(),
    action: z
      .string()
      .regex(
        /^[a-z_]{1,40}(?:\.[a-z_]{1,40})?$/,
        "Must be an action such as api_key.created, or an area such as api_key.",
      )
      .meta({ maxLength: 81 })
      .optional()
      .describe("An action, or an area to include all its actions."),
    actor: z.string().max(64).optional().describe("Id of a user or key."),
    target: z.string().max(320).optional().describe("What was changed: an id or an address."),
    project: z.enum(["this", "all"]).default("all").describe("`this`: only entries of this project."),
    from: timestamp.optional().describe("Start of the window."),
    to: timestamp.optional().describe("End of the window."),
  },
  answers: [200, AuditEntryPage],
  problems: [requestInvalid, projectMissing, cursorMissing],
  additive: true,

  async run(scope, { query: { size, after, actor, project, ...filter } }) {
    const actorId = actor === undefined ? undefined : (decodeId("usr", actor) ?? decodeId("key", actor))
    if (actorId === null) {
      const detail = "Must be the id of a user or key."
      throw requestInvalid(detail, { errors: [{ pointer: "query/actor", detail }] })
    }
    const conditions = { ...filter, actor: actorId, project: project === "this" ? scope.project.id : undefined }
    return cursorPage(
      `${scope.project.id}|audit|${scope.organization.id}`,
      { size, ...(after !== undefined && { after }) },
      (entry) => entry.id,
      (position, count) => listEntries(scope, conditions, position, count),
    )
  },
})
