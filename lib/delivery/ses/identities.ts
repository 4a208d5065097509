import { sesAnswerOf, type SesError } from "@/lib/delivery/ses/answers"
import type { SesClient } from "@/lib/delivery/ses/client"
import type { MailSender } from "@/lib/delivery/transports/transport"
import { log } from "@/lib/platform/log"

/** What is known of an identity is believed for so long; of one that is not verified yet, less. */
const keptMs = { verified: 60 * 60_000, pending: 60_000 }
const keptMax = 10_000

/**
 * Sees to it that SES has the sending domain as an identity and signs with the domain's own key (BYODKIM), so that its owner publishes
 * the same DKIM records whatever the region sends by.
 */
export function createIdentities(now: () => number) {
  const known = new Map<string, { until: number; isVerified: Promise<boolean> }>()

  return {
    /** Whether SES takes mail from the domain, as far as it says so: a key without the permissions to ask may still send. */
    isVerified(ses: SesClient, sender: MailSender): Promise<boolean> {
      const name = `${sender.domain} ${sender.selector}`
      const found = known.get(name)
      if (found && found.until > now()) return found.isVerified
      const isVerified = ensure(ses, sender).catch((error: unknown) => {
        const answer = sesAnswerOf(error as SesError)
        log.warn({ domain: sender.domain, answer: answer.text }, "SES does not say whether it has verified a domain")
        return true
      })
      if (known.size >= keptMax) known.clear()
      const entry = { until: now() + keptMs.verified, isVerified }
      known.set(name, entry)
      void isVerified.then((is) => is || (entry.until = now() + keptMs.pending))
      return isVerified
    },
  }
}

async function ensure(ses: SesClient, { domain, mailFromDomain, selector, key }: MailSender): Promise<boolean> {
  const identity = await ses.identity(domain)
  const dkim = { selector, privateKey: key.export({ type: "pkcs8", format: "der" }).toString("base64") }
  if (!identity) {
    const isVerified = await ses.addIdentity(domain, dkim)
    if (mailFromDomain !== undefined) await ses.setMailFrom(domain, mailFromDomain)
    return isVerified
  }
  if (mustReplace(identity, selector)) await ses.setDkimKey(domain, dkim)
  if (mailFromDomain !== undefined && identity.mailFromDomain === "") await ses.setMailFrom(domain, mailFromDomain)
  return identity.isVerified
}

type SesIdentity = NonNullable<Awaited<ReturnType<SesClient["identity"]>>>

/**
 * The key was rotated, or SES has verified none. The key of another registration of the same domain signs as well: two projects of one
 * account would else replace each other's again and again.
 */
function mustReplace({ dkim, selectors, isOwnKey }: SesIdentity, selector: string): boolean {
  if (selectors.includes(selector)) return false
  if (!isOwnKey) return dkim !== "SUCCESS"
  const registration = selector.slice(0, -1)
  return dkim !== "SUCCESS" || selectors.some((one) => one.slice(0, -1) === registration)
}
