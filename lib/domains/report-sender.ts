import { z } from "zod"
import { timestamp } from "@/lib/platform/schema"

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
