import { formatNumber } from "@/lib/platform/format"

type Daily = {
  value: number
  used?: number
  resetsAt: string
  perHour?: number
  runsOutAt?: string
}

/** From this share on, people should know before sends are refused. */
export const nearlyUsed = 0.8

/** One sentence on the organization's sends of today: amber from 80%, or when they run out today; red when they are used up. */
export function dailyState(
  { value, used = 0, resetsAt, perHour, runsOutAt }: Daily,
  timeOfDay: (at: string) => string,
): { tone: "accent" | "warn" | "bad"; note: string } {
  if (used >= value) return { tone: "bad", note: `Sending is refused until ${timeOfDay(resetsAt)}.` }
  const tone = runsOutAt || used >= value * nearlyUsed ? "warn" : "accent"
  if (runsOutAt) return { tone, note: `Runs out at ${timeOfDay(runsOutAt)}, at ${formatNumber(perHour ?? 0)} an hour.` }
  const pace = perHour ? `At ${formatNumber(perHour)} an hour it does not run out` : "For the whole organization"
  return { tone, note: `${pace}; resets at ${timeOfDay(resetsAt)}.` }
}
