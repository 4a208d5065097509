import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { fixedLimitReached, limitReached } from "@/lib/projects/problems"
import { checkFilter } from "@/lib/segments/check-filter"
import { beginPass } from "@/lib/segments/pass"
import { segmentMissing, segmentTaken } from "@/lib/segments/problems"
import { segmentsMax } from "@/lib/segments/rules"
import { NewSegment, Segment } from "@/lib/segments/schema"
import * as segments from "@/lib/segments/store"

export const createSegment = endpoint({
  route: "POST /v1/projects/{projectId}/segments",
  operationId: "createSegment",
  tag: "Segments",
  summary: "Create segment",
  description:
    "Without a filter, the members are the contacts added to the segment. With the additive `filter`, the members are the contacts that match; they are updated within seconds when contacts, preferences or email events change, and conditions on recent days are evaluated again every hour. A manually added contact stays in; a manually removed one stays out until it is added again. With many contacts, the first members are computed in the background: `building` shows the progress.",
  access: allow("contacts:write"),
  bucket: buckets.segments,
  body: NewSegment,
  answers: [201, Segment],
  location: "/v1/projects/{projectId}/segments/{id}",
  problems: [requestInvalid, limitReached, projectMissing, segmentMissing, segmentTaken],
  example: {
    body: {
      name: "Readers",
      filter: { all: [{ field: "engagement", event: "opened", operator: "within_days", days: 30 }] },
    },
  },

  async run(scope, { body }) {
    if (body.filter) await checkFilter(scope, body.filter)
    const added = await segments.addSegment(scope, body)
    if (added === "taken") throw segmentTaken(`A segment named ${body.name} is there already.`)
    if (added === "full") throw fixedLimitReached("segments", segmentsMax)
    if (!body.filter) return added
    await beginPass(scope.project.id, added.id)
    const segment = await segments.findSegment(scope, added.id)
    if (!segment) throw segmentMissing()
    return segment
  },
})
