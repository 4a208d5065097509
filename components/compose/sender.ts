import { named } from "@/components/compose/recipient-entries"
import { bareAddress, nameOf } from "@/components/emails/address"

/** The sender as its fields have it. */
export type Sender = { name: string; local: string; domain: string }

export type SendingDomain = { domain: string; status: string }

export function isSending({ status }: SendingDomain): boolean {
  return status === "verified" || status === "degraded"
}

/** The parts of a From header; without a domain, what is there is the part before the @. */
export function senderOf(from: string): Sender {
  const address = bareAddress(from.trim())
  const at = address.lastIndexOf("@")
  const [local, domain] = at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at + 1)]
  return { name: nameOf(from), local, domain }
}

/** The From header of these parts; empty where there is no local part. */
export function fromOf({ name, local, domain }: Sender): string {
  if (!local.trim()) return ""
  return named(name.trim(), `${local.trim()}@${domain}`)
}

/** The distinct senders of these emails that may send again, in the order of the emails. */
export function sendersOf(emails: readonly { from: string }[], domains: readonly SendingDomain[]): string[] {
  const sending = new Set(domains.filter(isSending).map(({ domain }) => domain))
  const mine = emails.map(({ from }) => from).filter((from) => sending.has(senderOf(from).domain.toLowerCase()))
  return [...new Set(mine)]
}
