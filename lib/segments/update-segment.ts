import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { checkFilter } from "@/lib/segments/check-filter"
import { beginPass } from "@/lib/segments/pass"
import { segmentMissing, segmentTaken } from "@/lib/segments/problems"
import { Segment, SegmentChange } from "@/lib/segments/schema"
import * as segments from "@/lib/segments/store"

export const updateSegment = endpoint({
  route: "PATCH /v1/projects/{projectId}/segments/{segmentId}",
  operationId: "updateSegment",
  tag: "Segments",
  summary: "Update segment",
  description:
    "Omitted fields are unchanged (RFC 7396); `filter: null` removes the filter. A new filter changes the members in the background, in steps that block no other change; `building` shows the progress.",
  access: allow("contacts:write"),
  bucket: buckets.segments,
  path: { segmentId: { prefix: "seg", missing: segmentMissing } },
  body: SegmentChange,
  answers: [200, Segment],
  problems: [requestInvalid, projectMissing, segmentMissing, segmentTaken],
  additive: true,
  example: { body: { name: "Regular readers" } },

  async run(scope, { path, body }) {
    if (body.filter) await checkFilter(scope, body.filter)
    const changed = await segments.changeSegment(scope, path.segmentId, body)
    if (changed === "missing") throw segmentMissing()
    if (changed === "taken") throw segmentTaken(`A segment named ${body.name} is there already.`)
    if (body.filter !== undefined) await beginPass(scope.project.id, path.segmentId)
    const segment = await segments.findSegment(scope, path.segmentId)
    if (!segment) throw segmentMissing()
    return segment
  },
})
