import { hourMs } from "@/lib/platform/time"

/** The first and the last millisecond of an hour such as 2026-11-20T14, in UTC; null for what is no hour. */
export function utcHourRange(name: string): { from: string; to: string } | null {
  const from = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3])$/.test(name) ? Date.parse(`${name}:00:00Z`) : NaN
  if (Number.isNaN(from)) return null
  return { from: new Date(from).toISOString(), to: new Date(from + hourMs - 1).toISOString() }
}

/** "09:00 to 10:00 UTC". */
export function utcHourWords(name: string): string {
  const from = Number(name.slice(11, 13))
  const clock = (value: number) => `${String(value % 24).padStart(2, "0")}:00`
  return `${clock(from)} to ${clock(from + 1)} UTC`
}
