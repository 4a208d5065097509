import { formatNumber } from "@/lib/platform/format"
import { utcHourWords } from "@/components/ui/utc-hours"

export type Hour = { hour: string; firstSucceeded: number; firstFailed: number }

/** An hour as it is in the address, such as 2026-11-20T14, in UTC. */
export function hourName(hour: string): string {
  return hour.slice(0, 13)
}

export function totalOf({ firstSucceeded, firstFailed }: Hour): number {
  return firstSucceeded + firstFailed
}

/** What happened in an hour. */
export function hourWords(hour: Hour): string {
  const total = totalOf(hour)
  if (total === 0) return `${utcHourWords(hour.hour)}: no deliveries`
  const failed = hour.firstFailed ? `, ${formatNumber(hour.firstFailed)} failed at first` : ""
  return `${utcHourWords(hour.hour)}: ${formatNumber(total)} ${total === 1 ? "delivery" : "deliveries"}${failed}`
}
