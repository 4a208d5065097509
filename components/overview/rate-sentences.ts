import { formatNumber } from "@/lib/platform/format"
import { reachedCount } from "@/components/metrics/rates"
import { bounceBounds, complaintBounds } from "@/lib/metrics/advisor/bound-rules"

type Counts = {
  sent: number
  delivered: number
  bounced: number
  complained: number
  deliveryReported?: boolean | undefined
  deliveryNotReported?: number | undefined
}

export type RateSentence = { text: string; detail: string; tone: "text" | "warn" | "bad" }

/** On fewer a rate is chance. */
const judgedFrom = 500

/** What became of a week's email, in words with their numbers, beside the week before. */
export function rateSentences(now: Counts, before: Counts | undefined): RateSentence[] {
  const sent = {
    text: `${count(now.sent)} ${now.sent === 1 ? "email" : "emails"} sent`,
    detail: "",
    tone: "text" as const,
  }
  if (now.sent < judgedFrom)
    return [{ ...sent, detail: `${volume(now.sent, before?.sent)} Too few emails to judge rates.` }]
  const earlier = before && before.sent >= judgedFrom ? before : undefined
  const share = (part: "delivered" | "bounced", of: Counts) => of[part] / of.sent
  const complaints = (of: Counts) => (reachedCount(of) > 0 ? of.complained / reachedCount(of) : 0)
  const week = (rate: (of: Counts) => number) => (earlier ? `${perMille(rate(earlier))} the week before.` : "")
  return [
    { ...sent, detail: volume(now.sent, before?.sent) },
    now.deliveryReported === false
      ? notReported(now)
      : {
          text: `${perMille(share("delivered", now))} in 1,000 delivered`,
          detail:
            (earlier?.deliveryReported !== false && week((of) => share("delivered", of))) ||
            "No week before to compare with.",
          tone: "text",
        },
    {
      text: `${perMille(share("bounced", now))} in 1,000 bounced`,
      detail: `${week((of) => share("bounced", of))} Keep it below ${perMille(bounceBounds.warning)}.`.trim(),
      tone: toneOf(share("bounced", now), bounceBounds),
    },
    {
      text: `${perMille(complaints(now))} in 1,000 complained`,
      detail: `${people(now.complained)}${earlier ? `, ${count(earlier.complained)} the week before` : ""}. Keep it below ${perMille(complaintBounds.warning)}.`,
      tone: toneOf(complaints(now), complaintBounds),
    },
  ]
}

/** A share of what is known of a part alone would read as one of all. */
function notReported({ delivered, deliveryNotReported = 0 }: Counts): RateSentence {
  const known = delivered > 0 ? ` ${count(delivered)} others are known to be delivered.` : ""
  return {
    text: `Delivery of ${count(deliveryNotReported)} is not reported`,
    detail: `A relay accepted them and reports nothing further.${known}`,
    tone: "text",
  }
}

function volume(now: number, before = 0): string {
  if (before === 0) return "None the week before."
  const change = Math.round((now / before - 1) * 100)
  if (change === 0) return `As many as the week before (${count(before)}).`
  return `${Math.abs(change)}% ${change > 0 ? "more" : "less"} than the week before (${count(before)}).`
}

/** Whole from 10 on; below, the digit that tells 0.7 from 1. */
function perMille(share: number): string {
  const value = share * 1_000
  return String(value >= 10 ? Math.round(value) : Number(value.toFixed(1)))
}

function toneOf(rate: number, { warning, critical }: { warning: number; critical: number }): RateSentence["tone"] {
  if (rate < warning) return "text"
  return rate >= critical ? "bad" : "warn"
}

const people = (number: number) => (number === 1 ? "1 person" : `${count(number)} people`)
const count = (value: number) => formatNumber(value)
