import { feedbackHost, type ServiceNames } from "@/lib/domains/records/records"
import { deliveryOfVerp, type Hmac, loopTestOf } from "@/lib/delivery/message/proven-ids"
import { deliveryOfUnsubscribeAddress } from "@/lib/delivery/message/unsubscribe"
import { instantOf } from "@/lib/platform/ids"
import { dayMs } from "@/lib/platform/time"
import { regionNames, type Region } from "@/lib/regions/regions"
import type { Door } from "@/lib/returns/returned-mail"
import { mimePartsOf } from "@/lib/platform/mime/mime-parts"
import { judgeMessage } from "@/lib/sandbox/judge"
import type { ReceivedMessage, ResolveRecords } from "@/lib/sandbox/verdicts"

export type InboundRecipient = {
  door: Door
  deliveryId?: string
  /** Of an address for reports: the one thing that has to be looked up. */
  reportToken?: string
  address: string
}

/** The region and its loop test whose address it is; null for any other. */
export function loopTestAt(
  address: string,
  { hmac, service, now }: { hmac: Hmac; service: ServiceNames; now: Date },
): { region: Region; testId: string } | null {
  const at = address.lastIndexOf("@")
  const host = address.slice(at + 1).toLowerCase()
  const region = regionNames.find((one) => feedbackHost(one, service) === host)
  const testId = region && loopTestOf(address.slice(0, Math.max(0, at)), region, { hmac, now })
  return region && testId ? { region, testId } : null
}

/** A return path is live for this long: 30 days ahead of time, 3 days of attempts, and as long as servers keep their queues. */
const liveDays = 90

const offices: ReadonlyMap<string, Door> = new Map([
  ["fbl", "feedback"],
  ["postmaster", "mailbox"],
  ["abuse", "mailbox"],
  ["tlsrpt", "reports"],
])

/**
 * Whom a recipient address reaches; null for everybody else, whose mail is none of ours. Asks nobody: a return path and an
 * unsubscribe address prove themselves by a keyed hash, at whatever host; an address for reports is looked up by its 80 random bits.
 * Upper and lower case are alike.
 */
export function recipientOf(
  address: string,
  { hmac, service, now }: { hmac: Hmac; service: ServiceNames; now: Date },
): InboundRecipient | null {
  const lower = address.toLowerCase()
  const at = lower.lastIndexOf("@")
  const local = at < 0 ? lower : lower.slice(0, at)
  const office = offices.get(local)
  // A server takes mail for its postmaster without a domain, too (RFC 5321 section 4.5.1).
  if (at < 0) return office && local === "postmaster" ? { door: office, address: lower } : null
  const isOurs = isHostOfOurs(lower.slice(at + 1), service)
  if (office) return isOurs ? { door: office, address: lower } : null
  if (loopTestAt(lower, { hmac, service, now })) return { door: "setup", address: lower }
  const reportToken = reportTokenOf(lower)
  if (reportToken) return { door: "reports", reportToken, address: lower }
  const left = deliveryOfUnsubscribeAddress(local, hmac)
  if (left) return { door: "unsubscribe", deliveryId: left, address: lower }
  const deliveryId = deliveryOfVerp(local, hmac)
  if (!deliveryId || now.getTime() - instantOf(deliveryId).getTime() > liveDays * dayMs) return null
  return { door: "return_path", deliveryId, address: lower }
}

/** The token in an address for reports (lib/domains/data.ts) at any host; null if it has the form of none. */
export function reportTokenOf(address: string): string | null {
  return /^([0-9a-f]{20})@[^@]+$/i.exec(address)?.[1]?.toLowerCase() ?? null
}

function isHostOfOurs(domain: string, service: ServiceNames): boolean {
  const hosts = regionNames.map((region) => feedbackHost(region, service))
  return [service.serviceDomain, service.reportDomain, ...hosts].includes(domain)
}

/** What a mail proves of its sender when it arrives, in the results of RFC 8601. */
export type ArrivalVerdicts = {
  spf: string
  dkim: string
  dmarc: string
  /** What the sender's domain asks for where DMARC fails. */
  policy?: string
}

/** Each costs a question to the DNS and a check of the signature; mail has two or three. */
const signaturesMax = 10

/** Takes as long as the DNS, but at most some seconds. Never throws. */
export async function judgeArrival(message: ReceivedMessage, resolve: ResolveRecords): Promise<ArrivalVerdicts> {
  if (mimePartsOf(message.raw).header.all("dkim-signature").length > signaturesMax)
    return { spf: "permerror", dkim: "permerror", dmarc: "permerror" }
  const { dkim, spf, dmarc } = await judgeMessage(message, resolve)
  return {
    ...{ spf: spf.result, dkim: dkim.result, dmarc: dmarc.result },
    ...(dmarc.policy === undefined ? {} : { policy: dmarc.policy }),
  }
}
