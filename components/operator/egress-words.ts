import type { EgressAddressWire } from "@/components/operator/queries"
import type { Tone } from "@/components/ui/pill"
import { formatNumber } from "@/lib/platform/format"

type State = { tone: Tone; text: string; tip: string }

/** What an address does now. */
export function stateOf({ pausedAt, warmUp, today }: EgressAddressWire): State {
  if (pausedAt !== undefined)
    return { tone: "warn", text: "Paused", tip: "No email leaves from it. What was attempted from it waits." }
  if (!warmUp) return { tone: "good", text: "Sending", tip: "Without a cap." }
  if (warmUp.startsOn !== undefined)
    return { tone: "wait", text: "Not begun", tip: "Its warm-up begins at midnight UTC of that day." }
  if (today.sent >= warmUp.cap)
    return { tone: "warn", text: "Full today", tip: "It has sent what its warm-up allows until midnight UTC." }
  return warmUp.counts || today.sent === 0
    ? { tone: "good", text: "Warming up", tip: "The day counts while its rates are good." }
    : { tone: "warn", text: "Day repeats", tip: `Less than 5 % must be deferred, 2 % bounced, 0.1 % complained about.` }
}

const sharesMax = 3

/** What went to mailbox providers today, most first; of half the cap, while there is one. */
export function sharesOf({ warmUp, today }: EgressAddressWire): string[] {
  return today.providers
    .filter(({ name }) => name !== "")
    .slice(0, sharesMax)
    .map(({ name, sent }) => {
      const most = warmUp ? ` of ${formatNumber(Math.floor(warmUp.cap / 2))}` : ""
      return `${name}: ${formatNumber(sent)}${most}`
    })
}

/** What waits for later days of a warm-up. */
export function backlogWords({ waiting, isTooMuch }: NonNullable<EgressAddressWire["warmUp"]>): string {
  const emails = waiting === 1 ? "1 email waits" : `${formatNumber(waiting)} emails wait`
  if (!isTooMuch) return `${emails} for the next days’ shares.`
  return `${emails}: more than its shares of the next 72 hours. The rest will fail: send less, or add an address that is warm.`
}

export function rateWords(part: number, whole: number): string {
  if (whole === 0) return "–"
  const share = (100 * part) / whole
  if (share > 0 && share < 0.01) return "< 0.01 %"
  return `${share === 0 || share >= 10 ? share.toFixed(0) : share.toFixed(share < 1 ? 2 : 1)} %`
}
