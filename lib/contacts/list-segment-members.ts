import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { readMembers } from "@/lib/contacts/members-sql"
import { SegmentContactPage, type SegmentContact } from "@/lib/contacts/schema"
import { cursorPage } from "@/lib/platform/http/cursor-page"
import { cursorMissing } from "@/lib/platform/http/cursors"
import { endpoint } from "@/lib/platform/http/endpoint"
import { cursorQuery } from "@/lib/platform/http/paging"
import { existingSegments } from "@/lib/segments/data"
import { segmentMissing } from "@/lib/segments/schema"

export const listContactsInSegment = endpoint({
  route: "GET /v1/projects/{projectId}/segments/{segmentId}/contacts",
  operationId: "listContactsInSegment",
  tag: "Segments",
  summary: "List segment members",
  description:
    "Newest contact first. Pass either cursor as `after`. Deep pages cost as much as the first, and contacts that are added or removed meanwhile do not shift the pages.",
  access: allow("contacts:read"),
  bucket: buckets.segments,
  path: { segmentId: { prefix: "seg", missing: segmentMissing } },
  query: cursorQuery(),
  answers: [200, SegmentContactPage],
  problems: [projectMissing, segmentMissing, cursorMissing],

  async run(scope, { path, query }) {
    const page = cursorPage<SegmentContact>(
      `${scope.project.id}|segment|${path.segmentId}`,
      query,
      ({ contactId }) => contactId,
      (position, size) => readMembers(scope, path.segmentId, position, size),
    )
    // Beside each other: a segment that does not exist is refused first, whatever its page says.
    page.catch(() => undefined)
    if (!(await existingSegments(scope.project.id, [path.segmentId])).size) throw segmentMissing()
    return page
  },
})
