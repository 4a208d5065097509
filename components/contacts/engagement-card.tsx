"use client"

import { useQuery } from "@tanstack/react-query"
import { RefreshCw } from "lucide-react"
import { problemOf } from "@/components/data/call"
import { Card, CardHeader } from "@/components/ui/card"
import { IconButton } from "@/components/ui/icon-button"
import { KeyValues } from "@/components/ui/key-values"
import { Pill, type Tone } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { toast } from "@/components/ui/toast"
import type { OwnProps } from "@/components/contacts/profile-card"
import { scoreQuery, useRefreshScore, validationQuery } from "@/components/contacts/queries"

const tiers: Record<string, { tone: Tone; word: string; tip: string }> = {
  new: { tone: "wait", word: "New", tip: "Fewer than three messages have been delivered." },
  cold: { tone: "wait", word: "Cold", tip: "Below 25: rarely reads, or complained." },
  cool: { tone: "warn", word: "Cool", tip: "25 to 49: reads now and then, or less than before." },
  warm: { tone: "good", word: "Warm", tip: "50 to 74: reads most emails." },
  hot: { tone: "good", word: "Hot", tip: "75 and more: reads and clicks." },
}

const validity: Record<string, { tone: Tone; word: string }> = {
  valid: { tone: "good", word: "Valid" },
  risky: { tone: "warn", word: "Risky" },
  invalid: { tone: "bad", word: "Invalid" },
  unknown: { tone: "wait", word: "Unknown" },
}

/** How much the person reads, and whether the address can take mail at all. */
export function EngagementCard({ projectId, contact, mayWrite }: OwnProps) {
  const score = useQuery(scoreQuery(projectId, contact.id))
  const validation = useQuery(validationQuery(projectId, contact.id))
  const refresh = useRefreshScore()
  const tier = score.data ? tiers[score.data.tier] : undefined
  const state = validation.data ? validity[validation.data.status] : undefined

  async function recompute() {
    try {
      await refresh.mutateAsync({ params: { projectId, contactId: contact.id } })
    } catch (error) {
      toast.error("Not computed", { description: problemOf(error).detail })
    }
  }

  return (
    <Card aria-label="Engagement">
      <CardHeader
        title="Engagement"
        actions={
          mayWrite ? (
            <IconButton label="Compute the score now" icon={<RefreshCw />} onClick={() => void recompute()} />
          ) : null
        }
      />
      {score.isPending ? (
        <SkeletonRows rows={2} label="Loading the score" />
      ) : (
        <KeyValues
          items={[
            {
              label: "Score",
              value: score.data ? (
                <span className="flex flex-wrap items-center gap-2 tabular-nums">
                  {score.data.score} of 100{" "}
                  {tier ? (
                    <Pill tone={tier.tone} tip={tier.tip}>
                      {tier.word}
                    </Pill>
                  ) : null}
                </span>
              ) : (
                "No email has been sent yet."
              ),
            },
            score.data ? { label: "Computed", value: <RelativeTime at={score.data.scoredAt} /> } : null,
            state
              ? {
                  label: "Address",
                  value: (
                    <Pill tone={state.tone} tip={validation.data?.reason}>
                      {state.word}
                    </Pill>
                  ),
                }
              : null,
          ]}
        />
      )}
    </Card>
  )
}
