import { registrationsOf } from "@/lib/domains/data"
import { reportMailToday } from "@/lib/inbound/data"
import type { Intake } from "@/lib/inbound/intake-sql"
import { dayMs } from "@/lib/platform/time"

type Answer = Exclude<Intake, "late">

/** Who publishes the address shows it to everybody: what one address takes in a day is limited. */
export const reportAddressLimits = { mailsPerDay: 5_000, bytesPerDay: 256 * 2 ** 20 }

const keptMs = 10_000
const keptMax = 10_000

/**
 * Whether addresses for reports take mail; what was looked up is believed for 10 s. An address of a domain that is registered no more
 * is `unknown`.
 */
export function createReportAddresses(
  limits = reportAddressLimits,
): (address: string, token: string) => Promise<Answer> {
  const kept = new Map<string, { until: number; answer: Promise<Answer> }>()

  return (address, token) => {
    const known = kept.get(address)
    if (known && known.until > performance.now()) return known.answer
    const answer = lookUp(address, token, limits)
    if (kept.size >= keptMax) kept.clear()
    kept.set(address, { until: performance.now() + keptMs, answer })
    // A database that did not answer may answer in a moment.
    answer.catch(() => kept.delete(address))
    return answer
  }
}

async function lookUp(address: string, token: string, limits: typeof reportAddressLimits): Promise<Answer> {
  const registrations = await registrationsOf(token)
  if (registrations.length === 0) return "unknown"
  const { mails, bytes } = await reportMailToday(address, new Date(Date.now() - dayMs))
  return mails >= limits.mailsPerDay || bytes >= limits.bytesPerDay ? "full" : "stored"
}
