import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { segmentMissing } from "@/lib/segments/problems"
import { removeMembers } from "@/lib/segments/removal-store"
import { hideSegment } from "@/lib/segments/store"

/** Enough to remove a segment of the usual size before the response. */
const waitMs = 500

export const deleteSegment = endpoint({
  route: "DELETE /v1/projects/{projectId}/segments/{segmentId}",
  operationId: "deleteSegment",
  tag: "Segments",
  summary: "Delete segment",
  description:
    "Permanent. Its contacts remain, their memberships are deleted. After the response no operation shows the segment or its members; very many memberships are deleted in the background.",
  access: allow("contacts:write"),
  bucket: buckets.segments,
  path: { segmentId: { prefix: "seg", missing: segmentMissing } },
  answers: [204],
  problems: [projectMissing, segmentMissing],

  async run(scope, { path }) {
    if (!(await hideSegment(scope, path.segmentId))) throw segmentMissing()
    await removeMembers(waitMs, path.segmentId)
  },
})
