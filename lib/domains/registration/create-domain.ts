import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { env } from "@/lib/platform/env/env"
import { requestInvalid } from "@/lib/platform/http/problems"
import { limitReached, reached } from "@/lib/projects/schema"
import { domainTaken, regionNotEntitled } from "@/lib/domains/problems"
import { register } from "@/lib/domains/registration/register"
import { sendingHostname } from "@/lib/addresses/registrable"
import { Domain, NewDomain } from "@/lib/domains/schema"

export const createDomain = endpoint({
  route: "POST /v1/projects/{projectId}/domains",
  operationId: "registerDomain",
  tag: "Sending domains",
  summary: "Register domain",
  description:
    "Responds with the DNS records to publish. We check them after 5, 15 and 30 seconds, then less and less often, up to every six hours; `verify` checks now. A project can register a domain once, whatever the region. Another project may register it too, with its own keys, names and records.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  body: NewDomain,
  answers: [201, Domain],
  location: "/v1/projects/{projectId}/domains/{id}",
  problems: [requestInvalid, regionNotEntitled, limitReached, projectMissing, domainTaken],
  example: { body: { domain: "acme.example", region: "eu-west-1" } },

  async run(scope, { body }, io) {
    const read = sendingHostname(body.domain, [env().serviceDomain, env().reportDomain])
    if (!read.ok) throw invalid(`This name ${read.reason}`)
    if (body.region !== scope.project.region && !scope.organization.multiRegion) {
      throw regionNotEntitled(
        `The project's home region is ${scope.project.region}; a domain in ${body.region} needs the multi-region entitlement.`,
      )
    }
    const added = await register(scope, { name: read.ascii, region: body.region }, io)
    if (typeof added === "string") throw domainTaken(`${read.ascii} is already registered in this project.`)
    if ("limit" in added) throw reached("maxDomains", added.limit)
    return added.domain
  },
})

function invalid(detail: string) {
  return requestInvalid(`/domain: ${detail}`, { errors: [{ pointer: "/domain", detail }] })
}
