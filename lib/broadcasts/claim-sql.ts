import { pool } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"
import { claimRows, extendLeases } from "@/lib/platform/jobs/leases-sql"
import type { BroadcastStatus, WaitReason } from "@/lib/broadcasts/rules"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  ...{ id: true, projectId: true, status: true, attempt: true, contentId: true, position: true, cursor: true },
  ...{ startedAt: true, recipients: true, keyId: true, userId: true, requestId: true },
} as const

/** A broadcast that this worker holds until its lease ends; `attempt` is the fencing token. */
export type HeldBroadcast = Omit<Prisma.BroadcastGetPayload<{ select: typeof shape }>, "status"> & {
  status: BroadcastStatus
}

/**
 * Takes broadcasts that are due, scheduled ones because their time has come; they come back after the lease if their worker
 * dies. On `pg` like all of this file: leases need SKIP LOCKED and the database's time.
 */
export function claimBroadcasts(limit: number, leaseMs: number): Promise<HeldBroadcast[]> {
  return claimRows<HeldBroadcast>("broadcasts", {
    ...{ limit, leaseMs },
    // A deleted project may be restored.
    where: "EXISTS (SELECT 1 FROM projects p WHERE p.id = broadcasts.project_id AND p.deleted_at IS NULL)",
    set: `attempt = attempt + 1, waiting_for = NULL, waiting_until = NULL,
      status = CASE status WHEN 'scheduled' THEN 'preparing' ELSE status END`,
    returning: columnsOf(shape, "broadcasts"),
  })
}

/** Extends the leases; answers the broadcasts that are still held and are to be sent. */
export function holdBroadcasts(held: readonly HeldBroadcast[], leaseMs: number): Promise<HeldBroadcast[]> {
  return extendLeases("broadcasts", held, { leaseMs, held: "t.status IN ('preparing', 'sending')" })
}

/** Ends the lease: nothing is due. */
export async function restBroadcast({ projectId, id, attempt }: HeldBroadcast): Promise<void> {
  await pool().query("UPDATE broadcasts SET due_at = NULL WHERE project_id = $1 AND id = $2 AND attempt = $3", [
    projectId,
    id,
    attempt,
  ])
}

/** Due again after so many seconds; with a reason where people should see that it waits. */
export async function postponeBroadcast(
  { projectId, id, attempt }: HeldBroadcast,
  { seconds, wait }: { seconds: number; wait?: { reason: WaitReason; seconds?: number } },
): Promise<void> {
  await pool().query(
    `UPDATE broadcasts SET due_at = now() + make_interval(secs => $4), waiting_for = $5,
        waiting_until = now() + make_interval(secs => $6)
      WHERE project_id = $1 AND id = $2 AND attempt = $3 AND status IN ('preparing', 'sending')`,
    [projectId, id, attempt, seconds, wait?.reason ?? null, wait?.seconds ?? null],
  )
}

/** Begins the walk, once; answers false if it is no longer ours to send. */
export async function beginBroadcast(
  { projectId, id, attempt }: HeldBroadcast,
  recipients: number,
): Promise<{ startedAt: Date; recipients: number } | null> {
  const { rows } = await pool().query<{ startedAt: Date; recipients: number }>(
    `UPDATE broadcasts SET status = 'sending', recipients = coalesce(recipients, $4), started_at = coalesce(started_at, now())
      WHERE project_id = $1 AND id = $2 AND attempt = $3 AND status IN ('preparing', 'sending')
      RETURNING started_at AS "startedAt", recipients`,
    [projectId, id, attempt, recipients],
  )
  return rows[0] ?? null
}

/** Under which id the content of its emails is stored. */
export async function keepContentId({ projectId, id, attempt }: HeldBroadcast, contentId: string): Promise<void> {
  await pool().query("UPDATE broadcasts SET content_id = $4 WHERE project_id = $1 AND id = $2 AND attempt = $3", [
    projectId,
    id,
    attempt,
    contentId,
  ])
}

export type Progress = {
  position: number
  cursor: string | null
  accepted: number
  unsubscribed: number
  suppressed: number
  topicOptOut: number
  joined: number
}

/**
 * Notes how far the walk is, with what was counted on the way: both or neither. Answers the status, in which somebody may have
 * paused it; null if another worker has taken it over.
 */
export async function advanceBroadcast(
  { projectId, id, attempt }: HeldBroadcast,
  done: Progress,
): Promise<BroadcastStatus | null> {
  const { rows } = await pool().query<{ status: BroadcastStatus }>({
    name: "broadcasts.advance",
    text: `UPDATE broadcasts SET position = $4, cursor = $5, accepted = accepted + $6, unsubscribed = unsubscribed + $7,
        suppressed = suppressed + $8, topic_opt_out = topic_opt_out + $9, joined = joined + $10
      WHERE project_id = $1 AND id = $2 AND attempt = $3 RETURNING status`,
    values: [
      ...[projectId, id, attempt, done.position, done.cursor, done.accepted],
      ...[done.unsubscribed, done.suppressed, done.topicOptOut, done.joined],
    ],
  })
  return rows[0]?.status ?? null
}

/**
 * Ends the walk, or clears away after a cancellation. The emails are counted once more: a member who left in the moment between
 * a crash and its repetition was not met again. Who left before their turn is known now.
 */
export async function endBroadcast({ projectId, id, attempt }: HeldBroadcast): Promise<void> {
  await pool().query(
    `WITH counted AS (
        SELECT count(*)::int AS accepted FROM emails
          WHERE project_id = $1 AND broadcast_id = $2 AND admitted_status <> 'suppressed'
      )
      UPDATE broadcasts SET due_at = NULL, ended_at = coalesce(ended_at, now()), accepted = counted.accepted,
        left_before = CASE WHEN status = 'cancelled' THEN 0 ELSE greatest(0,
          coalesce(recipients, 0) + joined - counted.accepted - unsubscribed - suppressed - topic_opt_out) END,
        status = CASE WHEN status = 'sending' THEN 'sent' ELSE status END
      FROM counted WHERE project_id = $1 AND id = $2 AND attempt = $3 AND status IN ('sending', 'cancelled')`,
    [projectId, id, attempt],
  )
}
