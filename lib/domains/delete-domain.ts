import { buckets } from "@/lib/access/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/endpoint"
import { domainMissing } from "@/lib/domains/problems"
import * as domains from "@/lib/domains/registration-store"

export const deleteDomain = endpoint({
  route: "DELETE /v1/projects/{projectId}/domains/{domainId}",
  operationId: "deleteDomain",
  tag: "Sending domains",
  summary: "Delete domain",
  description:
    "Permanent: its keys are destroyed, and registering it again makes new ones, with new records. Messages in flight are unaffected.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  answers: [204],
  problems: [projectMissing, domainMissing],

  async run(scope, { path }) {
    if (!(await domains.removeDomain(scope, path.domainId))) throw domainMissing()
  },
})
