import { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { causeWords } from "@/lib/explanation/record-words"
import { dmarcSyntax } from "@/lib/domains/rules"
import * as checks from "@/lib/domains/check/data"
import type { Finding } from "@/lib/domains/check/findings"
import { diagnose } from "@/lib/domains/diagnosis/diagnose"
import { dnsProviderOf } from "@/lib/domains/diagnosis/hosting"
import { DnsProvider, domainMissing, LikelyCause } from "@/lib/domains/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import { id, int32, present, timestamp } from "@/lib/platform/schema"

const outcome = z
  .enum(["valid", "invalid", "missing", "unknown"])
  .describe("`unknown`: the lookup failed, so the state is not known.")
const found = z.array(z.string()).describe("What was found at the name, as text; an MX record as priority and host.")
const recordKey = z
  .string()
  .describe("`dkim-a`, `dkim-b`, `mail-from-mx`, `mail-from-spf`, `dmarc`, `tracking` or `bimi`.")

const ServerDiagnosis = z
  .strictObject({
    server: z.string().describe("Address and port."),
    name: z.string().optional().describe("The name server's name, if it is one of the zone's."),
    outcome,
    found,
    likelyCause: LikelyCause.optional(),
    reason: z.string().optional().describe("Why there was no answer: `timeout`, `refused`, `server-failure` …"),
  })
  .meta({ id: "ServerDiagnosis" })

const RecordDiagnosis = z
  .strictObject({
    record: recordKey,
    name: z.string().describe("Absolute, without the final dot."),
    type: z.string(),
    expected: z.string(),
    priority: int32.optional(),
    optional: z.boolean(),
    outcome,
    found,
    likelyCause: LikelyCause.optional().describe(
      "Why the record is not valid, if we recognise the cause, and how to fix it.",
    ),
    servers: z.array(ServerDiagnosis),
  })
  .meta({ id: "RecordDiagnosis" })

const DiagnosisNote = z
  .strictObject({
    code: z.string().describe("`servers-differ` or `dmarc-aspf-strict`."),
    record: recordKey.optional(),
    message: z.string(),
    fix: z.string(),
  })
  .meta({ id: "DiagnosisNote" })

const DomainDiagnosis = z
  .strictObject({
    domainId: id("dom"),
    domain: z.string(),
    at: timestamp.describe("When the name servers were asked."),
    zone: z.string().optional().describe("The DNS zone that contains the records."),
    nameServers: z.array(z.string()).describe("The zone's name servers."),
    provider: DnsProvider.optional(),
    records: z.array(RecordDiagnosis),
    notes: z.array(DiagnosisNote).describe("Notes that do not concern a single record."),
  })
  .meta({ id: "DomainDiagnosis" })

type DomainDiagnosis = z.output<typeof DomainDiagnosis>

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
      records: records.map(({ record, servers, ...finding }) => ({
        record: record.key,
        name: record.name,
        type: record.type,
        expected: record.value || dmarcSyntax,
        priority: record.priority,
        optional: record.optional ?? false,
        ...toldFinding(finding),
        servers: servers.map(toldFinding),
      })),
      notes,
    }
  },
})

/** A finding with the sentences about its cause. */
function toldFinding<F extends Finding>({ likelyCause, ...finding }: F) {
  return { ...finding, likelyCause: present(likelyCause && causeWords(likelyCause)) }
}
