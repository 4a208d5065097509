import { z } from "zod"
import { DnsProvider, LikelyCause } from "@/lib/domains/schema"
import { id, int32, timestamp } from "@/lib/platform/schema"

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

export const DomainDiagnosis = z
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

export type DomainDiagnosis = z.output<typeof DomainDiagnosis>
