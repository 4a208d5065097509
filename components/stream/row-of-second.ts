import type { StreamEvent } from "@/components/stream/stream-event"

/**
 * The row of the newest event that is no later than this second since 1970. The events come oldest first, the rows newest
 * first, with a line in front of the `before` oldest.
 */
export function rowOfSecond(events: readonly Pick<StreamEvent, "occurredAt">[], before: number, second: number) {
  const until = (second + 1) * 1_000
  const at = Math.max(
    0,
    events.findLastIndex(({ occurredAt }) => Date.parse(occurredAt) < until),
  )
  const row = events.length - 1 - at
  return before > 0 && at < before ? row + 1 : row
}
