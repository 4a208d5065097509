import { useState } from "react"
import { ClockTime } from "@/components/data/clock-time"
import { type HappenedStep, inOrder, stepsOf } from "@/components/emails/steps"
import { cn } from "@/components/ui/cn"
import { dateWords } from "@/components/ui/time-words"
import { useTimeZone, useReaderTimes } from "@/components/ui/local-time"
import type { Tone } from "@/components/ui/pill"
import { TextLink } from "@/components/ui/text"
import type { Email, Explanation } from "@/components/emails/queries"

type JourneyProps = {
  projectId: string
  steps: HappenedStep[]
  /** What is still to come; the page updates by itself. */
  coming?: Coming
  /** Why nothing more is to come, where a reader would expect it. */
  end?: End
}

/** The steps on a rail: durations between them at the left, evidence at the right, the time at the edge. */
export function Journey({ projectId, steps, coming, end }: JourneyProps) {
  // What happened before the page came is simply there: faded in, it would be painted a tenth of a second later.
  const [atFirst] = useState(() => new Set(steps.map(({ id }) => id)))
  return (
    <ol aria-label="What happened" className="pt-3.5 pb-1.5">
      {steps.map((step, index) => (
        <Step
          key={step.id}
          projectId={projectId}
          step={step}
          before={steps[index - 1]}
          after={steps[index + 1]}
          dashed={(coming ?? end) !== undefined && index === steps.length - 1}
          isNew={!atFirst.has(step.id)}
        />
      ))}
      {coming ? (
        <li className={cn(item, "text-muted")}>
          <span aria-hidden="true" className={cn(dot, "border-[1.5px] border-wait bg-panel")} />
          <span className="col-start-2">{coming.title}</span>
          {coming.at ? <Time at={coming.at} before={steps.at(-1)?.at} /> : null}
          <span className="col-span-2 col-start-2 text-sm">This page updates by itself.</span>
        </li>
      ) : null}
      {end ? (
        <li className={cn(item, "text-muted")}>
          <span aria-hidden="true" className={cn(dot, "bg-line-field")} />
          <span className="col-span-2 col-start-2">{end.title}</span>
          <span className="col-span-2 col-start-2 text-sm">{end.detail}</span>
        </li>
      ) : null}
    </ol>
  )
}

type StepProps = {
  projectId: string
  step: HappenedStep
  before: HappenedStep | undefined
  after: HappenedStep | undefined
  dashed: boolean
  /** It came while the page was open. */
  isNew: boolean
}

function Step({ projectId, step, before, after, dashed, isNew }: StepProps) {
  const { at, tone, title, link, detail, quoted } = step
  const inReaderTime = useReaderTimes()
  return (
    <li className={cn(item, isNew && "animate-appear motion-reduce:animate-none")}>
      {after || dashed ? (
        <span
          aria-hidden="true"
          className={cn(
            "absolute top-3 -bottom-1.5 left-[91.5px] border-l border-line-strong",
            dashed && "border-dashed",
          )}
        />
      ) : null}
      <span aria-hidden="true" className={cn(dot, fill[tone])} />
      {after ? (
        <span className="absolute top-[calc(50%+4px)] right-[calc(100%-76px)] text-right text-xs whitespace-nowrap text-muted tabular-nums">
          {duration(Date.parse(after.at) - Date.parse(at))}
        </span>
      ) : null}
      <b className="col-start-2 font-medium">{title}</b>
      <Time at={at} before={before?.at} />
      {link ? (
        <span className={evidence}>
          {link.before} <TextLink href={`/projects/${projectId}/${link.path}`}>{link.words}</TextLink>
        </span>
      ) : null}
      {detail ? (
        <span className={cn(evidence, quoted && "font-mono text-xs leading-5")}>
          {quoted ? detail : inReaderTime(detail)}
        </span>
      ) : null}
    </li>
  )
}

function Time({ at, before }: { at: string; before: string | undefined }) {
  const timeZone = useTimeZone()
  const dayOf = (moment: string) => dateWords(moment, { day: "numeric", month: "long", timeZone })
  // An attempt may be hours after the previous one: then its day is shown, too.
  const day = before === undefined || dayOf(at) === dayOf(before) ? null : dayOf(at)
  return (
    <span className="col-start-3 pl-3 text-right text-sm text-muted tabular-nums">
      <ClockTime at={at} after={before} />
      {day ? <span className="block text-xs">{day}</span> : null}
    </span>
  )
}

const item = "relative grid grid-cols-[104px_minmax(0,1fr)_auto] pr-4 pb-4"
const evidence = "col-span-2 col-start-2 text-sm text-muted [overflow-wrap:anywhere]"
const dot = "absolute top-1.5 left-22 z-1 size-2 rounded-full shadow-[0_0_0_3px_var(--panel)]"
const fill: Record<Tone, string> = { wait: "bg-line-field", warn: "bg-warn", good: "bg-good", bad: "bg-bad" }

/** The journey of an email: what happened to it, when it was signed, and its webhook deliveries. */
export function journeyOf(email: Email, explanation: Explanation): HappenedStep[] {
  const { events, recipients, acceptedWith, signedAt, webhookDeliveries = [] } = explanation
  const steps = stepsOf(email, events, recipients).map((step) =>
    accepting.has(step.kind) && acceptedWith
      ? {
          ...step,
          link: {
            before: "API key",
            words: acceptedWith.name ?? acceptedWith.keyId,
            path: `api-keys/${acceptedWith.keyId}`,
          },
        }
      : step,
  )
  const domain = email.from.replace(/>\s*$/, "").split("@").at(-1)
  const signed: HappenedStep[] = signedAt
    ? [{ id: "signed", kind: "signed", at: signedAt, tone: "good", title: "Signed", detail: `DKIM for ${domain}` }]
    : []
  return inOrder([...steps, ...signed, ...webhookDeliveries.flatMap(ofWebhook)])
}

const accepting = new Set(["queued", "scheduled", "test"])

type WebhookDelivery = NonNullable<Explanation["webhookDeliveries"]>[number]

/** Deliveries that have not ended are no steps yet. */
function ofWebhook(delivery: WebhookDelivery): HappenedStep[] {
  const { id, status, eventType, lastStatusCode, lastError, webhookEndpointId, updatedAt } = delivery
  if (status !== "success" && status !== "failed") return []
  const good = status === "success"
  return [
    {
      id,
      kind: "webhook",
      at: updatedAt,
      tone: good ? "good" : "bad",
      title: good ? "Webhook delivered" : "Webhook failed",
      link: {
        words: [eventType, lastStatusCode ?? lastError].filter(Boolean).join(", "),
        path: `webhooks/${webhookEndpointId}`,
      },
    },
  ]
}

/** The answer in a few words: "Delivered in 284 ms", "Bounced after 1.2 s", "Waiting for attempt 4". */
export function journeyAnswer(email: Email, { status, recipients, events }: Explanation): string {
  const ended = { delivered: "Delivered in", bounced: "Bounced after" } as const
  const reached = status === "opened" || status === "clicked" || status === "complained" ? "delivered" : status
  if (reached === "delivered" || reached === "bounced") {
    const at = events.find(({ type }) => type === reached)?.occurredAt
    // Once it is due, a scheduled email no longer waits.
    return at && !email.scheduledAt
      ? `${ended[reached]} ${duration(Date.parse(at) - Date.parse(email.createdAt))}`
      : { delivered: "Delivered", bounced: "Bounced" }[reached]
  }
  const next = nextAttemptOf(recipients)
  return next ? `Waiting for attempt ${next.number}` : (answers[status] ?? "What happened")
}

const answers: Record<string, string> = {
  scheduled: "Waiting for its time",
  suppressed: "Not sent",
  rejected: "Not sent",
  cancelled: "Not sent",
  failed: "Not delivered",
  sent: "Sent, delivery not reported",
}

/** The attempt that is due next, where one was made before. */
function nextAttemptOf(recipients: Explanation["recipients"]): { number: number; at: string } | undefined {
  return recipients.flatMap(({ nextAttemptAt, attempts }) =>
    nextAttemptAt && attempts.length > 0 ? [{ number: (attempts.at(-1)?.attempt ?? 0) + 1, at: nextAttemptAt }] : [],
  )[0]
}

/** What is still to come: the next attempt, or the time of a scheduled email. */
export function comingOf({ status, scheduledAt }: Email, { recipients }: Explanation): Coming {
  if (status === "scheduled" && scheduledAt) return { title: "Sent", at: scheduledAt }
  const next = nextAttemptOf(recipients)
  return next ? { title: `Attempt ${next.number}`, at: next.at } : { title: "More to come" }
}

/** Where the way of an email ends at a relay that reports nothing further of one of its recipients. */
export function endOf({ recipients }: Pick<Explanation, "recipients">): End | undefined {
  if (!recipients.some(({ status }) => status === "sent")) return undefined
  return {
    title: "The relay reports nothing further",
    detail: "If a server refuses the email later, the bounce comes back by mail.",
  }
}

type End = { title: string; detail: string }

type Coming = { title: string; at?: string }

/** "284 ms", "1.2 s", "2 min 22 s", "3 h 5 min", "2 d 4 h". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  const at = Math.max(
    0,
    units.findIndex(([size]) => seconds >= size),
  )
  const [[size, name] = [1, "s"], [smaller, smallerName] = [size, ""]] = units.slice(at, at + 2)
  const rest = Math.floor((seconds % size) / smaller)
  return `${Math.floor(seconds / size)} ${name}${rest ? ` ${rest} ${smallerName}` : ""}`
}

const units: (readonly [number, string])[] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
]
