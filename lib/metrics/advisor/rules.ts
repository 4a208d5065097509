import { dmarcRules } from "@/lib/metrics/advisor/dmarc-rules"
import { mailRules } from "@/lib/metrics/advisor/mail-rules"
import { rateRules } from "@/lib/metrics/advisor/rate-rules"
import type { Facts, Finding } from "@/lib/metrics/advisor/types"

/** All that the advisor judges. Each rule is silent where there is too little to judge by. */
const rules: readonly ((facts: Facts) => Finding[])[] = [...rateRules, ...mailRules, ...dmarcRules]

/** What to improve, the heaviest first. */
export function findingsOf(facts: Facts): Finding[] {
  return rules.flatMap((rule) => rule(facts)).toSorted((a, b) => b.deduction - a.deduction)
}

/** 100 minus what the findings deduct, never below 0. */
export function scoreOf(findings: readonly Pick<Finding, "deduction">[]): number {
  return Math.max(0, 100 - findings.reduce((sum, { deduction }) => sum + deduction, 0))
}

export const ratings = ["Healthy", "Good", "Needs attention", "Critical"] as const
export type Rating = (typeof ratings)[number]

export function ratingOf(score: number): Rating {
  if (score >= 90) return "Healthy"
  if (score >= 75) return "Good"
  return score >= 50 ? "Needs attention" : "Critical"
}

/** Emails of the last 30 days below which a score says little. */
export const emailsForScore = 500
