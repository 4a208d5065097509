import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { segmentMissing } from "@/lib/segments/problems"
import { Segment } from "@/lib/segments/schema"
import * as segments from "@/lib/segments/store"

export const getSegment = endpoint({
  route: "GET /v1/projects/{projectId}/segments/{segmentId}",
  operationId: "getSegment",
  tag: "Segments",
  summary: "Get segment",
  description: "One segment with its filter and the number of its members.",
  access: allow("contacts:read"),
  bucket: buckets.segments,
  path: { segmentId: { prefix: "seg", missing: segmentMissing } },
  answers: [200, Segment],
  problems: [projectMissing, segmentMissing],

  async run(scope, { path }) {
    const segment = await segments.findSegment(scope, path.segmentId)
    if (!segment) throw segmentMissing()
    return segment
  },
})
