import { sqlState } from "@/lib/platform/database/sql-errors"
import { isPassing } from "@/lib/segments/follow"
import { claimPass, releasePass, stepPass, type Pass } from "@/lib/segments/pass-sql"

/** Contacts of one step: some 50 ms of work, which is how long a change of one of them may have to wait. */
const stepMax = 1_000
const stepMin = 50
const queryCanceled = "57014"

/**
 * Continues a pass until it ends, another worker has it, or `steps` steps are done. A step that takes too long is retried
 * with fewer contacts.
 * @returns whether it has ended
 */
export async function runPass(
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
