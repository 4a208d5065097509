import { z } from "zod"
import { timestamp, double, id, int32, int64 } from "@/lib/platform/schema"
import { CursorInfo } from "@/lib/platform/http/paging"
import { sourceKinds } from "@/lib/domains/dmarc/rules"

const result = z.string().describe("pass, fail, softfail, neutral, none, temperror, permerror or policy (RFC 8601).")

/** Who sent a report by mail, and what that mail itself proves of its sender. */
export const ReportSender = z
  .strictObject({
    address: z.string().describe("The address in its From field."),
    client: z.string().describe("IP address of the server that handed it over."),
    dkim: result,
    spf: result,
    dmarc: result,
  })
  .meta({ id: "ReportSender" })

export type ReportSender = z.output<typeof ReportSender>

/** How a report came. */
export const arrival = {
  source: z.enum(["upload", "mail"]).describe("How it came."),
  sender: ReportSender.optional().describe("Whose mail carried it; absent for an upload."),
  createdAt: timestamp.describe("When it came."),
}

/** As it is stored; undefined for a report that was uploaded. */
export function senderOf(stored: unknown): ReportSender | undefined {
  return ReportSender.safeParse(stored).data
}

/** A report that came by mail, as its row has it. */
export const lastShape = { reporter: true, sender: true, createdAt: true } as const

export type LastByMail = { reporter: string; sender: ReportSender; receivedAt: Date }

export function lastOf(row: { reporter: string; sender: unknown; createdAt: Date } | null): LastByMail | undefined {
  const sender = row ? senderOf(row.sender) : undefined
  return row && sender ? { reporter: row.reporter, sender, receivedAt: row.createdAt } : undefined
}

const policy = z.enum(["none", "quarantine", "reject"])

export const UploadedDmarcReports = z
  .strictObject({
    accepted: int32,
    duplicates: int32.describe("Reports that were uploaded or came by mail before."),
    refused: int32,
    results: z.array(
      z.strictObject({
        file: z.string().describe("Its name."),
        status: z.enum(["accepted", "duplicate", "refused"]),
        reason: z.string().optional().describe("Why it was refused."),
        reporter: z.string().optional(),
        reportId: z.string().optional(),
        messages: int64.optional(),
      }),
    ),
  })
  .meta({ id: "UploadedDmarcReports" })

export type FileResult = z.output<typeof UploadedDmarcReports>["results"][number]

export const DmarcReport = z
  .strictObject({
    id: id("dmr"),
    reporter: z.string().describe("The receiver that wrote the report, such as `google.com`."),
    reportId: z.string().describe("The reporter's id of the report."),
    policyDomain: z.string().describe("The domain whose policy was applied."),
    policy: policy.describe("What was published for this domain."),
    beganAt: timestamp,
    endedAt: timestamp,
    messages: int64,
    aligned: int64.describe("Messages that passed DMARC: SPF or DKIM, aligned with the domain in From."),
    ...arrival,
  })
  .meta({ id: "DmarcReport" })

export type DmarcReport = z.output<typeof DmarcReport>

export const DmarcReportPage = z
  .strictObject({ cursor: CursorInfo, data: z.array(DmarcReport) })
  .meta({ id: "DmarcReportPage" })

const day = z.string().describe("A day in UTC, such as 2026-11-20.")

const counted = {
  messages: int64,
  aligned: int64,
}

export const DmarcSummary = z
  .strictObject({
    domain: z.string(),
    from: day.describe("The first of the 30 days, in UTC."),
    days: int32.describe("Days with reports among the last 90."),
    reports: int32.describe("Reports in the 30 days, like everything below."),
    ...counted,
    alignedRate: double.describe("0..1; 0 without messages."),
    dispositions: z
      .strictObject({ none: int64, quarantine: int64, reject: int64 })
      .describe("What receivers did with the messages, by their policy."),
    sources: z
      .array(
        z.strictObject({
          name: z.string().describe("The domain that the source authenticated, or its address."),
          kind: z
            .enum(sourceKinds)
            .describe(
              "`service`: sent here. `authorized`: passes in another way. `forwarder`: the receiver reports it as forwarded. `unknown`: passes neither SPF nor DKIM for this domain.",
            ),
          addresses: int32.describe("IP addresses."),
          ...counted,
        }),
      )
      .describe("At most 100, the largest first."),
    unknownSources: int32,
    unknownMessages: int64,
    timeline: z.array(z.strictObject({ day, ...counted })).describe("Days with reports, oldest first."),
    policy: policy.optional().describe("The policy published for this domain, according to the latest report."),
    tightening: z
      .strictObject({
        current: policy,
        next: z.enum(["quarantine", "reject"]).optional(),
        safe: z.boolean().describe("Whether the next stricter policy is recommended."),
        reason: z.string(),
      })
      .optional()
      .describe("Absent if there is no report in the last 90 days."),
  })
  .meta({ id: "DmarcSummary" })

export type DmarcSummary = z.output<typeof DmarcSummary>
