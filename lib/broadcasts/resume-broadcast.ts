import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { checkStoredSender } from "@/lib/broadcasts/check-broadcast"
import { broadcastMissing, statusConflict } from "@/lib/broadcasts/problems"
import { Broadcast } from "@/lib/broadcasts/schema"
import { answerOf } from "@/lib/broadcasts/stepped"
import { resume } from "@/lib/broadcasts/step-store"
import { domainNotVerified, projectSuspended } from "@/lib/emails/problems"
import { endpoint } from "@/lib/platform/http/endpoint"

export const resumeBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/resume",
  operationId: "resumeBroadcast",
  tag: "Broadcasts",
  summary: "Resume broadcast",
  description:
    "Continues after the last processed recipient. If the broadcast had paused automatically, its rates are evaluated again after the next 500 emails.",
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  strictQuery: true,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [200, Broadcast],
  problems: [projectMissing, broadcastMissing, statusConflict, domainNotVerified, projectSuspended],
  additive: true,

  async run(scope, { path }) {
    await checkStoredSender(scope, path.broadcastId)
    return answerOf(scope, path.broadcastId, await resume(scope, path.broadcastId))
  },
})
