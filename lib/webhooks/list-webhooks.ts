import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { withHealth } from "@/lib/webhooks/health-store"
import { WebhookPage } from "@/lib/webhooks/schema"
import * as webhooks from "@/lib/webhooks/store"

export const listWebhooks = endpoint({
  route: "GET /v1/projects/{projectId}/webhooks",
  operationId: "listWebhooks",
  tag: "Webhooks",
  summary: "List webhooks",
  description: "The webhooks of the project, newest first.",
  access: allow("webhooks:read"),
  bucket: buckets.webhooks,
  query: pageQuery(),
  answers: [200, WebhookPage],
  problems: [projectMissing],

  async run(scope, { query }) {
    const { data, total } = await webhooks.listWebhooks(scope, query)
    return page(query, await withHealth(scope, data), total)
  },
})
