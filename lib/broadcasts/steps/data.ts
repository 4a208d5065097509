import { addAudit } from "@/lib/access/audit/data"
import { dueAt, isAtLimit, resultsOf } from "@/lib/broadcasts/data"
import { type BroadcastStatus, nextStatus, statusesFor } from "@/lib/broadcasts/rules"
import { noCounts, reachedOf } from "@/lib/metrics/rules"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { lockProject } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedArgs, ScopedDb } from "@/lib/platform/database/scoped-types"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"

type Data = ScopedArgs<"Broadcast", "updateMany">["data"]
type Current = { status: BroadcastStatus; scheduledAt: Date | null }

/** The effect of a request on a broadcast: changed, or unchanged because its status does not allow it. */
export type Stepped = "changed" | "conflict" | "full" | "missing"

/** Sends a draft now or at its time, and a scheduled broadcast now. */
export function sendNow(scope: Scope, id: string): Promise<Stepped> {
  return step(scope, id, "send", async ({ status, scheduledAt }, tx) => {
    const isLater = status === "draft" && scheduledAt !== null && scheduledAt > (await databaseTime(tx))
    const to = isLater ? "scheduled" : "preparing"
    if (status === "draft" && (await isAtLimit(to, tx))) return "full"
    return { status: to, scheduledAt: isLater ? scheduledAt : null, dueAt: await dueAt(to, scheduledAt, tx) }
  })
}

/** A worker that is sending it stops after the group of recipients that it is processing. */
export function pause(scope: Scope, id: string): Promise<Stepped> {
  return step(scope, id, "pause", () => ({
    ...{ status: "paused", pausedReason: "requested" },
    ...{ waitingFor: null, waitingUntil: null },
  }))
}

/** In a restored installation: what was being sent, or came due meanwhile, goes on when somebody resumes it. */
export async function pauseForRestore(projectId: string): Promise<void> {
  await db({ project: { id: projectId } }).broadcast.updateMany({
    where: { OR: [{ status: { in: statusesFor("pause") } }, { status: "scheduled", dueAt: { lte: new Date() } }] },
    data: { status: "paused", pausedReason: "requested", waitingFor: null, waitingUntil: null },
  })
}

/** Goes on where it was; its rates are judged anew, by what follows. */
export async function resumeSending(scope: Scope, id: string): Promise<Stepped> {
  const counts = (await resultsOf(scope, [id])).get(id) ?? noCounts()
  const { sent, bounced, complained } = counts
  return step(scope, id, "resume", async (_, tx) => ({
    ...{ status: "preparing", pausedReason: null, dueAt: await databaseTime(tx) },
    ...{ judgedSent: sent, judgedBounced: bounced, judgedDelivered: reachedOf(counts), judgedComplained: complained },
  }))
}

/** Ends it permanently. The lease is left to expire, so that its worker can still count what it has accepted. */
export function cancel(scope: Scope, id: string): Promise<Stepped> {
  return step(scope, id, "cancel", async ({ status }, tx) => ({
    ...{ status: "cancelled", endedAt: await databaseTime(tx), pausedReason: null },
    ...{ waitingFor: null, waitingUntil: null },
    ...(status === "scheduled" && { dueAt: null }),
  }))
}

type Step = "send" | "pause" | "resume" | "cancel"

async function step(
  scope: Scope,
  id: string,
  name: Step,
  changeOf: (current: Current, tx: ScopedDb) => Promise<Data | "full"> | Data,
): Promise<Stepped> {
  return db(scope).$transaction(async (tx) => {
    if (name === "send") await lockProject(scope, tx)
    const row = await tx.broadcast.findUnique({
      where: { id },
      select: { status: true, scheduledAt: true, subject: true },
    })
    if (!row) return "missing"
    const { subject, ...state } = row
    const current = { ...state, status: row.status as BroadcastStatus }
    if (nextStatus(current.status, name) === null) return "conflict"
    const data = await changeOf(current, tx)
    if (data === "full") return "full"
    const { count } = await tx.broadcast.updateMany({ where: { id, status: current.status }, data })
    if (!count) return "conflict"
    await addAudit(scope, { action: `broadcasts.${name}`, target: encodeId("bc", id), name: subject }, tx)
    return "changed"
  })
}
