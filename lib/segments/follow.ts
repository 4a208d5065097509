import { log } from "@/lib/platform/log"
import { foreignKeyViolation, sqlState } from "@/lib/platform/database/sql-errors"
import { resolveEvents, type FollowContacts } from "@/lib/segments/event-sql"
import { settleContacts } from "@/lib/segments/settle-sql"
import { filteredSegments } from "@/lib/segments/store"
import { endWork, projectsWithWork, readWork } from "@/lib/segments/work-sql"

const projectsMax = 50
const contactsMax = 500
/** Without a filter in the project there is nothing to evaluate: its work is only deleted. */
const unfilteredMax = 5_000
const eventsMax = 1_000
const queryCanceled = "57014"

/**
 * Makes segments follow what has changed: contacts, their preferences, and what mail did. Each round takes some contacts
 * of every project, so that one project's import does not hold up the others. Contacts with events are passed on to
 * `followScores`.
 */
export function createFollower(followScores: FollowContacts): () => Promise<boolean | "soon"> {
  const progress: Progress = { positions: new Map(), sizes: new Map() }
  let after: string | null = null

  /** One round; true if there is more to do at once, "soon" if there was something. */
  return async function follow(): Promise<boolean | "soon"> {
    const events = await resolveEvents(eventsMax, followScores)
    const projectIds = await projectsWithWork(after, projectsMax)
    after = projectIds.length === projectsMax ? (projectIds.at(-1) ?? null) : null
    let more = events === eventsMax || after !== null
    for (const projectId of projectIds) more = (await followProject(projectId, progress)) || more
    return more || (events + projectIds.length > 0 && "soon")
  }
}

type Progress = {
  /** The contact at which each project's last round ended: ids that recur must not starve those after them. */
  positions: Map<string, string>
  /** How many contacts at once where a filter took too long for more. */
  sizes: Map<string, number>
}

async function followProject(projectId: string, { positions, sizes }: Progress): Promise<boolean> {
  const segmentIds = await filteredSegments(projectId)
  const most = segmentIds.length ? (sizes.get(projectId) ?? contactsMax) : unfilteredMax
  const position = positions.get(projectId) ?? null
  const work = await readWork("segment_work", { projectId, after: position }, most)
  const last = work.at(-1)
  if (work.length === most && last) positions.set(projectId, last.contactId)
  else positions.delete(projectId)
  if (!work.length) return position !== null
  const outcome = await settleAll(
    projectId,
    segmentIds,
    work.map(({ contactId }) => contactId),
  )
  if (outcome === "settled") await endWork("segment_work", work)
  if (outcome !== "slow") {
    if (most * 2 < contactsMax) sizes.set(projectId, most * 2)
    else sizes.delete(projectId)
    return outcome === "again" || work.length === most || position !== null
  }
  sizes.set(projectId, Math.ceil(work.length / 5))
  // A single slow contact is left for a later round; those after it come first.
  if (work.length > 1 && position) positions.set(projectId, position)
  else if (work.length > 1) positions.delete(projectId)
  return work.length > 1
}

/** "again": something was in the way. "slow": a filter took too long, and others have to wait no longer for it. */
async function settleAll(
  projectId: string,
  segmentIds: readonly string[],
  contactIds: readonly string[],
): Promise<"settled" | "again" | "slow"> {
  let slow = false
  for (const segmentId of segmentIds) {
    try {
      await settleContacts(projectId, segmentId, contactIds)
    } catch (error) {
      if (isPassing(error)) return "again"
      if (sqlState(error) !== queryCanceled) throw error
      slow = true
      log.warn(
        { projectId, segmentId, contacts: contactIds.length },
        "a filter took too long to evaluate changed contacts",
      )
      if (contactIds.length > 1) return "slow"
    }
  }
  return slow ? "slow" : "settled"
}

/** A contact or a segment was deleted meanwhile, or two writers deadlocked: a retry succeeds. */
export function isPassing(error: unknown): boolean {
  const deadlockDetected = "40P01"
  const state = sqlState(error)
  return state === foreignKeyViolation || state === deadlockDetected
}
