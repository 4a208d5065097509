import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { broadcastMissing, statusConflict } from "@/lib/broadcasts/problems"
import { Broadcast } from "@/lib/broadcasts/schema"
import { answerOf } from "@/lib/broadcasts/stepped"
import { cancel } from "@/lib/broadcasts/step-store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const cancelBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/cancel",
  operationId: "cancelBroadcast",
  tag: "Broadcasts",
  summary: "Cancel broadcast",
  description: "Permanently ends a broadcast that is scheduled, being sent or paused. Email already accepted is sent.",
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  strictQuery: true,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [200, Broadcast],
  problems: [projectMissing, broadcastMissing, statusConflict],
  additive: true,

  async run(scope, { path }) {
    return answerOf(scope, path.broadcastId, await cancel(scope, path.broadcastId))
  },
})
