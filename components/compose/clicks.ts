import type { ComposeCheck } from "@/components/compose/check"
import type { Fields } from "@/components/compose/fields"

/** Says before a broadcast is sent that its results will not have what nobody turned on; afterwards it is too late. */
export function clicksCheck(
  { html, text, tracking }: Fields,
  { audience, tracksClicks }: { audience?: unknown; tracksClicks?: boolean },
): ComposeCheck | null {
  const chosen = tracking.clickTracking !== ""
  if (!audience || chosen || tracksClicks !== false || !/\bhttps?:\/\//i.test(`${html} ${text}`)) return null
  return {
    ...{ id: "clicks", tone: "wait", allowed: true, title: "Clicks are not tracked" },
    detail: "The results will not say who clicked which link. To see that, turn on Track clicks under More fields.",
  }
}
