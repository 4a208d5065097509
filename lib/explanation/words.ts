import {
  type BlockCause,
  failureCodes,
  reasonIn,
  type BounceType,
  type FailureCode,
  type Reason,
  type ReasonCode,
  type ReasonFacts,
} from "@/lib/explanation/codes"
import { utcMinute } from "@/lib/platform/format"

/** A stored reason in words: the same for lists, the API, webhooks and the timeline. */
export function reasonSentence<C extends ReasonCode>({ code, facts }: Reason<C>): string {
  return sentences[code](facts)
}

const sentences: { [C in ReasonCode]: (facts: ReasonFacts[C]) => string } = {
  attempts: () => "The message could not be delivered before its deadline, so it was given up.",
  deadline: () => "The deadline of the email passed before it could be sent.",
  domain_deleted: () => "The sending domain was deleted before the message was sent.",
  schedule_domain_deleted: () => "The sending domain was deleted before the scheduled time.",
  crashed: ({ claims }) => `The worker's process crashed in each of ${claims} attempts.`,
  unprepared: () => "The message could not be prepared for sending.",
  quota: ({ hours }) =>
    `The daily allowance was used up for ${hours} hours after the scheduled time, so the mail was given up.`,
  rate_limit: ({ perSecond }) =>
    `This project sends ${perSecond} messages a second; the email is sent as soon as the rate allows.`,
  daily_limit: ({ daily, until }) =>
    `The daily allowance of ${daily} messages is used up; the email waits until ${utcMinute(new Date(until))}.`,
  region_down: ({ direct }) =>
    direct
      ? "This region cannot send to recipients' servers now. The email is sent once it can."
      : "The relay of this region is unreachable. The email is sent when the relay is back.",
  region_refusing: () =>
    "The relay of this region refuses every email. The email is sent when the relay accepts mail again.",
  region_fault: (facts) => `The relay of this region ${whatIsWrong(facts)}. The email is sent when the relay is back.`,
  deferred: (facts) => `${reasonToWait(facts)}; it will be retried.`,
  warm_up: ({ address, until }) =>
    `The address ${address} is new and sends more each day: today's share is used up. The email waits until ${utcMinute(new Date(until))}.`,
  egress_paused: () =>
    "The operator has paused the address that the email leaves from. It is sent once that is resumed.",
  setup_incomplete: () =>
    "The operator of this installation has not completed its set-up for sending. The email is sent once that is done.",
  region_paced: ({ why }) => pacedSentences[why],
  domain_unverified: ({ domain }) =>
    `The provider of this region has not verified the records of ${domain} yet; the email is retried.`,
  destination: destinationWords,
  unconfirmed: () => "The whole message was sent, but no reply confirms that the server accepted it.",
  bounced: bounceSentence,
  suppressed: () => "The recipient is on the suppression list.",
  topic_opt_out: (facts) => `${topicOptOutWords(facts)}.`,
  topic_deleted: () => "The topic of the email was deleted before it was sent.",
  indeterminate: () => "The message was sent, but no reply came; by this project's policy it is not sent again.",
  recorded: ({ text }) => text,
}

const pacedSentences: Record<ReasonFacts["region_paced"]["why"], string> = {
  rate: "The provider of this region takes only so many emails a second; the email is sent as soon as it takes more.",
  daily: "The account at the provider of this region has reached its daily limit; the email waits until it takes more.",
  errors: "The provider of this region answers with errors now; the email is tried again in a moment.",
}

/** A failure in a few words, as the title of its step; undefined without a code that is known here. */
export function failureTitle(code: string | undefined): string | undefined {
  return failureCodes.flatMap((known) => (known === code ? failureTitles[known] : []))[0]
}

const failureTitles: Record<FailureCode, string> = {
  attempts: "Failed: no attempt succeeded",
  deadline: "Failed: deadline passed",
  domain_deleted: "Failed: sending domain deleted",
  schedule_domain_deleted: "Failed: sending domain deleted",
  crashed: "Failed: the worker crashed",
  unprepared: "Failed: could not be prepared",
  quota: "Failed: daily limit used up",
}

/** An event's data as the API, the stream and webhooks show it: with the sentence of its reason. */
export function shownEventData(data: Record<string, string>): Record<string, string> {
  const reason = reasonIn({ reason: data.reasonCode ?? null, reasonFacts: data })
  return reason ? { ...data, reason: reasonSentence(reason) } : data
}

/** Why a recipient does not get the mail of a topic. */
export function topicOptOutWords({ topic, byDefault }: ReasonFacts["topic_opt_out"]): string {
  return byDefault === "opt_in" ? `Left the topic ${topic}` : `Not subscribed to the topic ${topic}`
}

/** Behind "refuses the address", and what ends it. */
const blockCauseWords: Record<BlockCause, { why: string; fix: string }> = {
  reverse_name: {
    why: ": it has no reverse name (PTR) that leads back to it",
    fix: "Sending set-up shows which record is missing: the reverse name of the address, which is set at the company that rents you the server, or the address record of that name.",
  },
  ehlo_name: {
    why: ": it does not find the name with which this machine greets (EHLO)",
    fix: "Publish the address record of the name with which this machine greets: Sending set-up has it.",
  },
}

/** What the operator does about a block; undefined where the servers did not name a cause that is known here. */
export function blockFix(cause: BlockCause | undefined): string | undefined {
  return cause && blockCauseWords[cause].fix
}

function destinationWords({
  name,
  why,
  address,
  cause,
  since,
  until,
  perMinute,
  minutes,
}: ReasonFacts["destination"]): string {
  // With the day: it may be read on the next one, and elsewhere.
  const from = since === undefined ? "" : utcMinute(new Date(since))
  const at = from && ` at ${from}`
  const again = until === undefined ? "" : `; it is tried again at ${utcMinute(new Date(until))}`
  switch (why) {
    case "away":
      return `Waits: the mail servers of ${name} cannot be reached${from && ` since ${from}`}${again}.`
    case "block": {
      const reason = cause ? blockCauseWords[cause].why : ""
      return `Waits: ${name} refused the address ${address ?? "that we send from"}${at}${reason}${again}.`
    }
    case "operator":
      return `Waits: the operator of this installation has paused mail to ${name}.`
    case "warm_up":
      return `Waits: the address that we send from is new to ${name}${again}.`
    case "slow": {
      if (until !== undefined) return `Waits: ${name} asked us to slow down${at}${again}.`
      const long = minutes === undefined ? "" : `; about ${aboutMinutes(minutes)}`
      return `Waits: ${name} slowed us to ${perMinute ?? 1} a minute${at}${long}.`
    }
  }
}

function aboutMinutes(minutes: number): string {
  const whole = Math.max(1, Math.round(minutes))
  if (whole < 100) return whole === 1 ? "1 minute" : `${whole} minutes`
  return `${Math.round(whole / 60)} hours`
}

/** No more than the code proves. */
function reasonToWait({ code }: ReasonFacts["deferred"]): string {
  if (code === undefined) return "The connection ended before the message was accepted"
  if (code >= 500) return `The next server refused the recipient with ${code}, which counts as a refusal for now`
  if (code >= 400) return "The next server asked to try again later"
  return `The next server gave an unexpected reply (${code})`
}

/** As far as the code and the phase prove it. */
function whatIsWrong({ phase, code }: ReasonFacts["region_fault"]): string {
  if (code !== undefined && code < 500) {
    const answer = code < 400 ? `gave an unexpected reply (${code})` : "asked to try again later"
    return phase === "auth" ? `${answer} when we tried to sign in` : answer
  }
  if (code === 530) return "asks us to sign in, or to encrypt, first"
  if (code === 534 || code === 538) return "asks for a stronger way to sign in, or for encryption"
  if (code === 535) return "does not accept our user and password"
  if (phase === "auth" && code !== undefined) return "does not let us sign in"
  if (phase === "auth") return "offers no safe way to sign in"
  if (phase === "starttls") return "offers no usable encryption"
  if (code === undefined) return "cannot be reached"
  return phase === "connect" || phase === "greeting" ? "accepts no mail from us" : "refuses our session"
}

const bounceSentences: Record<Exclude<BounceType, "hard" | "soft">, string> = {
  block: "The receiving server refused the message by its policy; the address itself may be fine.",
  content: "The receiving server refused this message for its content or size; the address itself may be fine.",
  ours: "The receiving server refused us as the sender: check the domain's DNS records and the sending setup.",
}

/** Codes of conditions of the mailbox, or of the route to it, that may pass. */
const passing: [RegExp, string][] = [
  [/^5\.2\.2$/, "because the mailbox is full"],
  [/^5\.2\.1$/, "because the mailbox accepts no messages now"],
  [/^5\.4\.7$/, "because it could not be delivered in time"],
  [/^5\.(1\.2|4\.[0-46])$/, "because it found no route to the recipient's domain"],
]

/** A permanent refusal in words. The type `soft` also covers every refusal without a clear reason. */
function bounceSentence({ bounceType: type, enhanced = "", code, phase }: ReasonFacts["bounced"]): string {
  if (type === "hard" && /^5\.(1\.2|4\.4)$/.test(enhanced))
    return "The recipient's domain accepts no mail, so no more mail is sent to the address."
  if (type === "hard") return "The address does not exist or is closed, so no more mail is sent to it."
  if (type !== "soft" && type !== "ours") return bounceSentences[type]
  const reason = type === "soft" ? passing.find(([codes]) => codes.test(enhanced))?.[1] : undefined
  if (reason) return `The receiving server refused the message ${reason}; the address itself may be fine.`
  if (code !== undefined && code <= 504)
    return `The receiving server refused one of our commands (${code}); the address itself may be fine.`
  if (type === "ours") return bounceSentences.ours
  const what = phase === "rcpt" ? "the recipient" : "the message"
  return `The receiving server refused ${what} without a known reason; the address itself may be fine.`
}

type HandedOver = {
  remote?: string | undefined
  tls?: string | undefined
  tlsLevel?: string | undefined
  tlsPolicy?: string | undefined
  source?: string | undefined
}

/** Where an attempt that a recipient's own server accepted went, how safely, and from which address of ours. */
export function handedOver({ remote = "", tls, tlsLevel, tlsPolicy = "", source }: HandedOver): string {
  const proof = policyNames[tlsPolicy]
  const isVerified = tlsLevel === "dane" || tlsLevel === "valid"
  const how = isVerified ? `over verified TLS${proof ? ` (${proof})` : ""}` : tls ? "over TLS" : "without TLS"
  return `Handed to ${remote.split(" ")[0]} ${how} from ${source}.`
}

const policyNames: Record<string, string> = { dane: "DANE", "mta-sts": "MTA-STS" }
