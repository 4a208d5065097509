import type { Broadcast } from "@/components/broadcasts/queries"
import { lackingCheck, type LackingValues } from "@/components/compose/lacking"

type Check = { id: string; title: string; detail?: string }

/** What is worth a thought before a stored broadcast is sent. */
export function sendChecks({ html, text }: Pick<Broadcast, "html" | "text">, preview: LackingValues): Check[] {
  const checks: Check[] = []
  if (preview.sendable === 0) checks.push({ id: "people", title: "No one in its audience can get email" })
  if (html !== undefined && text === undefined)
    checks.push({
      ...{ id: "text", title: "No text part" },
      detail: "Some mail programs show only text, and spam filters expect it.",
    })
  const lacking = lackingCheck(preview)
  return lacking ? [...checks, { id: "lacking", ...lacking }] : checks
}
