import { createPublicKey, type KeyObject } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import { deliveryOfVerp } from "@/lib/delivery/message/proven-ids"
import {
  sesAnswerOf,
  type SesAnswer,
  type SesError,
  openSesClient,
  type SesClient,
  type SesLimits,
  deliveryTag,
} from "@/lib/delivery/ses/client"
import { findGiven, type GivenIdentity, storeGiven } from "@/lib/delivery/ses/data"
import { isStopped } from "@/lib/delivery/smtp/job"
import { printable } from "@/lib/delivery/smtp/reply"
import type { DeliveryAttempt, OwnFault } from "@/lib/delivery/transports/attempt"
import { isOfUnverified } from "@/lib/delivery/transports/classify"
import type { Mail, SendControl, Transport, MailSender } from "@/lib/delivery/transports/transport"
import { isMailFromInUse, isSelectorInUse } from "@/lib/domains/keys/data"
import { hmac } from "@/lib/platform/crypto"
import { log } from "@/lib/platform/log"
import { sesHostOf, type SesTarget } from "@/lib/regions/settings"

/** The account's rate is asked for this often. */
const learnedForMs = 10 * 60_000
/** Longer than this no mail waits for it. */
const learnWithinMs = 5_000
/** While the provider refuses, an attempt is recorded this often. */
const recordedEveryMs = 60_000

type SesOptions = {
  limits?: SesLimits
  /** Milliseconds that only grow. */
  now?: () => number
  random?: () => number
}

/**
 * Hands mail to Amazon SES by its API, one recipient a call. SES signs with the key of the domain that it was given (BYODKIM), and
 * changes Message-ID and Date, so our own signature is taken off. It takes as many a second as the account may send.
 */
export function openSes(target: SesTarget, options: SesOptions = {}): Transport {
  const { now = () => performance.now(), random = Math.random } = options
  const remote = sesHostOf(target)
  const pace = createPace(now)
  const identities = createIdentities(now, { host: remote, hasEvents: target.configurationSet !== undefined })
  let client: Promise<SesClient> | undefined
  let learnedAt = -Infinity
  let learning = Promise.resolve()
  let recordedAt = -Infinity
  const running = new Set<Promise<unknown>>()

  const opened = () => (client ??= openSesClient(target, options.limits))

  async function learn(): Promise<void> {
    if (now() - learnedAt < learnedForMs) return learning
    learnedAt = now()
    learning = opened()
      .then((ses) => ses.account())
      .then(({ perSecond }) => pace.learned(perSecond))
      .catch((error: unknown) => log.warn({ err: error, remote }, "the sending rate of the SES account is unknown"))
    return learning
  }

  async function send(mail: Mail & SendControl): Promise<DeliveryAttempt> {
    const sending = attemptOf(mail)
    running.add(sending)
    return sending.finally(() => running.delete(sending))
  }

  async function attemptOf(mail: Mail & SendControl): Promise<DeliveryAttempt> {
    const startedAt = new Date()
    const ended = (fields: Pick<DeliveryAttempt, "outcome" | "text"> & Partial<DeliveryAttempt>): DeliveryAttempt => ({
      remote,
      conversation: [],
      ...fields,
      startedAt,
      endedAt: new Date(),
    })
    const stopped = () => ended({ outcome: "deferred", text: "stopped" })

    await Promise.race([learn(), wait(learnWithinMs, undefined, { ref: false })])
    for (let place = pace.take(); ; place = pace.take()) {
      if (place === null) {
        const seconds = pace.later(random()) / 1_000
        return ended({
          ...{ outcome: "deferred", text: "It waits for its turn." },
          paced: { why: "rate", seconds, isCause: false },
        })
      }
      if (place.waitMs > 0) await wait(place.waitMs, undefined, { signal: mail.signal }).catch(() => undefined)
      if (isStopped(mail)) return stopped()
      if (place.isCurrent()) break
    }
    const { sender } = mail
    if (sender && !(await identities.isVerified(await opened(), sender)))
      return ended({
        ...{ outcome: "deferred", unverified: sender.domain },
        text: `Amazon SES has not verified the domain ${sender.domain} yet.`,
      })
    if (isStopped(mail) || (mail.beforeData && !(await mail.beforeData()))) return stopped()

    const asked = `C: SendEmail to ${mail.to}`
    try {
      const ses = await opened()
      const id = await ses.send(
        { to: mail.to, message: withoutSignature(mail.message), ...tagOf(mail.from) },
        mail.signal,
      )
      pace.accepted()
      return ended({ outcome: "accepted", text: `Ok ${id}`, conversation: [asked, `S: ${id}`] })
    } catch (error) {
      const answer = sesAnswerOf(error as SesError, target.configurationSet)
      const text = printable(answer.text)
      return ended({ ...meaningOf(answer, mail), text, conversation: [asked, `S: ${text}`] })
    }
  }

  function meaningOf(
    answer: SesAnswer,
    { from, to }: Mail,
  ): Pick<DeliveryAttempt, "outcome"> & Partial<DeliveryAttempt> {
    switch (answer.kind) {
      case "paced": {
        const seconds = pace.refused(answer.why) / 1_000
        const isCause = now() - recordedAt >= recordedEveryMs
        if (isCause) recordedAt = now()
        return { outcome: "deferred", paced: { why: answer.why, seconds, isCause } }
      }
      case "region_fault":
        return {
          outcome: "region_fault",
          ...(answer.phase && { phase: answer.phase }),
          ...(answer.fault && { fault: answer.fault }),
        }
      case "mail_from_unverified":
        return { outcome: "deferred", unverified: from.slice(from.lastIndexOf("@") + 1) }
      case "refused":
        return { outcome: "refused", ...(isOfUnverified(answer.text, to) && { phase: "rcpt" }) }
      case "ambiguous":
        return { outcome: "ambiguous" }
    }
  }

  async function probe(signal: AbortSignal, before?: OwnFault): Promise<DeliveryAttempt | undefined> {
    const startedAt = new Date()
    const failed = (fields: Partial<DeliveryAttempt> & { text: string }): DeliveryAttempt => ({
      ...{ outcome: "region_fault", remote, conversation: [] },
      ...fields,
      startedAt,
      endedAt: new Date(),
    })
    try {
      const ses = await opened()
      const { isSendingEnabled, enforcement, perSecond } = await ses.account(signal)
      pace.learned(perSecond)
      if (enforcement === "SHUTDOWN")
        return failed({
          text: `The account is in the state ${enforcement}.`,
          fault: { code: "ses_suspended", facts: {} },
        })
      const name =
        before?.code === "ses_configuration_set" || before?.code === "ses_paused" ? target.configurationSet : undefined
      const set = name === undefined ? undefined : await ses.configurationSet(name, signal)
      if (name !== undefined && set === null)
        return failed({
          text: `There is no configuration set ${name}.`,
          fault: { code: "ses_configuration_set", facts: { name } },
        })
      if (!isSendingEnabled || set?.isSendingEnabled === false)
        return failed({ text: "Sending is turned off.", fault: { code: "ses_paused", facts: {} } })
      return undefined
    } catch (error) {
      const { text, ...answer } = sesAnswerOf(error as SesError)
      const isFault = answer.kind === "region_fault" && answer.fault
      return failed({ text: printable(text), ...(isFault ? { fault: isFault } : { phase: "connect" }) })
    }
  }

  async function close(): Promise<void> {
    await Promise.allSettled(running)
    ;(await client)?.close()
  }

  return { send, probe, close }
}

function tagOf(from: string): { tag?: { name: string; value: string } } {
  const value = from.slice(0, from.lastIndexOf("@"))
  return deliveryOfVerp(value, hmac) === null ? {} : { tag: { name: deliveryTag, value } }
}

/** The message without the signature that it begins with: SES changes what that covers. */
function withoutSignature(message: Buffer): Buffer {
  if (!/^dkim-signature:/i.test(message.toString("latin1", 0, 15))) return message
  for (let at = message.indexOf("\r\n"); at !== -1; at = message.indexOf("\r\n", at + 2)) {
    const next = message[at + 2]
    if (next !== space && next !== tab) return message.subarray(at + 2)
  }
  return message
}

const [space, tab] = [0x20, 0x09]

/** Before the account's own rate is known: that of one with production access. */
const usualPerSecond = 14
/** However slow: one a minute. */
const slowestPerSecond = 1 / 60
/** Each mail that is accepted raises a lowered rate by this part of the account's. */
const raisedBy = 1 / 50
/** Refusals within this time are one: they were on their way at the same rate. */
const sameRefusalMs = 1_000
const pauseMs = { first: 1_000, most: 60_000, daily: 5 * 60_000 }
/** Mails that would wait longer go back into the queue, for about that long. */
const waitMsMax = 30_000

/** How fast a region's mail is handed to its provider: its rate is that of the account, halved at each refusal. */
type Pace = {
  /** Takes the next place; null if it is further away than mail waits here. */
  take(): PaceSlot | null
  /** The account's rate. */
  learned(perSecond: number): void
  accepted(): void
  /** Answers how many milliseconds nothing is sent. */
  refused(why: "rate" | "daily" | "errors"): number
  /** Milliseconds after which mail that did not wait here is tried again. */
  later(random: number): number
}

/** After so many milliseconds a mail may be sent, if nothing was refused meanwhile: then it takes another place. */
type PaceSlot = { waitMs: number; isCurrent(): boolean }

/** @param now milliseconds that only grow */
export function createPace(now: () => number): Pace {
  let most = usualPerSecond
  let perSecond = most
  let nextAt = 0
  let pausedUntil = 0
  let pause = pauseMs.first
  let refusedAt = -Infinity
  let refusals = 0

  return {
    take() {
      const at = Math.max(now(), nextAt, pausedUntil)
      if (at - now() > waitMsMax) return null
      nextAt = at + 1_000 / perSecond
      const before = refusals
      return { waitMs: at - now(), isCurrent: () => refusals === before }
    },
    learned(given) {
      if (given <= 0) return
      if (perSecond === most || perSecond > given) perSecond = given
      most = given
    },
    accepted() {
      pause = pauseMs.first
      perSecond = Math.min(most, perSecond + most * raisedBy)
    },
    refused(why) {
      if (now() - refusedAt >= sameRefusalMs) {
        refusedAt = now()
        if (why === "rate") perSecond = Math.max(slowestPerSecond, perSecond / 2)
        pausedUntil = now() + (why === "daily" ? pauseMs.daily : pause)
        pause = Math.min(pauseMs.most, pause * 2)
        nextAt = pausedUntil
        refusals += 1
      }
      return Math.max(0, pausedUntil - now())
    },
    later: (random) => Math.max(pausedUntil - now(), waitMsMax) * (1 + random),
  }
}

/** What is known of an identity is believed for so long; of one that is not verified yet, less. */
const keptMs = { verified: 60 * 60_000, pending: 60_000 }
const keptMax = 10_000

/**
 * Sees to it that SES has the sending domain as an identity and signs with the domain's own key (BYODKIM), so that its owner publishes
 * the same DKIM records whatever the region sends by.
 */
function createIdentities(now: () => number, region: SesRegion) {
  const known = new Map<string, { until: number; key: KeyObject; isVerified: Promise<boolean> }>()

  return {
    /** Whether SES takes mail from the domain, as far as it says so: a key without the permissions to ask may still send. */
    isVerified(ses: SesClient, sender: MailSender): Promise<boolean> {
      const name = [sender.domain, sender.selector, sender.mailFromDomain].join(" ")
      const found = known.get(name)
      if (found && found.until > now() && found.key.equals(sender.key)) return found.isVerified
      const isVerified = ensure(ses, region, sender).catch((error: unknown) => {
        const answer = sesAnswerOf(error as SesError)
        log.warn({ domain: sender.domain, answer: answer.text }, "SES does not say whether it has verified a domain")
        return true
      })
      if (known.size >= keptMax) known.clear()
      const entry = { until: now() + keptMs.verified, key: sender.key, isVerified }
      known.set(name, entry)
      void isVerified.then((is) => is || (entry.until = now() + keptMs.pending))
      return isVerified
    },
  }
}

type SesRegion = {
  /** Of its API. */
  host: string
  /** SES tells of bounces and complaints by events. */
  hasEvents: boolean
}

async function ensure(ses: SesClient, { host, hasEvents }: SesRegion, sender: MailSender): Promise<boolean> {
  const { domain, mailFromDomain, selector, key } = sender
  const dkim = { selector, privateKey: key.export({ type: "pkcs8", format: "der" }).toString("base64") }
  const own = { selector, publicKey: createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64") }
  const [identity, given] = await Promise.all([ses.identity(domain), findGiven(host, domain)])
  const isVerified = identity ? identity.isVerified : await ses.addIdentity(domain, dkim)
  if (!identity) await storeGiven(host, domain, own)
  else if (await mustReplaceKey(identity, domain, own, given)) {
    await ses.setDkimKey(domain, dkim)
    await storeGiven(host, domain, own)
  }
  if (mailFromDomain !== undefined && (await mustReplaceMailFrom(identity, mailFromDomain, given))) {
    await ses.setMailFrom(domain, mailFromDomain)
    await storeGiven(host, domain, { mailFromDomain })
  }
  // Of an identity that somebody else made, they have chosen it.
  const isOurs = identity === null || given !== null
  if (hasEvents && isOurs && (identity?.forwardsFeedback ?? true)) await stopFeedback(ses, domain)
  return isVerified
}

/** Where the permission is missing, people get mail of SES about their bounces, and nothing else is wrong. */
async function stopFeedback(ses: SesClient, domain: string): Promise<void> {
  await ses.stopFeedback(domain).catch((error: unknown) => {
    const { text } = sesAnswerOf(error as SesError)
    log.warn({ domain, answer: text }, "SES goes on to mail bounces and complaints of a domain to its senders")
  })
}

type SesIdentity = NonNullable<Awaited<ReturnType<SesClient["identity"]>>>

/** Once SES has looked for a key in vain, it looks again only for one that is given anew. */
const endedSearches = ["FAILED", "NOT_STARTED"]

/**
 * The key was rotated, or SES has verified none. The key of another registration of the same domain signs as well, as long as there is that
 * registration: two projects of one account would else replace each other's again and again.
 */
async function mustReplaceKey(
  { dkim, selectors, isOwnKey }: SesIdentity,
  domain: string,
  own: { selector: string; publicKey: string },
  given: GivenIdentity | null,
): Promise<boolean> {
  if (selectors.includes(own.selector)) return given?.publicKey !== own.publicKey || endedSearches.includes(dkim)
  if (dkim !== "SUCCESS") return true
  if (!isOwnKey) return false
  const registration = own.selector.slice(0, -1)
  if (selectors.some((one) => one.slice(0, -1) === registration)) return true
  const before = given?.selector ?? ""
  return selectors.includes(before) && !(await isSelectorInUse(domain, before))
}

/** What somebody else has chosen stays; what we gave it stays as long as a domain has it. */
async function mustReplaceMailFrom(
  identity: SesIdentity | null,
  mailFromDomain: string,
  given: GivenIdentity | null,
): Promise<boolean> {
  const before = identity?.mailFromDomain ?? ""
  if (before === "") return true
  return before === given?.mailFromDomain && before !== mailFromDomain && !(await isMailFromInUse(before))
}
