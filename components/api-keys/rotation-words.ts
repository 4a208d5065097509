import { dayMs, hourMs } from "@/lib/platform/time"
import { count } from "@/components/api-keys/usage-bars"
import { dateWords } from "@/components/ui/date-words"

type Side = {
  lastUsedAt?: string | undefined
  addresses: readonly string[]
  days: readonly { requests: number }[]
}

export type RotationWords = {
  sentence: string
  next: string
  /** Nothing has used the old key for a day: it can be ended. */
  isUnused: boolean
}

/** Addresses come from the latest requests only, so beyond this number some may be missing. */
const addressedMax = 1_000

/** Who still uses the old key, and what to do about it. */
export function rotationWords(
  { next, old, endsAt }: { next: Side; old: Side; endsAt?: string | undefined },
  now: number,
  timeZone: string,
): RotationWords {
  const today = old.days.at(-1)?.requests ?? 0
  const whole = today + (next.days.at(-1)?.requests ?? 0)
  const used = old.lastUsedAt ? Date.parse(old.lastUsedAt) : null
  if (used === null || now - used > dayMs)
    return {
      sentence:
        used === null
          ? "Nothing has ever used the old key."
          : `Nothing has used the old key since ${momentWords(used, timeZone)}.`,
      next: "You can end it.",
      isUnused: true,
    }
  const from = today ? addressWords(old.addresses, today > addressedMax) : lastAddressWords(old.addresses)
  const machines = old.addresses.length === 1 ? "that machine" : "those machines"
  const advice = `${old.addresses.length ? `Put the new key on ${machines}` : "Replace it"} before then.`
  return {
    sentence: today
      ? `The old key still made ${count(today)} of today’s ${count(whole, "request")}${from && `, ${from}`}.`
      : `The old key was last used on ${momentWords(used, timeZone)}${from && `, ${from}`}.`,
    next: endsAt ? `It stops working in ${leftWords(Date.parse(endsAt) - now)}. ${advice}` : advice,
    isUnused: false,
  }
}

export type Extension = { hours: 24 | 168 | 720; label: string; endsAt: number }

const extensions = [
  { hours: 24, label: "24 hours" },
  { hours: 168, label: "7 days" },
  { hours: 720, label: "30 days" },
] as const

/** The longer overlaps that a rotation may still get. */
export function extensionsOf({ startedAt, endsAt }: { startedAt: string; endsAt?: string | undefined }): Extension[] {
  if (endsAt === undefined) return []
  return extensions
    .map((one) => ({ ...one, endsAt: Date.parse(startedAt) + one.hours * hourMs }))
    .filter((one) => one.endsAt > Date.parse(endsAt))
}

function addressWords(addresses: readonly string[], isPart: boolean): string {
  const [first, second, ...more] = addresses
  if (!first) return ""
  if (isPart) return `most recently from ${first}`
  if (!second) return `all from ${first}`
  return more.length ? `from ${first}, ${second} and ${more.length} more` : `from ${first} and ${second}`
}

function lastAddressWords([first]: readonly string[]): string {
  return first ? `from ${first}` : ""
}

/** "18 November, 21:04", and "UTC" behind it where it is that. */
export function momentWords(at: number | string, timeZone: string): string {
  const day = dateWords(at, { timeZone, day: "numeric", month: "long" })
  const time = dateWords(at, { timeZone, hour: "2-digit", minute: "2-digit" })
  return `${day}, ${time}${timeZone === "UTC" ? " UTC" : ""}`
}

/** "3 days 19 hours", "19 hours", "12 minutes". */
export function leftWords(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000))
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24]
  if (days) return hours ? `${count(days, "day")} ${count(hours, "hour")}` : count(days, "day")
  return hours ? count(hours, "hour") : count(minutes, "minute")
}
