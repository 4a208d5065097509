import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { domainMissing } from "@/lib/domains/problems"
import * as domains from "@/lib/domains/registration/registration-store"

export const deleteDomain = endpoint({
  route: "DELETE /v1/projects/{projectId}/domains/{domainId}",
  operationId: "deleteDomain",
  tag: "Sending domains",
  summary: "Delete domain",
  description:
    "Permanent. Later sends from the domain are refused. Email already accepted is still sent, including retries, and signed with the domain's key. The key is destroyed once the last of that email has ended, so leave the DNS records in place until then. Scheduled email fails when it is due, with the reason. Registering the domain again creates new keys, with new records.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  answers: [204],
  problems: [projectMissing, domainMissing],

  async run(scope, { path }) {
    if (!(await domains.removeDomain(scope, path.domainId))) throw domainMissing()
  },
})
