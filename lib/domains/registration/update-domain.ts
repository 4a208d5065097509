import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { alreadyVerified, domainMissing, mailFromTaken } from "@/lib/domains/problems"
import { changeHostNames } from "@/lib/domains/registration/rename-store"
import { hostNameFaults } from "@/lib/domains/registration/rename-rules"
import { Domain, DomainChange } from "@/lib/domains/schema"
import * as checks from "@/lib/domains/check/check-store"
import * as domains from "@/lib/domains/store"

export const updateDomain = endpoint({
  route: "PATCH /v1/projects/{projectId}/domains/{domainId}",
  operationId: "updateDomain",
  tag: "Sending domains",
  summary: "Update domain's host names",
  description:
    "Changes the MAIL FROM domain and the tracking host, both below the domain. This is possible only until the domain is verified for the first time, because bounces and links of sent email then use them. Omitted fields are unchanged. Check results for the old names are discarded.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  body: DomainChange,
  answers: [200, Domain],
  problems: [requestInvalid, projectMissing, domainMissing, alreadyVerified, mailFromTaken],
  additive: true,
  example: { body: { trackingDomain: "go.acme.example" } },

  async run(scope, { path, body }, io) {
    const watched = await checks.watchedDomain(scope, path.domainId)
    if (!watched) throw domainMissing()
    const { names, faults } = hostNameFaults(watched, body)
    if (faults.length) throw requestInvalid("A host name cannot be used.", { errors: faults })
    const renamed = await changeHostNames(scope, path.domainId, names, io.clock.now())
    if (renamed === "verified") throw alreadyVerified()
    if (renamed === "mail-from-taken") throw mailFromTaken()
    const domain = await domains.findDomain(scope, path.domainId)
    if (renamed === "missing" || !domain) throw domainMissing()
    return domain
  },
})
