import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { checkDomain } from "@/lib/domains/check/check"
import * as checks from "@/lib/domains/check/check-store"
import { domainMissing } from "@/lib/domains/problems"
import { Domain } from "@/lib/domains/schema"
import * as domains from "@/lib/domains/store"

export const verifyDomain = endpoint({
  route: "POST /v1/projects/{projectId}/domains/{domainId}/verify",
  operationId: "verifyDomain",
  tag: "Sending domains",
  summary: "Run DNS verification now",
  description:
    "Looks up every record at the domain's own name servers and responds with the result: 200 also when the domain is not verified. A lookup that fails changes nothing. DMARC and the tracking host are checked but never required.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  answers: [200, Domain],
  problems: [projectMissing, domainMissing],

  async run(scope, { path }, io) {
    const watched = await checks.watchedDomain(scope, path.domainId, io.clock.now())
    if (!watched) throw domainMissing()
    // If another check finished in the meantime, its result is as fresh as ours and is kept.
    await checks.saveCheck(watched, await checkDomain(watched, io, true))
    const domain = await domains.findDomain(scope, path.domainId, io.clock.now())
    if (!domain) throw domainMissing()
    return domain
  },
})
