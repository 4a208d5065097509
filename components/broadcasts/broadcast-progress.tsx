import { formatNumber } from "@/lib/platform/format"
import type { Broadcast } from "@/components/broadcasts/queries"
import { leftOut, progressOf, standstill } from "@/components/broadcasts/words"
import { useMoment } from "@/components/data/clock-time"
import { Callout } from "@/components/ui/callout"
import { Card } from "@/components/ui/card"
import { Progress } from "@/components/ui/progress"
import { TextLink } from "@/components/ui/text-link"

/** The progress as a sentence and a bar, and why the broadcast does not advance, if so. */
export function BroadcastProgress({ projectId, broadcast }: { projectId: string; broadcast: Broadcast }) {
  const progress = progressOf(broadcast)
  const why = standstill(broadcast)
  return (
    <>
      {why ? (
        <Callout tone={broadcast.pausedReason && broadcast.pausedReason !== "requested" ? "bad" : "warn"} title={why} />
      ) : null}
      <Card aria-label="Progress">
        <div className="grid gap-3 p-4">
          <p className="text-xl font-semibold" aria-live="polite">
            {useSentence(broadcast)}
          </p>
          {progress ? <Progress label="People processed" value={progress.done} max={progress.of} /> : null}
          <p className="flex flex-wrap gap-x-4 text-muted">
            {leftOut(broadcast) ? <span>{leftOut(broadcast)}</span> : null}
            {broadcast.counts.accepted > 0 ? (
              <TextLink href={`/projects/${projectId}/emails?broadcast=${broadcast.id}`}>Open its emails</TextLink>
            ) : null}
          </p>
        </div>
      </Card>
    </>
  )
}

function useSentence(broadcast: Broadcast): string {
  const moment = useMoment()
  const { status, counts, scheduledAt } = broadcast
  const accepted = formatNumber(counts.accepted)
  const people = counts.accepted === 1 ? "person" : "people"
  if (status === "draft") return "This is a draft. No email has been sent."
  if (status === "scheduled")
    return scheduledAt ? `It starts ${moment(scheduledAt)}.` : "It starts at its scheduled time."
  const progress = progressOf(broadcast)
  if (!progress) return "The recipients are being counted."
  if (status === "sent") return `Sent to ${accepted} ${people}.`
  const of = formatNumber(progress.of)
  if (status === "cancelled") return `Cancelled after ${accepted} of ${of} people.`
  return `Sent to ${accepted} of ${of} people.`
}
