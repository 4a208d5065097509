export type Hour = { hour: string; firstSucceeded: number; firstFailed: number }

const hourMs = 3_600_000

/** An hour as it is in the address, such as 2026-11-20T14, in UTC. */
export function hourName(hour: string): string {
  return hour.slice(0, 13)
}

/** From its first to its last millisecond; null for what is no hour. */
export function rangeOfHour(name: string): { since: string; until: string } | null {
  const from = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3])$/.test(name) ? Date.parse(`${name}:00:00Z`) : NaN
  if (Number.isNaN(from)) return null
  return { since: new Date(from).toISOString(), until: new Date(from + hourMs - 1).toISOString() }
}

/** "09:00 to 10:00 UTC". */
export function spanWords(name: string): string {
  const from = Number(name.slice(11, 13))
  const clock = (value: number) => `${String(value % 24).padStart(2, "0")}:00`
  return `${clock(from)} to ${clock(from + 1)} UTC`
}

export function totalOf({ firstSucceeded, firstFailed }: Hour): number {
  return firstSucceeded + firstFailed
}

/** What happened in an hour. */
export function hourWords(hour: Hour): string {
  const total = totalOf(hour)
  if (total === 0) return `${spanWords(hour.hour)}: no deliveries`
  const failed = hour.firstFailed ? `, ${hour.firstFailed.toLocaleString("en")} failed at first` : ""
  return `${spanWords(hour.hour)}: ${total.toLocaleString("en")} ${total === 1 ? "delivery" : "deliveries"}${failed}`
}
