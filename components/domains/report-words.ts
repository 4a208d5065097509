import type { ReportMail } from "@/components/domains/queries"
import type { Tone } from "@/components/ui/pill"

type Fault = NonNullable<ReportMail["lastRefused"]>["reason"]

/** Why a mail to the address for reports was not taken. */
export const faultWords: Record<Fault, string> = {
  no_report: "no report is attached.",
  several_reports: "several reports are attached.",
  archive: "the archive is damaged, packed twice, or holds several files.",
  too_large: "the report is larger than 10 MB unpacked, or has too many records.",
  malformed: "the report cannot be read.",
  other_domain: "the report is about another domain.",
  other_period: "the report is about a time in the future, or too long ago.",
  no_registration: "the domain was not registered then.",
}

/** Whether the mail that carried a report proves who sent it. */
export function senderWords({ spf, dkim, dmarc }: { spf: string; dkim: string; dmarc: string }): {
  tone: Tone
  text: string
  tip: string
} {
  const tip = `The mail itself: SPF ${spf}, DKIM ${dkim}, DMARC ${dmarc}.`
  if (dmarc === "pass") return { tone: "good", text: "Sender verified", tip }
  if (dmarc === "none" && (spf === "pass" || dkim === "pass"))
    return { tone: "wait", text: "Sender has no policy", tip }
  return { tone: "warn", text: "Sender not verified", tip: `${tip} Anyone could have written the report.` }
}
