import type { Figure } from "@/components/metrics/figures"
import { Stat } from "@/components/ui/stat"

/** A figure with its share below, or a dash with the words why there is none. */
export function FigureStat({ label, ...shown }: { label: string } & Figure) {
  return "none" in shown ? (
    <Stat label={label} value={<span className="text-muted">–</span>} hint={shown.none} />
  ) : (
    <Stat label={label} value={shown.value} hint={shown.of ?? "\u00a0"} />
  )
}
