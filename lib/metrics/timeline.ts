import { engagementScore, figuresOf, ratesOf, reachedOf, sumOf, type Counts } from "@/lib/metrics/rules"

export type CountedBucket = { bucket: Date; counts: Counts }

/** Buckets and totals as the API writes them; `deltas` adds to each the change to the one before. */
export function timelineOf(counted: readonly CountedBucket[], deltas: boolean) {
  const buckets = counted.map(({ bucket, counts }) => ({
    bucket,
    ...figuresOf(counts),
    engagementScore: engagementScore(ratesOf(counts)),
  }))
  const changed = buckets.map((now, index) => {
    const before = buckets[index - 1]
    if (!deltas || !before) return now
    return {
      ...now,
      sentDelta: now.sent - before.sent,
      deliveredDelta: now.delivered - before.delivered,
      bounceRateDelta: now.bounceRate - before.bounceRate,
      openRateDelta: now.openRate - before.openRate,
    }
  })
  return { buckets: changed, totals: totalsOf(counted) }
}

function totalsOf(counted: readonly CountedBucket[]) {
  const scores = counted.flatMap(({ counts }) => (reachedOf(counts) > 0 ? engagementScore(ratesOf(counts)) : []))
  const peak = counted.reduce<CountedBucket | null>(
    (most, one) => (one.counts.sent > (most?.counts.sent ?? 0) ? one : most),
    null,
  )
  return {
    ...figuresOf(sumOf(counted.map(({ counts }) => counts))),
    avgEngagementScore: scores.length
      ? Math.round(scores.reduce((total, score) => total + score, 0) / scores.length)
      : 0,
    ...(peak ? { peakBucket: peak.bucket } : {}),
  }
}
