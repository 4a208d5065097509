import type { ReactNode } from "react"
import { Card, CardHeader } from "@/components/ui/card"
import { Timeline, TimelineItem } from "@/components/ui/timeline"
import { ClockTime } from "@/components/emails/clock-time"
import type { HappenedStep } from "@/components/emails/steps"

export function WhatHappened({ steps, moving }: { steps: HappenedStep[]; moving: boolean }) {
  return (
    <Card>
      <CardHeader
        title="What happened"
        actions={<span>{steps.length === 1 ? "1 step" : `${steps.length} steps`}</span>}
      />
      <ScrollIf long={steps.length > longFrom}>
        <Timeline label="What happened">
          {steps.map((step, index) => (
            <TimelineItem
              key={step.id}
              tone={step.tone}
              title={step.title}
              detail={step.detail}
              time={<ClockTime at={step.at} after={steps[index - 1]?.at} />}
            >
              {dayChange(step.at, steps[index - 1]?.at)}
            </TimelineItem>
          ))}
          {moving ? (
            <TimelineItem title={<span className="text-muted">More to come; this page updates by itself.</span>} />
          ) : null}
        </Timeline>
      </ScrollIf>
    </Card>
  )
}

/** Opens and clicks can be many; they must not push the content out of sight. */
const longFrom = 14

function ScrollIf({ long, children }: { long: boolean; children: ReactNode }) {
  if (!long) return children
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="What happened, scrolls"
      className="max-h-190 overflow-y-auto -outline-offset-2"
    >
      {children}
    </div>
  )
}

/** An attempt may be hours after the previous one: then its day is shown, too. */
function dayChange(at: string, before: string | undefined) {
  if (before === undefined || at.slice(0, 10) === before.slice(0, 10)) return null
  const day = new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" })
  return <span className="block text-sm text-faint">{day}</span>
}
