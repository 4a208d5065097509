import { z } from "zod"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { countsOf } from "@/lib/metrics/counts-store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { int64 } from "@/lib/platform/schema"

export const ProjectCounts = z
  .strictObject({
    emails: int64.describe("Emails accepted since the project was created."),
    sandbox: int64.describe("Messages in the sandbox mailbox."),
    contacts: int64,
    segments: int64,
    topics: int64,
    properties: int64,
    suppressions: int64,
    domains: int64,
    webhooks: int64,
    apiKeys: int64.describe("Keys that are not revoked."),
    attention: z
      .strictObject({
        domains: z
          .strictObject({ degraded: int64, failed: int64 })
          .describe("Domains whose DNS records are missing, by status."),
        webhooks: z
          .strictObject({ failing: int64, stopped: int64 })
          .describe("Webhooks whose latest attempts failed, and those that were disabled because of it."),
      })
      .describe("What needs attention."),
  })
  .meta({ id: "ProjectCountsResponse" })

export const getProjectCounts = endpoint({
  route: "GET /v1/projects/{projectId}/counts",
  operationId: "getProjectCounts",
  tag: "Projects",
  summary: "Count what a project has",
  description: "The counts that the dashboard shows in its navigation.",
  access: allow("projects:read"),
  bucket: null,
  answers: [200, ProjectCounts],
  problems: [projectMissing],
  additive: true,

  run: (scope) => countsOf(scope),
})
