import { dayMs } from "@/lib/platform/time"
import { rescore, scoredContacts } from "@/lib/contacts/engagement/score-sql"
import { transaction, unscoped } from "@/lib/platform/database/db"
import { firstId } from "@/lib/platform/database/distinct-sql"
import { takeLock, tryLock } from "@/lib/platform/database/locks-sql"

const restMs = dayMs

/**
 * Recomputes the scores of the next `size` contacts of all projects if a pass is due or under way, and stores how far it
 * came: one worker at a time, and the next continues where one died. A step that is done twice finds nothing to change.
 * @returns "idle" when no pass is due, or another worker is at it
 */
export async function stepScores(size: number, now: Date): Promise<"more" | "ended" | "idle"> {
  const pass = await findDue(now)
  if (!pass) return "idle"
  const { lastProject, lastContact } = pass
  const contacts = await transaction(async (client) => {
    if (!(await tryLock("mailroom.score_pass", client))) return null
    await takeLock("mailroom.scores", client)
    const behind = [lastProject ?? firstId, lastContact ?? firstId, size]
    const next = await scoredContacts(client, "(project_id, id) > ($1, $2) ORDER BY project_id, id LIMIT $3", behind)
    if (next.length) await rescore(client, next, now)
    return next
  })
  if (!contacts) return "idle"
  const last = contacts.length < size ? undefined : contacts.at(-1)
  const { count } = await unscoped().engagementPass.updateMany({
    where: { id: 1, lastProject, lastContact },
    data: {
      lastProject: last?.projectId ?? null,
      lastContact: last?.id ?? null,
      ...(!last && { dueAt: new Date(now.getTime() + restMs) }),
    },
  })
  if (!count) return "idle"
  return last ? "more" : "ended"
}

/** The pass that is due. Due later than a rest from now: that was written by a clock that has been set back. */
function findDue(now: Date) {
  return unscoped().engagementPass.findUnique({
    where: { id: 1, OR: [{ dueAt: { lte: now } }, { dueAt: { gt: new Date(now.getTime() + restMs) } }] },
    select: { lastProject: true, lastContact: true },
  })
}
