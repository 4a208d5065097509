import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { checkStoredSender } from "@/lib/broadcasts/check-broadcast"
import { broadcastMissing, statusConflict } from "@/lib/broadcasts/problems"
import { Broadcast } from "@/lib/broadcasts/schema"
import { answerOf } from "@/lib/broadcasts/stepped"
import { sendNow } from "@/lib/broadcasts/step-store"
import { domainNotVerified, projectSuspended } from "@/lib/emails/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { limitReached } from "@/lib/projects/schema"

export const sendBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/send",
  operationId: "sendBroadcast",
  tag: "Broadcasts",
  summary: "Send draft",
  description:
    "Sends a draft now, or at its `scheduledAt` if that is in the future. A scheduled broadcast is sent now.",
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  strictQuery: true,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [200, Broadcast],
  problems: [projectMissing, broadcastMissing, statusConflict, limitReached, domainNotVerified, projectSuspended],
  additive: true,

  async run(scope, { path }) {
    await checkStoredSender(scope, path.broadcastId)
    return answerOf(scope, path.broadcastId, await sendNow(scope, path.broadcastId))
  },
})
