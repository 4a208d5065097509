import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { limitReached, reached } from "@/lib/projects/problems"
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
    "Without a filter it holds the contacts that are put into it. With the additive `filter` it holds those that the filter holds for, and follows contacts, preferences and mail within seconds; what the last days ask for is looked at anew every hour. A contact put in by hand stays, one taken out by hand stays out, until it is put in by hand. With many contacts the first members are chosen in the background: `building` says how far that is.",
  access: allow("contacts:write"),
  bucket: buckets.segments,
  body: NewSegment,
  answers: [201, Segment],
  location: "/v1/projects/{projectId}/segments/{id}",
  problems: [requestInvalid, limitReached, projectMissing, segmentMissing, segmentTaken],

  async run(scope, { body }) {
    if (body.filter) await checkFilter(scope, body.filter)
    const added = await segments.addSegment(scope, body)
    if (added === "taken") throw segmentTaken(`A segment named ${body.name} is there already.`)
    if (added === "full") throw reached("The number of segments", segmentsMax)
    if (body.filter) await beginPass(scope.project.id, added.id)
    const segment = await segments.findSegment(scope, added.id)
    if (!segment) throw segmentMissing()
    return segment
  },
})
