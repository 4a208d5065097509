import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { saveBimiCheck } from "@/lib/domains/bimi/bimi-store"
import { afterLookup } from "@/lib/domains/bimi/rules"
import { checkMaxMs, expectationOf } from "@/lib/domains/check/check"
import * as checks from "@/lib/domains/check/check-store"
import { compareOne } from "@/lib/domains/check/compare"
import { presentable } from "@/lib/domains/check/findings"
import { domainMissing } from "@/lib/domains/problems"
import { Domain } from "@/lib/domains/schema"
import * as domains from "@/lib/domains/store"
import { withinMs } from "@/lib/platform/dns/within"
import { endpoint } from "@/lib/platform/http/endpoint"

export const verifyBimi = endpoint({
  route: "POST /v1/projects/{projectId}/domains/{domainId}/bimi/verify",
  operationId: "verifyBimi",
  tag: "Sending domains",
  summary: "Check BIMI record",
  description:
    "Looks up the record at `default._bimi` at the domain's own name servers and responds with the result in `bimiStatus`: 200 also when it is not found. A lookup that fails changes nothing.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  answers: [200, Domain],
  problems: [projectMissing, domainMissing],

  async run(scope, { path }, io) {
    const watched = await checks.watchedDomain(scope, path.domainId, io.clock.now())
    if (!watched) throw domainMissing()
    const expected = expectationOf(watched)
    if (expected.bimi) {
      const finding = await compareOne(withinMs(io.dns, checkMaxMs), expected, "bimi")
      await saveBimiCheck(scope, watched, afterLookup(watched.records, presentable(finding), io.clock.now()))
    }
    const domain = await domains.findDomain(scope, path.domainId, io.clock.now())
    if (!domain) throw domainMissing()
    return domain
  },
})
