import { type Tone, Pill } from "@/components/ui/pill"
import type { EmailStatus } from "@/lib/emails/message-rules"

type StatusWords = {
  word: string
  tone: Tone
  /** What the state says about the email. */
  means: string
  /** What the reader should do, if anything. */
  todo: string
}

/** Every state of an email or of one of its recipients, in the words and colours of the dashboard. */
export const statuses: Record<EmailStatus, StatusWords> = {
  scheduled: {
    word: "Scheduled",
    tone: "wait",
    means: "It will be sent at its scheduled time.",
    todo: "Until then you can reschedule or cancel it.",
  },
  queued: { word: "Queued", tone: "wait", means: "Accepted, and about to be sent.", todo: "Nothing to do." },
  sending: {
    word: "Sending",
    tone: "warn",
    means: "It is being delivered, or waits for the next attempt.",
    todo: "Nothing to do.",
  },
  delivery_delayed: {
    word: "Delayed",
    tone: "warn",
    means: "It is 20 minutes late or more: the next server deferred it or was unreachable.",
    todo: "We keep trying for up to 72 hours; the SMTP session shows why it waits.",
  },
  sent: {
    word: "Sent",
    tone: "wait",
    means: "A mail server accepted it for delivery.",
    todo: "Nothing to do. If the relay reports deliveries, it becomes Delivered; a bounce may come back later.",
  },
  delivered: {
    word: "Delivered",
    tone: "good",
    means: "The recipient's mail server accepted it.",
    todo: "Nothing to do.",
  },
  opened: { word: "Opened", tone: "good", means: "A person opened it.", todo: "Nothing to do." },
  clicked: { word: "Clicked", tone: "good", means: "A person followed a link in it.", todo: "Nothing to do." },
  complained: {
    word: "Complained",
    tone: "bad",
    means: "The recipient marked it as spam.",
    todo: "They get no more email. Check that they had asked for it.",
  },
  bounced: {
    word: "Bounced",
    tone: "bad",
    means: "The receiving server rejected it, at once or by a mail that came back.",
    todo: "Open it to read the response of the mail server.",
  },
  failed: {
    word: "Failed",
    tone: "bad",
    means: "It was not delivered, and is not tried again.",
    todo: "Open it to see the reason.",
  },
  rejected: {
    word: "Rejected",
    tone: "bad",
    means: "It was refused before it was sent.",
    todo: "Open it to read the reason.",
  },
  suppressed: {
    word: "Suppressed",
    tone: "wait",
    means: "The address is on the suppression list or not subscribed to the topic, so nothing was sent.",
    todo: "Open it to read why.",
  },
  cancelled: { word: "Cancelled", tone: "wait", means: "It was cancelled before it was sent.", todo: "Nothing to do." },
  test: {
    word: "Test",
    tone: "wait",
    means: "Everything ran except delivery.",
    todo: "Send it without testMode to deliver it.",
  },
  indeterminate: {
    word: "Unknown",
    tone: "warn",
    means: "The message was sent, but the server's response was lost.",
    todo: "Ask the recipient before you send it again.",
  },
}

export const statusNames = Object.keys(statuses) as EmailStatus[]

export function statusWords(status: string): StatusWords {
  const known: Record<string, StatusWords> = statuses
  return (
    known[status] ?? { word: status, tone: "wait", means: "An unknown status. Reload the page to update it.", todo: "" }
  )
}

/** States that change by themselves, most of them within seconds. An email ends at `sent` where the relay reports nothing further. */
const moving = new Set(["queued", "sending", "delivery_delayed", "scheduled"])

/** Whether an attempt may still be to come. */
export function isOnItsWay(status: string): boolean {
  return moving.has(status)
}

type Moving = { status: string; scheduledAt?: string }

/** The poll interval in milliseconds; false once the status is final. */
export function pollEvery(email: Moving, deliveries: { status: string }[], now: number): number | false {
  const unfinished = [email, ...deliveries].filter(({ status }) => moving.has(status))
  if (unfinished.length === 0) return false
  const soon = 2_000
  const later = 30_000
  if (unfinished.some(({ status }) => status === "queued" || status === "sending")) return soon
  if (email.status === "scheduled") return Date.parse(email.scheduledAt ?? "") - now < 60_000 ? soon : later
  return unfinished.some(({ status }) => status === "delivery_delayed") ? 10_000 : later
}

/** What may still become something else by news from outside: a report, a bounce that comes later, a complaint, an opening. */
const open = new Set(["sent", "delivered", "opened", "clicked"])

/** The longer nothing has happened, the less often it is asked; after an hour only when the window is looked at again. */
const newsPolls = [
  { untilMs: 60_000, everyMs: 3_000 },
  { untilMs: 600_000, everyMs: 15_000 },
  { untilMs: 3_600_000, everyMs: 60_000 },
]

/** As `pollEvery`, and for an hour after its last event also for an email that has left. */
export function newsPollEvery(
  email: Moving,
  { recipients, events }: { recipients: { status: string }[]; events: { occurredAt: string }[] },
  now: number,
): number | false {
  const every = pollEvery(email, recipients, now)
  if (every !== false || ![email, ...recipients].some(({ status }) => open.has(status))) return every
  const quietMs = now - Date.parse(events.at(-1)?.occurredAt ?? "")
  return newsPolls.find(({ untilMs }) => quietMs < untilMs)?.everyMs ?? false
}

/** The state in a word; on hover what it means and what to do about it. */
export function EmailStatusPill({ status, inTable }: { status: string; inTable?: boolean }) {
  const { word, tone, means, todo } = statusWords(status)
  return (
    <Pill tone={tone} tip={`${means} ${todo}`.trim()} inTable={inTable}>
      {word}
    </Pill>
  )
}
