import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { SegmentPage } from "@/lib/segments/schema"
import * as segments from "@/lib/segments/store"

export const listSegments = endpoint({
  route: "GET /v1/projects/{projectId}/segments",
  operationId: "listSegments",
  tag: "Segments",
  summary: "List segments",
  description: "Newest first. Member counts are stored, so a list costs the same however many members there are.",
  access: allow("contacts:read"),
  bucket: buckets.segments,
  query: pageQuery(),
  answers: [200, SegmentPage],
  problems: [projectMissing],

  async run(scope, { query }) {
    const { data, total } = await segments.listSegments(scope, query)
    return page(query, data, total)
  },
})
