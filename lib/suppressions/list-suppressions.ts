import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { parseAddress } from "@/lib/addresses/address"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import * as suppressions from "@/lib/suppressions/list-store"
import { reason, SuppressionPage } from "@/lib/suppressions/schema"

export const listSuppressions = endpoint({
  route: "GET /v1/projects/{projectId}/suppressions",
  operationId: "listSuppressions",
  tag: "Suppressions",
  summary: "List suppressions",
  description: "Newest first, each with its cause. The total of a filtered list is counted up to 10,000.",
  access: allow("suppressions:read"),
  bucket: buckets.suppressions,
  query: {
    ...pageQuery(),
    reason: reason.optional().describe("Additive: only with this reason."),
    email: z
      .string()
      .min(1)
      .max(320)
      .optional()
      .describe("Additive: only this address, compared in its canonical form."),
    search: z.string().min(1).max(254).optional().describe("Additive: part of the address."),
  },
  answers: [200, SuppressionPage],
  problems: [projectMissing],

  async run(scope, { query: { reason: wanted, email, search, ...request } }) {
    const address = email === undefined ? undefined : parseAddress(email)
    const filter = { reason: wanted, email: address && (address.ok ? address.canonical : ""), search }
    const { data, total } = await suppressions.listSuppressions(scope, filter, request)
    return page(request, data, total)
  },
})
