import { z } from "zod"
import { reportFaults } from "@/lib/domains/dmarc/unpack"
import { ReportSender } from "@/lib/domains/dmarc/schema"
import { int32, timestamp } from "@/lib/platform/schema"

/** Why a mail to an address for reports was not taken. */
export const mailFaults = [...reportFaults, "no_registration"] as const

export type MailFault = (typeof mailFaults)[number]

const record = z.strictObject({
  name: z.string(),
  value: z.string().describe("What to publish as TXT; empty where nothing can be recommended."),
  state: z
    .enum(["published", "missing", "unknown"])
    .describe("Whether the DNS has the address: `unknown` while it cannot be looked up, or has not been."),
})

const last = z
  .strictObject({ reporter: z.string(), sender: ReportSender, receivedAt: timestamp })
  .optional()
  .describe("The last one that came by mail.")

export const ReportMail = z
  .strictObject({
    address: z.string().describe("Where the domain's reports go, DMARC and TLS."),
    listener: z
      .enum(["open", "local", "closed"])
      .describe(
        "Whether the installation takes mail: from everywhere, from its own machine alone (the sandbox), or not now.",
      ),
    dmarc: z.strictObject({ record, last }),
    tls: z.strictObject({ record, last }),
    waiting: int32.describe("Mails to the address that have not been read yet."),
    refused: int32.describe("Mails to the address in the last 30 days that were not taken; at most 1,000 are counted."),
    lastRefused: z
      .strictObject({
        from: z.string(),
        receivedAt: timestamp,
        reason: z
          .enum(mailFaults)
          .describe(
            "`no_report` or `several_reports` in the mail; an `archive` that is damaged or packed twice; `too_large`; `malformed`; about an `other_domain` or `other_period`; `no_registration` of the domain when it came.",
          ),
      })
      .optional(),
  })
  .meta({ id: "ReportMail" })

export type ReportMail = z.output<typeof ReportMail>
