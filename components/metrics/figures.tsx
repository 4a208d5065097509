import { type Figures, reachedCount, reachedWord, shareText } from "@/components/metrics/rates"
import { formatNumber } from "@/lib/platform/format"
import { Stat } from "@/components/ui/stat"
import type { BroadcastItem } from "@/components/broadcasts/queries"

/** A count as it is shown, with the share that it is of something; or the words why there is none. */
export type Figure = { value: string; of?: string } | { none: string }

/** What nobody reports is not known, and that is not 0. */
export function deliveredFigure(
  figures: Pick<Figures, "sent" | "delivered" | "deliveryReported" | "deliveryNotReported">,
): Figure {
  const { delivered, sent, deliveryReported, deliveryNotReported = 0 } = figures
  if (deliveryReported !== false) return figure(delivered, sent, "sent")
  if (delivered === 0) return { none: "Delivery not reported" }
  return { value: formatNumber(delivered), of: `not reported of ${formatNumber(deliveryNotReported)}` }
}

/** Of what was delivered, or of what was sent where that is not reported. */
export function reachedFigure(
  count: number,
  figures: Pick<Figures, "sent" | "delivered" | "deliveryReported">,
): Figure {
  return figure(count, reachedCount(figures), reachedWord(figures))
}

/** A share only where there is something to share; like all rates, at most all of it. */
export function figure(count: number, of: number, what: string): Figure {
  return { value: formatNumber(count), ...(of > 0 && { of: `${shareText(Math.min(1, count / of))} of ${what}` }) }
}

/** A figure with its share below, or a dash with the words why there is none. */
export function FigureStat({ label, ...shown }: { label: string } & Figure) {
  return "none" in shown ? (
    <Stat label={label} value={<span className="text-muted">–</span>} hint={shown.none} />
  ) : (
    <Stat label={label} value={shown.value} hint={shown.of ?? "\u00a0"} />
  )
}

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
