import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { hasBroadcast } from "@/lib/broadcasts/data"
import { clicksByLink } from "@/lib/broadcasts/links/data"
import { BroadcastLinks } from "@/lib/broadcasts/links/schema"
import { broadcastMissing } from "@/lib/broadcasts/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import { createShare } from "@/lib/platform/http/share"

/** It reads the clicks of thousands of emails, and there is no bucket here. */
const counting = createShare({
  waitMs: 10_000,
  busy: "Clicks of this project's broadcasts are being counted. Try again when that has ended.",
})

export const listBroadcastLinks = endpoint({
  route: "GET /v1/projects/{projectId}/broadcasts/{broadcastId}/links",
  operationId: "listBroadcastLinks",
  tag: "Broadcasts",
  summary: "List broadcast's links",
  description:
    "The links that people clicked, with the number of clicks and of people. Clicks by machines are not counted. Where clicks are not tracked, there are none.",
  access: allow("emails:read"),
  bucket: null,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [200, BroadcastLinks],
  problems: [projectMissing, broadcastMissing],
  additive: true,

  async run(scope, { path }) {
    if (!(await hasBroadcast(scope, path.broadcastId))) throw broadcastMissing()
    return counting(scope.project.id, () => clicksByLink(scope, path.broadcastId))
  },
})

export const broadcastLinkOperations = [listBroadcastLinks] as const
