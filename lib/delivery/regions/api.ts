import { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { reportsCodes } from "@/lib/delivery/regions/region-rules"
import { reportRegions } from "@/lib/delivery/regions/data"
import { ownFaultCodes } from "@/lib/delivery/transports/attempt"
import { endpoint } from "@/lib/platform/http/endpoint"
import { int32, timestamp } from "@/lib/platform/schema"

const ProjectRegion = z
  .strictObject({
    region: z.string(),
    status: z.enum(["up", "down"]).describe("`down` while the region's relay is unreachable and its email waits."),
    since: timestamp.optional().describe("Since when the region is down."),
    waiting: int32.optional().describe("How many of the project's emails wait while the region is down."),
    reports: z
      .enum(reportsCodes)
      .optional()
      .describe(
        "Only where the region is set to `delivered=dsn`: `asked` if its relay is asked for delivery reports, `not_proved` until a loop test has shown that they would arrive, `not_offered` if the relay has none. With the latter two, email stays `sent`.",
      ),
    message: z.string().optional().describe("A sentence about a region that is down."),
    fault: z
      .enum(ownFaultCodes)
      .optional()
      .describe(
        "Of a region that is down, where it is known: what the server of the service lacks to send to recipients' servers itself, or the account at Amazon SES. No email is charged for it.",
      ),
  })
  .meta({ id: "ProjectRegion" })

export const getProjectRegion = endpoint({
  route: "GET /v1/projects/{projectId}/region",
  operationId: "getProjectRegion",
  tag: "Projects",
  summary: "Get the state of the home region",
  description: "Whether email leaves the project's home region.",
  access: allow("projects:read"),
  bucket: buckets.projects,
  answers: [200, ProjectRegion],
  problems: [projectMissing],
  additive: true,

  async run(scope) {
    const { id, region } = scope.project
    return (await reportRegions(id)).find((report) => report.region === region) ?? { region, status: "up" as const }
  },
})
