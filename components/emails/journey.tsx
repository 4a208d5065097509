import { useState } from "react"
import { ClockTime } from "@/components/data/clock-time"
import { duration, type Coming, type End } from "@/components/emails/journey-steps"
import type { HappenedStep } from "@/components/emails/steps"
import { cn } from "@/components/ui/cn"
import { dateWords } from "@/components/ui/date-words"
import { useTimeZone } from "@/components/ui/local-time"
import { useReaderTimes } from "@/components/ui/reader-times"
import type { Tone } from "@/components/ui/pill"
import { TextLink } from "@/components/ui/text-link"

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
