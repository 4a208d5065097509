import { setTimeout as wait } from "node:timers/promises"
import { deliveryOfVerp } from "@/lib/delivery/message/verp"
import { sesAnswerOf, type SesAnswer, type SesError } from "@/lib/delivery/ses/answers"
import type { SesClient, SesLimits } from "@/lib/delivery/ses/client"
import { deliveryTag } from "@/lib/delivery/ses/names"
import { createIdentities } from "@/lib/delivery/ses/identities"
import { createPace } from "@/lib/delivery/ses/pace"
import { isStopped } from "@/lib/delivery/smtp/job"
import { printable } from "@/lib/delivery/smtp/reply"
import type { DeliveryAttempt, OwnFault } from "@/lib/delivery/transports/attempt"
import type { Mail, SendControl, Transport } from "@/lib/delivery/transports/transport"
import { hmac } from "@/lib/platform/crypto"
import { log } from "@/lib/platform/log"
import { sesHostOf } from "@/lib/regions/settings"
import type { SesTarget } from "@/lib/regions/smtp-url"

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
  const identities = createIdentities(now)
  let client: Promise<SesClient> | undefined
  let learnedAt = -Infinity
  let learning = Promise.resolve()
  let recordedAt = -Infinity
  const running = new Set<Promise<unknown>>()

  // The SDK is large, and only where a region sends by SES it is needed.
  const opened = () =>
    (client ??= import("@/lib/delivery/ses/client").then(({ openSesClient }) => openSesClient(target, options.limits)))

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

  function meaningOf(answer: SesAnswer, { from }: Mail): Pick<DeliveryAttempt, "outcome"> & Partial<DeliveryAttempt> {
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
        return { outcome: "refused" }
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
export function withoutSignature(message: Buffer): Buffer {
  if (!/^dkim-signature:/i.test(message.toString("latin1", 0, 15))) return message
  for (let at = message.indexOf("\r\n"); at !== -1; at = message.indexOf("\r\n", at + 2)) {
    const next = message[at + 2]
    if (next !== space && next !== tab) return message.subarray(at + 2)
  }
  return message
}

const [space, tab] = [0x20, 0x09]
