import { columnsOf } from "@/lib/platform/database/shape"
import { claimRows, extendLeases } from "@/lib/platform/jobs/leases-sql"
import type { BroadcastStatus } from "@/lib/broadcasts/rules"
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
 * dies. On `pg`, as all leases.
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
