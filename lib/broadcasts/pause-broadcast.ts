import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { broadcastMissing, statusConflict } from "@/lib/broadcasts/problems"
import { Broadcast } from "@/lib/broadcasts/schema"
import { answerOf } from "@/lib/broadcasts/stepped"
import { pause } from "@/lib/broadcasts/step-store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const pauseBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/pause",
  operationId: "pauseBroadcast",
  tag: "Broadcasts",
  summary: "Pause broadcast",
  description:
    "For a broadcast that is being sent. Recipients whom a worker is processing at this moment still get it, and email already accepted is sent.",
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  strictQuery: true,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [200, Broadcast],
  problems: [projectMissing, broadcastMissing, statusConflict],
  additive: true,

  async run(scope, { path }) {
    return answerOf(scope, path.broadcastId, await pause(scope, path.broadcastId))
  },
})
