import { FOREIGN_KEY_VIOLATION, sqlState } from "@/lib/platform/sql-errors"
import { resolveEvents } from "@/lib/segments/event-store"
import { filteredSegments, settleContacts } from "@/lib/segments/member-store"
import { endWork, projectsWithWork, readWork } from "@/lib/segments/work-store"

const projectsMax = 50
const contactsMax = 500
/** Where no segment has a filter there is nothing to look at: what is written down is only put away. */
const unfilteredMax = 5_000
const eventsMax = 1_000

/**
 * Makes segments follow what has changed: contacts, their preferences, and what mail did. Each round takes some contacts
 * of every project, so that one project's import does not hold up the others.
 */
export function createFollower(): () => Promise<boolean> {
  // Where each project's last round ended: ids that keep coming back must not starve those behind them.
  const places = new Map<string, string>()
  let behind: string | null = null

  /** One round; true if there is more to do at once. */
  return async function follow(): Promise<boolean> {
    const events = await resolveEvents(eventsMax)
    const projectIds = await projectsWithWork(behind, projectsMax)
    behind = projectIds.length === projectsMax ? (projectIds.at(-1) ?? null) : null
    let more = events === eventsMax || behind !== null
    for (const projectId of projectIds) more = (await followProject(projectId, places)) || more
    return more
  }
}

async function followProject(projectId: string, places: Map<string, string>): Promise<boolean> {
  const segmentIds = await filteredSegments(projectId)
  const most = segmentIds.length ? contactsMax : unfilteredMax
  const place = places.get(projectId) ?? null
  const work = await readWork(projectId, place, most)
  const last = work.at(-1)
  if (work.length === most && last) places.set(projectId, last.contactId)
  else places.delete(projectId)
  if (!work.length) return place !== null
  const settled = await settleAll(projectId, segmentIds, work.map(({ contactId }) => contactId))
  if (settled) await endWork(projectId, work)
  return !settled || work.length === most || place !== null
}

async function settleAll(projectId: string, segmentIds: readonly string[], contactIds: readonly string[]): Promise<boolean> {
  try {
    for (const segmentId of segmentIds) await settleContacts(projectId, segmentId, contactIds)
    return true
  } catch (error) {
    if (isPassing(error)) return false
    throw error
  }
}

/** A contact or a segment went away in the middle, or two writers met: the same again goes well. */
export function isPassing(error: unknown): boolean {
  const deadlockDetected = "40P01"
  const state = sqlState(error)
  return state === FOREIGN_KEY_VIOLATION || state === deadlockDetected
}
