import type { ChosenAudience } from "@/components/compose/audience"
import { formatNumber } from "@/lib/platform/format"

/** "46 people", "at least 10,000 people", or everyone in it while they are not counted. */
export function peopleWords({ preview, name, id }: ChosenAudience): string {
  if (!preview) return `everyone in ${name ?? id}`
  return `${preview.exact ? "" : "at least "}${formatNumber(preview.sendable)} ${preview.sendable === 1 ? "person" : "people"}`
}
