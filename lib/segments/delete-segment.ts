import { buckets } from "@/lib/access/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/endpoint"
import { segmentMissing } from "@/lib/segments/problems"
import * as segments from "@/lib/segments/store"

export const deleteSegment = endpoint({
  route: "DELETE /v1/projects/{projectId}/segments/{segmentId}",
  operationId: "deleteSegment",
  tag: "Segments",
  summary: "Delete segment",
  description:
    "Permanent. Its contacts stay, their memberships go, in steps that hold up no other change: of a million members that takes seconds.",
  access: allow("contacts:write"),
  bucket: buckets.segments,
  path: { segmentId: { prefix: "seg", missing: segmentMissing } },
  answers: [204],
  problems: [projectMissing, segmentMissing],

  async run(scope, { path }) {
    if (!(await segments.removeSegment(scope, path.segmentId))) throw segmentMissing()
  },
})
