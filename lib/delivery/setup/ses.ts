import { sesAnswerOf, type SesError } from "@/lib/delivery/ses/answers"
import type { SesClient } from "@/lib/delivery/ses/client"
import { hookPathOf } from "@/lib/delivery/ses/hook-path"
import type { Checked, SetupContext, SetupSubject } from "@/lib/delivery/setup/types"
import { formatNumber } from "@/lib/platform/format"
import type { SesTarget } from "@/lib/regions/smtp-url"
import { utcMinute } from "@/lib/platform/format"

/** Milliseconds: a check asks once, and somebody may wait for it. */
const limits = { connect: 3_000, answer: 5_000, whole: 7_000 }

/** The account may send to everybody. */
export function checkSesAccount(_: SetupContext, subject: SetupSubject): Promise<Checked> {
  const expected = ["production access, sending turned on"]
  return asked(subject, expected, async (ses) => {
    const { hasProductionAccess, isSendingEnabled, enforcement, perSecond, perDay, sentLastDay } = await ses.account()
    const found = [
      hasProductionAccess ? "production access" : "sandbox: it sends to verified addresses alone",
      isSendingEnabled ? "sending turned on" : "sending turned off",
      ...(enforcement === "" || enforcement === "HEALTHY" ? [] : [`state ${enforcement}`]),
      `${formatNumber(perSecond)} a second, ${formatNumber(perDay)} a day, ${formatNumber(sentLastDay)} in the last 24 hours`,
    ]
    if (!isSendingEnabled || enforcement === "SHUTDOWN") return { state: "wrong", code: "sending_off", expected, found }
    return hasProductionAccess
      ? { state: "ok", expected, found }
      : { state: "wrong", code: "ses_sandbox", expected, found }
  })
}

/** The configuration set of SMTP_URL is there. */
export function checkSesConfigurationSet(_: SetupContext, subject: SetupSubject): Promise<Checked> {
  const name = targetOf(subject)?.configurationSet ?? ""
  const expected = [`configuration set ${name}, sending turned on`]
  return asked(subject, expected, async (ses) => {
    const set = await ses.configurationSet(name)
    if (!set) return { state: "wrong", code: "not_found", expected, found: [] }
    const found = [`configuration set ${name}, sending turned ${set.isSendingEnabled ? "on" : "off"}`]
    return set.isSendingEnabled
      ? { state: "ok", expected, found }
      : { state: "wrong", code: "sending_off", expected, found }
  })
}

/** The service domain is an identity of the account: what the service itself sends, such as sign-in links, leaves by it too. */
export function checkSesIdentity({ service }: SetupContext, subject: SetupSubject): Promise<Checked> {
  const expected = [`identity ${service.serviceDomain}, verified, DKIM SUCCESS`]
  return asked(subject, expected, async (ses) => {
    const identity = await ses.identity(service.serviceDomain)
    if (!identity) return { state: "wrong", code: "not_found", expected, found: [] }
    const { isVerified, dkim } = identity
    const found = [
      `identity ${service.serviceDomain}, ${isVerified ? "verified" : "not verified"}, DKIM ${dkim || "off"}`,
    ]
    return isVerified && dkim === "SUCCESS"
      ? { state: "ok", expected, found }
      : { state: "wrong", code: "not_verified", expected, found }
  })
}

/** Events have a way here, and one has come. */
export async function checkSesEvents({ origin, sesEvents }: SetupContext, subject: SetupSubject): Promise<Checked> {
  const target = targetOf(subject)
  if (!target) throw new Error("A row about SES is about a region that sends by it.")
  const { events, topic } = target
  if (events === undefined && topic === undefined)
    return { state: "wrong", code: "no_events", expected: ["events=<URL of an SQS queue> in SMTP_URL"], found: [] }
  const expected = [
    ...(events === undefined ? [] : [`messages of the queue ${events}`]),
    ...(topic === undefined ? [] : [`posts of ${topic} to ${origin}${hookPathOf(topic)}`]),
  ]
  const found: string[] = []
  if (events !== undefined) {
    const { openEventQueue } = await import("@/lib/delivery/ses/queue")
    const queue = openEventQueue(target, events)
    try {
      const waiting = await queue.waiting(AbortSignal.timeout(limits.whole))
      found.push(`the queue can be read, about ${formatNumber(waiting)} messages wait`)
    } catch (error) {
      return { state: "wrong", code: "unreachable", expected, found: [sesAnswerOf(error as SesError).text] }
    } finally {
      queue.close()
    }
  }
  const heardAt = sesEvents.get(subject.region?.profile.region ?? "")
  if (!heardAt) return { state: "waiting", code: "not_heard", expected, found }
  return { state: "ok", expected, found: [...found, `the last event came at ${utcMinute(heardAt)}`] }
}

async function asked(
  subject: SetupSubject,
  expected: string[],
  ask: (ses: SesClient) => Promise<Checked>,
): Promise<Checked> {
  const target = targetOf(subject)
  if (!target) throw new Error("A row about SES is about a region that sends by it.")
  const { openSesClient } = await import("@/lib/delivery/ses/client")
  const ses = openSesClient(target, limits)
  try {
    return await ask(ses)
  } catch (error) {
    const answer = sesAnswerOf(error as SesError)
    const found = [answer.text]
    if (answer.kind === "paced") return { state: "unknown", code: "lookup_failed", expected, found }
    const isRefused = answer.kind === "region_fault" && answer.fault?.code === "ses_credentials"
    return { state: "wrong", code: isRefused ? "credentials" : "unreachable", expected, found }
  } finally {
    ses.close()
  }
}

function targetOf({ region }: SetupSubject): SesTarget | undefined {
  return region?.profile.transport === "ses" ? region.profile.ses : undefined
}
