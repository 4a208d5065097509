import type { BroadcastItem } from "@/components/broadcasts/queries"
import { type Figure, reachedFigure } from "@/components/metrics/figures"

type Counted = Pick<BroadcastItem, "counts" | "tracked">

/** What is not tracked happens unseen, and that is not 0. */
export function openedFigure({ counts, tracked }: Counted): Figure {
  return trackedFigure(counts.opened, tracked.opens, counts)
}

export function clickedFigure({ counts, tracked }: Counted): Figure {
  return trackedFigure(counts.clicked, tracked.clicks, counts)
}

/** The simulator's readers open and click even where that is not tracked. */
function trackedFigure(count: number, isTracked: boolean, counts: Counted["counts"]): Figure {
  if (!isTracked && count === 0) return { none: "Not tracked" }
  return reachedFigure(count, counts)
}
