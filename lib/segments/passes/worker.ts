import { foreignKeyViolation, sqlState } from "@/lib/platform/database/sql-errors"
import { runLeased, runRepeatedly } from "@/lib/platform/jobs/leases"
import { createRotation } from "@/lib/platform/jobs/rotation"
import { log } from "@/lib/platform/log"
import { filteredSegments } from "@/lib/segments/data"
import { removeMembers } from "@/lib/segments/removal/data"
import {
  claimPass,
  claimPasses,
  endWork,
  extendPasses,
  type FollowContacts,
  type Pass,
  projectsWithWork,
  readWork,
  releasePass,
  renewPasses,
  resolveEvents,
  settleContacts,
  stepPass,
} from "@/lib/segments/passes/data"

const followEveryMs = 300
const renewEveryMs = 60_000
const removeEveryMs = 1_000
const removeBudgetMs = 1_000
/** Steps of one pass before the passes of other projects go on: a quarter of a second. */
const stepsAtOnce = 5
const hourSeconds = 3_600
const daySeconds = 24 * hourSeconds

type Running = { signal: AbortSignal; leaseMs: number; followScores: FollowContacts }

/** Keeps the members of segments in line with their filters until the signal aborts. Never rejects. */
export async function runSegments({ signal, leaseMs, followScores }: Running): Promise<void> {
  const rotation = createRotation<Pass>(({ projectId }) => projectId)
  await Promise.all([
    runRepeatedly({ name: "segments", round: createFollower(followScores), intervalMs: followEveryMs, signal }),
    runRepeatedly({
      name: "segment renewal",
      round: () => renewPasses(hourSeconds, daySeconds).then(() => false),
      intervalMs: renewEveryMs,
      signal,
    }),
    runRepeatedly({
      name: "deleted segments",
      round: () => removeMembers(removeBudgetMs),
      intervalMs: removeEveryMs,
      signal,
    }),
    runLeased({
      name: "segment passes",
      claim: (limit) => rotation.take((served) => claimPasses(limit, leaseMs, served)),
      async work(pass, aborted) {
        if (!(await runPass(pass, { steps: stepsAtOnce, signal: AbortSignal.any([aborted, signal]) })))
          await releasePass(pass)
      },
      heartbeat: (passes) => extendPasses(passes, leaseMs),
      leaseMs,
      intervalMs: 1_000,
      concurrency: 2,
      drainMs: 5_000,
      signal,
    }),
  ])
}

/** Contacts of one step: some 50 ms of work, which is how long a change of one of them may have to wait. */
const stepMax = 1_000
const stepMin = 50
const queryCanceled = "57014"

/**
 * Continues a pass until it ends, another worker has it, or `steps` steps are done. A step that takes too long is retried
 * with fewer contacts.
 * @returns whether it has ended
 */
async function runPass(
  pass: Pass,
  { steps = Infinity, signal }: { steps?: number; signal?: AbortSignal } = {},
): Promise<boolean> {
  let size = stepMax
  for (let step = 0; step < steps && !signal?.aborted; step++) {
    try {
      if ((await stepPass(pass, size)) === "ended") return true
    } catch (error) {
      if (sqlState(error) === queryCanceled && size > stepMin) size = Math.ceil(size / 4)
      else if (!isPassing(error)) throw error
    }
  }
  return false
}

const firstSteps = 3
const firstLeaseMs = 10_000

/** Begins a pass at once, so that a small segment is complete in the response; the worker does the rest. */
export async function beginPass(projectId: string, segmentId: string): Promise<void> {
  const pass = await claimPass(projectId, segmentId, firstLeaseMs)
  if (pass && !(await runPass(pass, { steps: firstSteps }))) await releasePass(pass)
}

const projectsMax = 50
const contactsMax = 500
/** Without a filter in the project there is nothing to evaluate: its work is only deleted. */
const unfilteredMax = 5_000
const eventsMax = 1_000

/**
 * Makes segments follow what has changed: contacts, their preferences, and what mail did. Each round takes some contacts
 * of every project, so that one project's import does not hold up the others. Contacts with events are passed on to
 * `followScores`.
 */
export function createFollower(followScores: FollowContacts): () => Promise<boolean | "soon"> {
  const progress: Progress = { positions: new Map(), sizes: new Map(), slow: new Map() }
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
  /** A contact that too many filters took too long for, and the segment after which its next round goes on. */
  slow: Map<string, { contactId: string; segmentId: string }>
}

async function followProject(projectId: string, progress: Progress): Promise<boolean> {
  const { positions, sizes } = progress
  const hasFilters = (await filteredSegments(projectId)).length > 0
  const most = hasFilters ? (sizes.get(projectId) ?? contactsMax) : unfilteredMax
  const position = positions.get(projectId) ?? null
  const work = await readWork("segment_work", { projectId, after: position }, most)
  const last = work.at(-1)
  if (work.length === most && last) positions.set(projectId, last.contactId)
  else positions.delete(projectId)
  if (!work.length) return position !== null
  // After the work: the first pass of a segment that is added from now on finds these contacts as they are.
  const segmentIds = await filteredSegments(projectId)
  const contactIds = work.map(({ contactId }) => contactId)
  const outcome = await settleAll(projectId, segmentIds, contactIds, progress)
  if (outcome === "settled") await endWork("segment_work", work)
  if (outcome !== "slow") {
    if (most * 2 < contactsMax) sizes.set(projectId, most * 2)
    else sizes.delete(projectId)
    return outcome === "again" || work.length === most || position !== null
  }
  sizes.set(projectId, Math.ceil(work.length / 5))
  // A single slow contact is left for a later round once all segments had their turn; those after it come first.
  const goesOn = work.length > 1 || progress.slow.has(projectId)
  if (goesOn && position) positions.set(projectId, position)
  else if (goesOn) positions.delete(projectId)
  return goesOn
}

/** Filters of a project that may take too long for a contact in one round, which other projects wait for. */
const slowOfRoundMax = 2

/** "again": something was in the way. "slow": a filter took too long, and others have to wait no longer for it. */
async function settleAll(
  projectId: string,
  segmentIds: readonly string[],
  contactIds: readonly string[],
  { slow }: Progress,
): Promise<"settled" | "again" | "slow"> {
  const [contactId = "", ...others] = contactIds
  const left = slow.get(projectId)
  const behind = others.length === 0 && left?.contactId === contactId ? left.segmentId : null
  slow.delete(projectId)
  let slowOfRound = 0
  for (const segmentId of segmentIds.filter((id) => behind === null || id > behind)) {
    try {
      await settleContacts(projectId, segmentId, contactIds)
    } catch (error) {
      if (isPassing(error)) return "again"
      if (sqlState(error) !== queryCanceled) throw error
      slowOfRound += 1
      log.warn(
        { projectId, segmentId, contacts: contactIds.length },
        "a filter took too long to evaluate changed contacts",
      )
      if (others.length > 0) return "slow"
      if (slowOfRound < slowOfRoundMax) continue
      slow.set(projectId, { contactId, segmentId })
      return "slow"
    }
  }
  return slowOfRound > 0 || behind !== null ? "slow" : "settled"
}

/** A contact or a segment was deleted meanwhile, or two writers deadlocked: a retry succeeds. */
function isPassing(error: unknown): boolean {
  const deadlockDetected = "40P01"
  const state = sqlState(error)
  return state === foreignKeyViolation || state === deadlockDetected
}
