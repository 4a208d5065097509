import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { broadcastMissing, statusConflict } from "@/lib/broadcasts/problems"
import * as broadcasts from "@/lib/broadcasts/store"
import { endpoint } from "@/lib/platform/http/endpoint"

export const deleteBroadcast = endpoint({
  route: "DELETE /v1/projects/{projectId}/broadcasts/{broadcastId}",
  operationId: "deleteBroadcast",
  tag: "Broadcasts",
  summary: "Delete draft",
  description: "Permanent, and only for drafts: a broadcast that was sent stays, with its results.",
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [204],
  problems: [projectMissing, broadcastMissing, statusConflict],
  additive: true,

  async run(scope, { path }) {
    if (await broadcasts.deleteDraft(scope, path.broadcastId)) return
    if (await broadcasts.findBroadcast(scope, path.broadcastId)) throw statusConflict("Only a draft can be deleted.")
    throw broadcastMissing()
  },
})
