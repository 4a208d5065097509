import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { broadcastMissing } from "@/lib/broadcasts/problems"
import { Broadcast } from "@/lib/broadcasts/schema"
import { findBroadcast } from "@/lib/broadcasts/store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const getBroadcast = endpoint({
  route: "GET /v1/projects/{projectId}/broadcasts/{broadcastId}",
  operationId: "getBroadcast",
  tag: "Broadcasts",
  summary: "Get broadcast",
  description:
    "The content, the status and the counts: how many people were found, how many got an email, how many were excluded and why, and what happened to the emails. List its emails with `GET …/emails?broadcastId=`.",
  access: allow("emails:read"),
  bucket: null,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [200, Broadcast],
  problems: [projectMissing, broadcastMissing],
  additive: true,

  async run(scope, { path }) {
    const found = await findBroadcast(scope, path.broadcastId)
    if (!found) throw broadcastMissing()
    return found
  },
})
