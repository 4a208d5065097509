import type { Broadcast } from "@/components/broadcasts/queries"
import { audienceIn } from "@/components/compose/addresses"

/** Whether the form has a field for all that the draft has: a draft made by the API may have many recipients. */
export function isEditable({ status, to }: Pick<Broadcast, "status" | "to">): boolean {
  return status === "draft" && to.length === 1 && audienceIn(to[0] ?? "") !== null
}
