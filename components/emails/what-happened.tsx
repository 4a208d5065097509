import type { ReactNode } from "react"
import { Journey } from "@/components/emails/journey"
import { answerOf, comingOf, endOf, journeyOf } from "@/components/emails/journey-steps"
import type { Email, Explanation } from "@/components/emails/types"
import { Card, CardHeader } from "@/components/ui/card"

type WhatHappenedProps = { projectId: string; email: Email; explanation: Explanation; moving: boolean }

/** The answer, and below it the way of the email. */
export function WhatHappened({ projectId, email, explanation, moving }: WhatHappenedProps) {
  const steps = journeyOf(email, explanation)
  const end = endOf(explanation)
  return (
    <Card>
      <CardHeader title={<span aria-live="polite">{answerOf(email, explanation)}</span>} />
      <ScrollIf long={steps.length > longFrom}>
        <Journey
          projectId={projectId}
          steps={steps}
          {...(moving ? { coming: comingOf(email, explanation) } : end ? { end } : {})}
        />
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
