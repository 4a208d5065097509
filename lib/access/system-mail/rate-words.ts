import { countText, formatNumber, percentText } from "@/lib/platform/format"
import type { RateCause, RateNotice } from "@/lib/access/system-mail/system-mail"

type RateFacts = Pick<RateNotice, "rate" | "count" | "of" | "base">

/** What a bounce or complaint rate says, in the advisor and in what the owners are told of it. */
export function rateWords({ rate, count, of, base }: RateFacts): { title: string; message: string; fix: string } {
  const share = percentText(of > 0 ? count / of : 0)
  const emails = countText(of, `${base} email`)
  if (rate === "bounces")
    return {
      title: `${share} of your emails bounced`,
      message: `${formatNumber(count)} of ${emails} in 30 days bounced. Providers expect less than 2% and act above 5%.`,
      fix: "Find out where these addresses come from, confirm new ones by email, and suppress lists that you no longer use.",
    }
  return {
    title: `${share} of recipients marked your email as spam`,
    message: `${countText(count, "complaint")} about ${emails} in 30 days. Providers expect less than 0.1% and filter or refuse above 0.3%.`,
    fix: "Write only to people who asked for it, stop writing to those who no longer open, and make leaving easy.",
  }
}

/** The largest cause of `total` bounces or complaints, as a sentence. */
export function rateCauseText(cause: RateCause | null, total: number): string {
  if (!cause) return "No topic, tag, sending domain or mailbox provider stands out."
  return `The largest part, ${formatNumber(cause.count)} of ${formatNumber(total)}, is ${emailOf[cause.by](cause.name)}.`
}

const emailOf: Record<RateCause["by"], (name: string | null) => string> = {
  topic: (name) => `email of ${name === null ? "a topic that was deleted" : `the topic ${name}`}`,
  tag: (name) => `email with the tag ${name}`,
  domain: (name) => `email from ${name}`,
  provider: (name) => `email to ${name}`,
}
