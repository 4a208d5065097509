import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { dmarcSyntax } from "@/lib/domains/check/conflict-rules"
import * as checks from "@/lib/domains/check/data"
import { diagnose } from "@/lib/domains/diagnosis/diagnose"
import { dnsProviderOf } from "@/lib/domains/diagnosis/dns-providers"
import { DomainDiagnosis } from "@/lib/domains/diagnosis/schema"
import { domainMissing } from "@/lib/domains/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import { present } from "@/lib/platform/schema"

export const diagnoseDomain = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/diagnosis",
  operationId: "diagnoseDomain",
  tag: "Sending domains",
  summary: "Diagnose domain's records",
  description:
    "Asks each name server for each record now, and responds with what is expected, what each server answers, the likely cause of a difference, and the fix. Changes nothing; `verify` does. Takes up to five seconds when name servers do not answer.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  answers: [200, DomainDiagnosis],
  problems: [projectMissing, domainMissing],
  additive: true,

  async run(scope, { path }, io) {
    const watched = await checks.watchedDomain(scope, path.domainId, io.clock.now())
    if (!watched) throw domainMissing()
    const { at, hosting, records, notes } = await diagnose(watched, io)
    return {
      domainId: watched.id,
      domain: watched.name,
      at,
      zone: hosting?.zone,
      nameServers: hosting?.nameServers ?? [],
      provider: present(hosting && dnsProviderOf(hosting)),
      records: records.map(({ record, outcome, found, likelyCause, servers }) => ({
        record: record.key,
        name: record.name,
        type: record.type,
        expected: record.value || dmarcSyntax,
        priority: record.priority,
        optional: record.optional ?? false,
        outcome,
        found,
        likelyCause,
        servers,
      })),
      notes,
    }
  },
})
