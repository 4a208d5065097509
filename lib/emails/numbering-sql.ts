import { uuidArray } from "@/lib/platform/database/binary-arrays"
import type { Queryable } from "@/lib/platform/database/db"

/**
 * Gives events, in this order, the numbers after `lastSeq`: their places in the public order. On `pg`, because the dispatcher
 * does it for all projects, in its transaction.
 */
export async function numberEvents(client: Queryable, ids: readonly string[], lastSeq: string): Promise<void> {
  await client.query({
    name: "dispatcher.number",
    text: `UPDATE events e SET seq = $2::bigint + given.position
        FROM unnest($1::uuid[]) WITH ORDINALITY AS given(id, position) WHERE e.id = given.id`,
    values: [uuidArray(ids), lastSeq],
  })
}
