import { z } from "zod"
import { arrival } from "@/lib/domains/dmarc/schema"
import { CursorInfo } from "@/lib/platform/http/paging"
import { id, int32, int64, timestamp } from "@/lib/platform/schema"

const sessions = {
  succeeded: int64.describe("Sessions with TLS as the policy demands."),
  failed: int64.describe("Sessions without."),
}

export const UploadedTlsReports = z
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
        succeeded: int64.optional(),
        failed: int64.optional(),
      }),
    ),
  })
  .meta({ id: "UploadedTlsReports" })

export type TlsFileResult = z.output<typeof UploadedTlsReports>["results"][number]

export const TlsReportItem = z
  .strictObject({
    id: id("tlr"),
    reporter: z.string().describe("The sender of mail that wrote the report, such as `Google Inc.`."),
    reportId: z.string().describe("The reporter's id of the report."),
    contact: z.string().optional().describe("Where the reporter can be asked about it."),
    beganAt: timestamp,
    endedAt: timestamp,
    ...sessions,
    ...arrival,
  })
  .meta({ id: "TlsReport" })

export type TlsReportItem = z.output<typeof TlsReportItem>

export const TlsReportPage = z
  .strictObject({ cursor: CursorInfo, data: z.array(TlsReportItem) })
  .meta({ id: "TlsReportPage" })

const day = z.string().describe("A day in UTC, such as 2026-11-20.")

export const TlsSummary = z
  .strictObject({
    domain: z.string(),
    from: day.describe("The first of the 30 days, in UTC."),
    reports: int32.describe("Reports in the 30 days, like everything below."),
    reporters: int32,
    ...sessions,
    failures: z
      .array(
        z.strictObject({
          result: z.string().describe("RFC 8460 section 4.3, such as `certificate-expired`."),
          policyType: z.string().describe("The policy that was applied: `sts`, `tlsa`, `no-policy-found` or `other`."),
          host: z.string().optional().describe("The mail server at which it failed, where the report names it."),
          sessions: int64,
        }),
      )
      .describe("At most 100, the largest first."),
    timeline: z.array(z.strictObject({ day, ...sessions })).describe("Days with reports, oldest first."),
  })
  .meta({ id: "TlsSummary" })

export type TlsSummary = z.output<typeof TlsSummary>
