import { numberEvents } from "@/lib/emails/events/data"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { lockRows } from "@/lib/platform/database/locks-sql"
import { Prisma } from "@/prisma/generated/client"
import { eventsChannel } from "@/lib/stream/subscriber"

export type DispatchedEvent = {
  id: string
  projectId: string
  emailId: string | null
  deliveryId: string | null
  contactId: string | null
  type: string
  data: Record<string, string>
  occurredAt: Date
  /** Its number in the public order: from 1, without gaps. */
  seq: bigint
}

/** Takes no lock and writes nothing, so that an idle installation does not touch the disk. On `pg`, as dispatching is. */
export async function hasUndispatched(): Promise<boolean> {
  const { rows } = await pool().query<{ waiting: boolean }>({
    name: "dispatcher.waiting",
    text: "SELECT EXISTS (SELECT 1 FROM events WHERE seq IS NULL) AS waiting",
  })
  return rows[0]?.waiting ?? false
}

/**
 * Gives the oldest events without a number the next ones, in one transaction with what `consume` does with them, and
 * wakes the readers. Events that commit late come later in the order; nobody who reads up to `last_seq` misses them.
 * @returns how many; 0 too while another dispatcher holds the lock
 */
export async function dispatchBatch(
  limit: number,
  consume: (client: Queryable, events: readonly DispatchedEvent[]) => Promise<void>,
): Promise<number> {
  return transaction(async (client) => {
    // A table that has grown since it was last analysed would be scanned; row by row the index is always right here.
    const [state] = await lockRows<{ last_seq: string }>(
      {
        columns: `last_seq, set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
          set_config('enable_mergejoin', 'off', true)`,
        ...{ table: "dispatch_state", where: Prisma.sql`id = 1`, skipLocked: true },
      },
      client,
    )
    if (!state) return 0
    const { rows } = await client.query<Omit<DispatchedEvent, "seq">>({
      name: "dispatcher.next",
      text: `SELECT id, project_id AS "projectId", email_id AS "emailId", delivery_id AS "deliveryId",
          contact_id AS "contactId", type, data, occurred_at AS "occurredAt"
        FROM events WHERE seq IS NULL ORDER BY id LIMIT $1`,
      values: [limit],
    })
    if (!rows.length) return 0
    const lastSeq = BigInt(state.last_seq)
    const events = rows.map((row, index) => ({ ...row, seq: lastSeq + BigInt(index + 1) }))
    await numberEvents(
      client,
      events.map(({ id }) => id),
      state.last_seq,
    )
    await consume(client, events)
    const end = String(lastSeq + BigInt(events.length))
    // NOTIFY takes a global lock at commit: no matter here, where a single writer commits some twenty times a second.
    await client.query({
      name: "dispatcher.advance",
      text: "UPDATE dispatch_state SET last_seq = $1::bigint WHERE id = 1 RETURNING pg_notify($2, $1::text)",
      values: [end, eventsChannel],
    })
    return events.length
  })
}
