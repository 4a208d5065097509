import { addSystemAudit } from "@/lib/access/audit-store"
import { changeAndTell } from "@/lib/access/system-mail/notices-store"
import type { HeldBroadcast } from "@/lib/broadcasts/claim-sql"
import { resultsOf } from "@/lib/broadcasts/results-store"
import { statusesFor, type Outcome, type PausedReason } from "@/lib/broadcasts/rules"
import { noCounts, reachedOf } from "@/lib/metrics/rules"
import { db } from "@/lib/platform/database/scoped-db"
import { encodeId } from "@/lib/platform/ids"

/** What became of the emails of a broadcast since it was last resumed. */
export async function findOutcome({ projectId, id }: HeldBroadcast): Promise<Outcome> {
  const scope = { project: { id: projectId } }
  const select = { judgedSent: true, judgedBounced: true, judgedDelivered: true, judgedComplained: true } as const
  const [results, before] = await Promise.all([
    resultsOf(scope, [id]),
    db(scope).broadcast.findUnique({ where: { id }, select }),
  ])
  const counts = results.get(id) ?? noCounts()
  const { sent, bounced, complained } = counts
  return {
    sent: sent - (before?.judgedSent ?? 0),
    bounced: bounced - (before?.judgedBounced ?? 0),
    delivered: reachedOf(counts) - (before?.judgedDelivered ?? 0),
    complained: complained - (before?.judgedComplained ?? 0),
  }
}

/**
 * Pauses a broadcast by itself, unless it is no longer ours or somebody has paused or cancelled it. The owners are told of its
 * rates; what forbids to send, they know.
 */
export async function stopBroadcast(
  { projectId, id, attempt }: HeldBroadcast,
  reason: Exclude<PausedReason, "requested">,
  outcome?: Outcome,
): Promise<void> {
  await changeAndTell(projectId, async (tx, { organizationId }) => {
    const [stopped] = await tx.broadcast.updateManyAndReturn({
      where: { id, attempt, status: { in: statusesFor("stop") } },
      data: { status: "paused", pausedReason: reason, dueAt: null },
      select: { subject: true },
    })
    if (!stopped) return null
    const target = encodeId("bc", id)
    const changes = { reason, ...outcome }
    await addSystemAudit({ organizationId, projectId }, { action: "broadcasts.stop", target, changes }, tx)
    if (!outcome || (reason !== "bounces" && reason !== "complaints")) return null
    const [count, of] = reason === "bounces" ? [outcome.bounced, outcome.sent] : [outcome.complained, outcome.delivered]
    const { subject } = stopped
    return { notice: { kind: "broadcast-stopped", subject, reason, count, of }, page: `broadcasts/${target}` }
  })
}
