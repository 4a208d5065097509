import { trackHtml, type Wanted } from "@/lib/delivery/message/tracked-html"
import { trackingToken } from "@/lib/delivery/message/tracking-token"
import type { Message } from "@/lib/delivery/queue/claims/data"
import { parseAddress } from "@/lib/addresses/address"
import { simulatorName } from "@/lib/emails/simulator"
import { hmac } from "@/lib/platform/crypto"
import { env } from "@/lib/platform/env/env"
import { parseUrl } from "@/lib/platform/url-rules"

/** What is stored of a tracked message: where its links lead, and the host that they name. */
export type Tracked = { host: string | null; urls: string[]; short: boolean }

type Bodies = { text: string | null; html: string | null }

/**
 * The bodies as they are sent, with what is tracked in them. A message that several people get cannot tell them apart, and a text
 * has no place for an image, so both stay as they are. `bodyEnd`: where the changed HTML may be added to.
 */
export function withTracking<Given extends Bodies>(
  body: Given,
  message: Message,
  { deliveryId, trackingHost }: { deliveryId: string; trackingHost: string | null },
): { body: Given; tracked: Tracked | null; bodyEnd?: number } {
  const wanted = wantedOf(message)
  const isWanted = wanted.opens || wanted.clicks || wanted.reading
  if (!isWanted || message.recipients !== 1 || body.html === null) return { body, tracked: null }
  const origin = trackingHost === null ? env().baseUrl : `https://${trackingHost}`
  const url = (kind: "open" | "click" | "read" | "mark", number = 0) =>
    `${origin}/t/${trackingToken({ kind, deliveryId, number }, hmac)}`
  const theirs = unsubscribeUrls(message.headers)
  const { html, bodyEnd, urls, short } = trackHtml(
    body.html,
    wanted,
    { link: (number) => url("click", number), image: (kind, percent) => `${url(kind, percent)}.gif` },
    (target) => isOurs(target) || theirs.has(target.href),
  )
  return { body: { ...body, html }, tracked: { host: trackingHost, urls, short }, bodyEnd }
}

/** The simulator's readers open and click whatever the settings are. */
function wantedOf({ tracking, toHeaders }: Message): Wanted {
  const [to = ""] = toHeaders
  const parsed = parseAddress(to)
  const reader = parsed.ok ? simulatorName(parsed.canonical) : null
  const clicks = reader === "clicked"
  return {
    opens: tracking.opens || clicks || reader === "opened",
    clicks: tracking.clicks || clicks,
    reading: tracking.reading,
    marks: tracking.reading && tracking.marks,
  }
}

/** Links to unsubscribe or to choose topics, which must work without us recording them. */
function isOurs({ origin, pathname }: URL): boolean {
  return origin === env().baseUrl && /^\/[tu]\//.test(pathname)
}

function unsubscribeUrls(headers: Record<string, string>): Set<string> {
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === "list-unsubscribe")?.[1] ?? ""
  const listed = [...value.matchAll(/<([^<>]*)>/g)].map(([, url = ""]) => url)
  return new Set(listed.flatMap((url) => parseUrl(url)?.href ?? []))
}
