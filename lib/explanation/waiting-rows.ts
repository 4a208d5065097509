import {
  whatWentWrong,
  type ByClass,
  type ByPhase,
  type Explained,
  type ExplainedBy,
  type Facts,
  type Via,
  type Wait,
} from "@/lib/explanation/facts"
import type { Reason } from "@/lib/explanation/codes"
import { reasonSentence } from "@/lib/explanation/words"
import { utcMinute } from "@/lib/platform/format"

const info = (cause: string, fix: string, page?: Explained["page"]): Explained => ({
  severity: "info",
  cause,
  fix,
  ...(page && { page }),
})

const changeSchedule = "Nothing to do; until it is sent you can reschedule or cancel it."

type Words = Pick<Explained, "cause" | "fix">

function regionWords(region: string, direct: boolean): Words {
  return direct
    ? {
        cause: `The email waits because the region ${region} cannot send to recipients' servers.`,
        fix: "The operator of this installation has to restore its way to the internet; the email is then sent by itself.",
      }
    : {
        cause: `The email waits because the region ${region} cannot send through its relay.`,
        fix: "The operator of this installation has to restore the relay; the email is then sent by itself.",
      }
}

/** Nothing is wrong with the relay of the region: its mail does not go there. */
function ownServerWords(via: Exclude<Via, "relay">): Words {
  return {
    cause: `The email waits because the ${via} of this installation does not answer.`,
    fix: "The operator of this installation has to run the role sandbox where the worker runs; the email is then sent by itself.",
  }
}

/** What an email waits for before its first attempt. */
const beforeAttempt: Record<Wait, ExplainedBy> = {
  none: () => ({ severity: "none", cause: "The email was accepted and is sent in a moment.", fix: "Nothing to do." }),
  time: ({ scheduledAt }) =>
    info(
      scheduledAt ? `The email is scheduled for ${utcMinute(scheduledAt)}.` : "The email is scheduled.",
      changeSchedule,
    ),
  quota: ({ reason }) =>
    info(
      reason ? reasonSentence(reason) : "The daily limit of the project is used up.",
      "Raise the daily limit in the settings, or wait.",
      "settings",
    ),
  rate: ({ rate, reason }) =>
    info(
      reason ? reasonSentence(reason) : `The email waits because the project sends at most ${rate} messages a second.`,
      "Nothing to do; raise the sending rate in the settings if emails often wait.",
      "settings",
    ),
  recorded: ({ reason }) =>
    info(reason ? reasonSentence(reason) : "The email waits.", "Nothing to do; it is sent as soon as that allows."),
  turn: ({ rate }) =>
    info(
      `The email waits for its turn: the project sends at most ${rate} messages a second.`,
      "Nothing to do; raise the sending rate in the settings if emails often wait.",
      "settings",
    ),
  region: ({ region, direct, via }) => ({
    severity: "warning",
    ...(via === "relay" ? regionWords(region, direct) : ownServerWords(via)),
  }),
  destination: ({ reason }) => ({
    severity: "warning",
    cause: reason ? reasonSentence(reason) : "The email waits for its destination.",
    fix: destinationFix(reason),
  }),
  refusing: ({ region }) => ({
    severity: "warning",
    cause: `The email waits because the relay of the region ${region} refuses every email.`,
    fix: "The operator of this installation has to settle that with the relay; the email is then sent by itself.",
  }),
  source: ({ reason }) =>
    info(
      reason ? reasonSentence(reason) : "The email waits for its source address.",
      "Nothing to do; it is then sent by itself.",
    ),
  unverified: ({ reason }) => ({
    severity: "warning",
    cause: reason ? reasonSentence(reason) : "The email waits until its domain is verified.",
    fix: "Publish the DKIM and MAIL FROM records of the sending domain; if they are there, the provider verifies them within hours, and the email is then sent by itself.",
  }),
  suspended: () => ({
    severity: "critical",
    cause: "The email waits because the project is suspended.",
    fix: "Ask an owner to resume the project; the reason is in the settings.",
    page: "settings",
  }),
}

export const notAttempted: ExplainedBy = (facts) => beforeAttempt[facts.wait](facts)

/** A region's outage, a source address that may not send, a destination that takes nothing now and a suspension explain a wait whatever the last attempt met. */
const isHeld: Record<Wait, boolean> = {
  none: false,
  time: false,
  quota: false,
  rate: false,
  recorded: false,
  turn: false,
  region: true,
  refusing: true,
  source: true,
  unverified: true,
  destination: true,
  suspended: true,
}

const waits =
  (fix: (facts: Facts) => string): ExplainedBy =>
  (facts) =>
    isHeld[facts.wait]
      ? notAttempted(facts)
      : {
          severity: "warning",
          cause: `The message for ${facts.address} waits because ${whatWentWrong(facts)}.`,
          fix: fix(facts),
        }

const retried: Record<Via, (facts: Facts) => string> = {
  relay: ({ deadlineHours }) => `Nothing to do: it is tried again until ${hours(deadlineHours)} after it was accepted.`,
  sandbox: ({ deadlineHours }) =>
    `Nothing to do: the sandbox is tried again until ${hours(deadlineHours)} after the email was accepted.`,
  simulator: () => "Nothing to do: the simulator answers this way on purpose, and it is tried again.",
}

const triedAgain = waits((facts) => retried[facts.via](facts))
const sentTwice = waits(() => "Nothing to do: it is sent again, and in rare cases the recipient gets it twice.")
const recorded = waits(() => "Nothing to do; the result is recorded in a moment.")

const operator = (what: string) =>
  waits(() => `The operator of this installation has to ${what}; the email is then sent by itself.`)
const credentials = operator("correct the user and password of the relay")

const regionFault: ByPhase = {
  none: credentials,
  connect: (facts) => operator(facts.direct ? "restore its way to the internet" : "make the relay reachable")(facts),
  greeting: operator("have the relay accept this host"),
  ehlo: operator("have the relay accept this host"),
  starttls: operator("correct the encryption of the relay"),
  auth: credentials,
  mail: credentials,
  rcpt: credentials,
  data: credentials,
  final: credentials,
}

/** Accepted by us and not yet by a server. */
export const waitingClauses: ByClass = {
  none: notAttempted,
  accepted: recorded,
  hard: recorded,
  soft: recorded,
  block: recorded,
  content: recorded,
  ours: recorded,
  deferred: triedAgain,
  region_fault: regionFault,
  ambiguous: sentTwice,
  lost: sentTwice,
}

export function hours(count: number): string {
  if (count < 1) return "less than an hour"
  const whole = Math.round(count)
  return whole === 1 ? "1 hour" : `${whole} hours`
}

function destinationFix(reason: Reason | null): string {
  const facts = reason?.code === "destination" ? reason.facts : undefined
  if (facts?.cause !== undefined)
    return "The operator of this installation has to put that right (Settings, Sending set-up); the email is then sent by itself."
  if (facts?.why === "away")
    return "Nothing to do if only these servers are away: it is sent by itself, and this counts for none of its attempts. If email to others waits, too, the operator finds the reason at Outbound port 25 (Settings, Sending set-up)."
  return "Nothing to do: it is sent by itself, and this counts for none of its attempts."
}
