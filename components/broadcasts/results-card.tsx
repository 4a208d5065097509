"use client"

import { clickedFigure, openedFigure } from "@/components/broadcasts/figures"
import type { Broadcast } from "@/components/broadcasts/queries"
import { deliveredFigure, figure, reachedFigure } from "@/components/metrics/figures"
import { FigureStat } from "@/components/metrics/figure-stat"
import { Card, CardHeader } from "@/components/ui/card"
import { Stat, Stats } from "@/components/ui/stat"
import { formatNumber } from "@/lib/platform/format"

/** What became of its emails; a share only where there is something to share. */
export function BroadcastResults({ broadcast }: { broadcast: Broadcast }) {
  const { counts } = broadcast
  const { sent } = counts
  if (sent === 0) return null
  return (
    <Card aria-label="Results">
      <CardHeader title="Results" description="As in the metrics, excluding simulator addresses" />
      <Stats>
        <FigureStat label="Delivered" {...deliveredFigure(counts)} />
        <FigureStat label="Opened" {...openedFigure(broadcast)} />
        <FigureStat label="Clicked" {...clickedFigure(broadcast)} />
        <FigureStat label="Unsubscribed" {...reachedFigure(counts.unsubscribed, counts)} />
        <FigureStat label="Hard bounces" {...figure(counts.bounced, sent, "sent")} />
        <FigureStat label="Complained" {...reachedFigure(counts.complained, counts)} />
        <FigureStat label="Failed" {...figure(counts.failed, sent, "sent")} />
        <Stat label="Sent" value={formatNumber(sent)} />
      </Stats>
    </Card>
  )
}
