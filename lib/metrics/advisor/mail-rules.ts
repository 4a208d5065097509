import { least } from "@/lib/metrics/advisor/rate-rules"
import type { Facts, Finding } from "@/lib/metrics/advisor/types"
import { countText, percentText } from "@/lib/metrics/advisor/words"

export const htmlOnlyBound = 0.1
export const clippedBound = 0.01
export const refusals = { least: 3, criticalShare: 0.02 }

export const mailRules: readonly ((facts: Facts) => Finding[])[] = [refused, degraded, clipped, htmlOnly]

/** Refusals that concern us as a sender: sender address, authentication, Microsoft's verdicts (protocol.md 19). */
function refused({ month, refusals: by }: Facts): Finding[] {
  const { sent, refusedOurs } = month
  const [first] = by
  if (refusedOurs < refusals.least || !first) return []
  const critical = sent >= least.sent && refusedOurs / sent >= refusals.criticalShare
  const { code, domain, domainId } = first
  return [
    {
      code: "sender_refused",
      severity: critical ? "critical" : "warning",
      title: `Servers refuse ${domain} as a sender`,
      message: `${countText(refusedOurs, "email")} in 30 days ${refusedOurs === 1 ? "was" : "were"} refused because of the sender, not the recipient; most often with ${code}, ${meaningOf(code)}.`,
      fix: domainId
        ? `Check the DNS records of ${domain}, then ask the provider that refuses to lift the block.`
        : "Check the DNS records of the domain, then ask the provider that refuses to lift the block.",
      deduction: critical ? 20 : 8,
      evidence: `/emails?status=bounced${domainId ? `&domain=${domainId}` : ""}`,
      fixAt: domainId ? `/domains/${domainId}` : "/domains",
      data: { accepted: sent },
    },
  ]
}

/** RFC 7372, RFC 8617 and RFC 3463; Microsoft's own ranges. */
function meaningOf(code: string): string {
  if (/^5\.1\.[78]$/.test(code)) return "the sender's address is not accepted"
  if (/^5\.7\.2[0-2]$/.test(code)) return "DKIM did not pass"
  if (/^5\.7\.2[34]$/.test(code)) return "SPF did not pass"
  if (code === "5.7.25") return "the sending address has no matching reverse DNS"
  if (code === "5.7.26") return "neither SPF nor DKIM passed for the domain"
  if (code === "5.7.27") return "the sender's domain accepts no email"
  if (/^5\.7\.[56]\d\d$/.test(code)) return "Microsoft blocks the sender"
  return "the sender is not accepted"
}

function degraded({ degraded: domains }: Facts): Finding[] {
  return domains.map(({ id, domain }) => ({
    code: "domain_records_missing",
    severity: "warning",
    title: `DNS records of ${domain} are missing`,
    message:
      "The last check did not find all required records. Email from this domain is refused here 72 hours after the records went missing.",
    fix: "Publish the records again. The domain recovers by itself.",
    deduction: 8,
    evidence: `/domains/${id}`,
    fixAt: `/domains/${id}`,
    data: {},
  }))
}

function clipped({ month, clippedEmailId }: Facts): Finding[] {
  const { sent, clipped: large } = month
  if (sent < least.sent || large / sent < clippedBound) return []
  return [
    {
      code: "body_too_large",
      severity: "warning",
      title: "Gmail cuts off your email",
      message: `${countText(large, "email")} in 30 days had more than 102 kB of HTML. Gmail shows the first 102 kB: the unsubscribe link and the end of the message are hidden.`,
      fix: "Link to images and style sheets instead of embedding them, and shorten long lists.",
      deduction: 4,
      evidence: clippedEmailId ? `/emails/${clippedEmailId}` : "/emails",
      fixAt: "/emails/compose",
      data: { accepted: sent },
    },
  ]
}

function htmlOnly({ month, htmlOnlyEmailId }: Facts): Finding[] {
  const { sent, htmlOnly: without } = month
  if (sent < least.sent || without / sent < htmlOnlyBound) return []
  return [
    {
      code: "text_part_missing",
      severity: "info",
      title: `${percentText(without / sent)} of your email has no text part`,
      message: `${countText(without, "email")} in 30 days had HTML alone. Filters count a missing text part against a sender, and some mail programs show nothing.`,
      fix: "Send `text` beside `html`: the same message in plain words, with its links.",
      deduction: 3,
      evidence: htmlOnlyEmailId ? `/emails/${htmlOnlyEmailId}` : "/emails",
      fixAt: "/emails/compose",
      data: { accepted: sent },
    },
  ]
}
