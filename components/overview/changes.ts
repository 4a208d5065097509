import type { Tone } from "@/components/ui/pill"
import { percent } from "@/components/overview/percent"

/** Which way is good news: more deliveries are, more bounces are not, and more mail is neither. */
export type Wished = "more" | "less" | "either"

export type Change = { text: string; tone: Tone }

/** The change of a count from the previous period in percent; nothing if there is nothing to compare with. */
export function countChange(now: number, before: number, wished: Wished): Change | undefined {
  if (before === 0) return undefined
  const change = now / before - 1
  return {
    text: signed(
      change,
      Math.abs(change) >= 10 ? `${Math.round(now / before)} ×` : `${Math.round(Math.abs(change) * 100)} %`,
    ),
    tone: toneOf(now - before, wished),
  }
}

type Share = { rate: number; base: number }

/** How a rate differs, in percentage points; a rate of nothing is none. */
export function rateChange(now: Share, before: Share, wished: Wished): Change | undefined {
  if (now.base === 0 || before.base === 0) return undefined
  const difference = now.rate - before.rate
  // Less than is written is no change.
  const change = Math.abs(difference) < 0.00005 ? 0 : difference
  return { text: signed(change, `${percent(Math.abs(change)).replace(" %", "")} points`), tone: toneOf(change, wished) }
}

function signed(change: number, text: string): string {
  if (change === 0) return "no change"
  const sign = change > 0 ? "+" : "−"
  return text.startsWith("0 ") ? `${sign}under ${text.replace("0", "1")}` : `${sign}${text}`
}

function toneOf(change: number, wished: Wished): Tone {
  if (change === 0 || wished === "either") return "wait"
  return change > 0 === (wished === "more") ? "good" : "bad"
}
