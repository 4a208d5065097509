import { projectsDue, releaseDue } from "@/lib/delivery/scheduling/data"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"

/** Queues scheduled mail when its time has come, until the signal aborts. Never rejects. */
export function runScheduledRelease(signal: AbortSignal, intervalMs = 250): Promise<void> {
  let behind: string | undefined
  return runRepeatedly({
    name: "scheduled release",
    intervalMs,
    signal,
    async round() {
      const { found, more, next } = await releaseRound(behind)
      behind = next
      return more || (found && "soon")
    },
  })
}

/** One group of each project with due mail, so that none waits for another's long list. */
export async function releaseRound(
  behind?: string,
): Promise<{ found: boolean; more: boolean; next: string | undefined }> {
  const { ids, next } = await projectsDue(behind)
  let more = next !== undefined
  for (const projectId of ids) {
    try {
      if (await releaseDue(projectId)) more = true
    } catch (error) {
      log.error({ err: error, projectId }, "scheduled mail of a project could not be released in this round")
    }
  }
  return { found: ids.length > 0, more, next }
}
