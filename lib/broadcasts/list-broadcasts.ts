import { z } from "zod"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { broadcastStatuses } from "@/lib/broadcasts/rules"
import { BroadcastPage } from "@/lib/broadcasts/schema"
import * as broadcasts from "@/lib/broadcasts/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"

export const listBroadcasts = endpoint({
  route: "GET /v1/projects/{projectId}/broadcasts",
  operationId: "listBroadcasts",
  tag: "Broadcasts",
  summary: "List broadcasts",
  description: "The broadcasts of the project, newest first, without their content.",
  access: allow("emails:read"),
  bucket: null,
  query: { ...pageQuery(), status: z.enum(broadcastStatuses).optional() },
  answers: [200, BroadcastPage],
  problems: [projectMissing],
  additive: true,

  async run(scope, { query }) {
    const { data, total } = await broadcasts.listBroadcasts(scope, query.status, query)
    return page(query, data, total)
  },
})
