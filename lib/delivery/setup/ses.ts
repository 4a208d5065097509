import { sesAnswerOf, type SesError, openSesClient, type SesClient, hookPathOf } from "@/lib/delivery/ses/client"
import { openEventQueue } from "@/lib/delivery/ses/queue"
import type { Evidence } from "@/lib/delivery/setup/evidence"
import type { Checked, SetupContext, SetupSubject } from "@/lib/delivery/setup/checks"
import type { SesTarget } from "@/lib/regions/settings"

/** Milliseconds: a check asks once, and somebody may wait for it. */
const limits = { connect: 3_000, answer: 5_000, whole: 7_000 }

/** The account may send to everybody. */
export function checkSesAccount(_: SetupContext, subject: SetupSubject): Promise<Checked> {
  const expected: Evidence[] = [{ code: "ses_access", facts: {} }]
  return asked(subject, expected, async (ses) => {
    const { hasProductionAccess, isSendingEnabled, enforcement, perSecond, perDay, sentLastDay } = await ses.account()
    const found: Evidence[] = [
      { code: "ses_production", facts: { has: hasProductionAccess } },
      { code: "ses_sending", facts: { on: isSendingEnabled } },
    ]
    if (enforcement !== "" && enforcement !== "HEALTHY")
      found.push({ code: "ses_state", facts: { state: enforcement } })
    found.push({ code: "ses_rates", facts: { perSecond, perDay, sentLastDay } })
    if (!isSendingEnabled || enforcement === "SHUTDOWN") return { state: "wrong", code: "sending_off", expected, found }
    return hasProductionAccess
      ? { state: "ok", expected, found }
      : { state: "wrong", code: "ses_sandbox", expected, found }
  })
}

/** The configuration set of SMTP_URL is there. */
export function checkSesConfigurationSet(_: SetupContext, subject: SetupSubject): Promise<Checked> {
  const name = targetOf(subject)?.configurationSet ?? ""
  const withSending = (on: boolean): Evidence => ({ code: "ses_configuration_set", facts: { name, on } })
  const expected = [withSending(true)]
  return asked(subject, expected, async (ses) => {
    const set = await ses.configurationSet(name)
    if (!set) return { state: "wrong", code: "not_found", expected, found: [] }
    const found = [withSending(set.isSendingEnabled)]
    return set.isSendingEnabled
      ? { state: "ok", expected, found }
      : { state: "wrong", code: "sending_off", expected, found }
  })
}

/** The service domain is an identity of the account: what the service itself sends, such as sign-in links, leaves by it too. */
export function checkSesIdentity({ service }: SetupContext, subject: SetupSubject): Promise<Checked> {
  const domain = service.serviceDomain
  const expected: Evidence[] = [{ code: "ses_identity", facts: { domain, verified: true, dkim: "SUCCESS" } }]
  return asked(subject, expected, async (ses) => {
    const identity = await ses.identity(domain)
    if (!identity) return { state: "wrong", code: "not_found", expected, found: [] }
    const { isVerified, dkim } = identity
    const found: Evidence[] = [{ code: "ses_identity", facts: { domain, verified: isVerified, dkim } }]
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
  const expected: Evidence[] = []
  if (events !== undefined) expected.push({ code: "ses_queue", facts: { url: events } })
  if (topic !== undefined) expected.push({ code: "ses_topic", facts: { topic, url: `${origin}${hookPathOf(topic)}` } })
  if (expected.length === 0)
    return { state: "wrong", code: "no_events", expected: [{ code: "ses_events_setting", facts: {} }], found: [] }
  const found: Evidence[] = []
  if (events !== undefined) {
    const queue = await openEventQueue(target, events)
    try {
      const waiting = await queue.waiting(AbortSignal.timeout(limits.whole))
      found.push({ code: "ses_queue_read", facts: { waiting } })
    } catch (error) {
      return { state: "wrong", code: "unreachable", expected, found: [sesAnswerOf(error as SesError).text] }
    } finally {
      queue.close()
    }
  }
  const heardAt = sesEvents.get(subject.region?.profile.region ?? "")
  if (!heardAt) return { state: "waiting", code: "not_heard", expected, found }
  found.push({ code: "ses_last_event", facts: { at: heardAt.toISOString() } })
  return { state: "ok", expected, found }
}

async function asked(
  subject: SetupSubject,
  expected: Evidence[],
  ask: (ses: SesClient) => Promise<Checked>,
): Promise<Checked> {
  const target = targetOf(subject)
  if (!target) throw new Error("A row about SES is about a region that sends by it.")
  const ses = await openSesClient(target, limits)
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
