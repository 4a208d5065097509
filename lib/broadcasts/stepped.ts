import { broadcastMissing, statusConflict } from "@/lib/broadcasts/problems"
import { openMax } from "@/lib/broadcasts/rules"
import type { Broadcast } from "@/lib/broadcasts/schema"
import type { Stepped } from "@/lib/broadcasts/step-store"
import { findBroadcast } from "@/lib/broadcasts/store"
import type { Scope } from "@/lib/platform/http/scope"
import { fixedLimitReached } from "@/lib/projects/schema"

/** The broadcast after a step. @throws the problem where the step was refused */
export async function answerOf(scope: Scope, id: string, stepped: Stepped): Promise<Broadcast> {
  const found = stepped === "missing" ? null : await findBroadcast(scope, id)
  if (!found) throw broadcastMissing()
  if (stepped === "full") throw fixedLimitReached("broadcasts that have not ended", openMax)
  if (stepped === "conflict") throw statusConflict(`The broadcast is ${found.status}, which does not allow this.`)
  return found
}
