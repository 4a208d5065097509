import type pg from "pg"
import type { Sides } from "@/lib/platform/postgres/move/copy"
import type { Moving } from "@/lib/platform/postgres/move/tables"

/**
 * Events keep their numbers: the shards of the other side go on behind them. Where all events are in one order, the state does.
 * The lock is the one that dispatchers share.
 */
export const advanceNumbers = `WITH state AS MATERIALIZED (
    SELECT last_seq, reserved_seq FROM dispatch_state WHERE id = 1 FOR UPDATE
  ), moved AS (
    SELECT dispatch_shard(p.id) AS shard, max((SELECT e.seq FROM events e WHERE e.project_id = p.id AND e.seq IS NOT NULL ORDER BY e.seq DESC LIMIT 1)) AS seq
      FROM unnest($1::uuid[]) AS p(id) GROUP BY 1
  ), shards AS (
    UPDATE dispatch_shards s SET last_seq = greatest(s.last_seq, moved.seq) FROM moved, state
      WHERE s.shard = moved.shard AND state.last_seq = state.reserved_seq AND moved.seq IS NOT NULL
  )
  UPDATE dispatch_state d SET
      last_seq = CASE WHEN state.last_seq <> state.reserved_seq THEN greatest(state.last_seq, top.seq)
        WHEN top.seq > state.reserved_seq THEN top.seq + 100000000000 ELSE state.last_seq END,
      reserved_seq = CASE WHEN state.last_seq = state.reserved_seq AND top.seq > state.reserved_seq THEN top.seq + 100000000000 ELSE state.reserved_seq END
    FROM state, (SELECT max(seq) AS seq FROM moved) top WHERE d.id = 1 AND top.seq IS NOT NULL`

type Person = { id: string; email: string; member: string; user: string; belongings: Record<string, string> }

const belongings = ["identities", "passkeys", "totp_factors", "recovery_codes"] as const

export async function peopleOf(from: pg.Client, organizationId: string): Promise<Person[]> {
  const { rows } = await from.query<Person>(
    `SELECT u.id, u.email, row_to_json(m)::text AS member, row_to_json(u)::text AS user, json_build_object(${belongings
      .map((table) => `'${table}', (SELECT coalesce(json_agg(b), '[]')::text FROM ${table} b WHERE b.user_id = u.id)`)
      .join(", ")}) AS belongings FROM members m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1`,
    [organizationId],
  )
  return rows
}

/** Whoever is known by their address stays who they are; others come with how they sign in. Nobody becomes an operator. */
export async function addPeople(to: pg.Client, organizationId: string, people: readonly Person[]) {
  for (const { id, email, member, user, belongings: owned } of people) {
    const { rows } = await to.query<{ id: string }>("SELECT id FROM users WHERE email = $1 OR id = $2", [email, id])
    const known = rows[0]?.id
    if (!known) {
      await to.query(
        "INSERT INTO users SELECT (json_populate_record(null::users, ($1::jsonb || '{\"operator_since\": null}')::json)).*",
        [user],
      )
      for (const table of belongings)
        await to.query(
          `INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, $1::json) ON CONFLICT DO NOTHING`,
          [owned[table] ?? "[]"],
        )
    }
    await to.query(
      `INSERT INTO members SELECT (json_populate_record(null::members, ($1::jsonb || jsonb_build_object('user_id', $2::uuid))::json)).*
        ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role`,
      [member, known ?? id],
    )
  }
  await to.query(
    "DELETE FROM members WHERE organization_id = $1 AND user_id <> ALL ($2::uuid[]) AND user_id NOT IN (SELECT id FROM users WHERE email = ANY ($3))",
    [organizationId, people.map(({ id }) => id), people.map(({ email }) => email)],
  )
}

/** Mail that has come back to the old side since: the new one reads it as if it had come there. @returns how many */
export async function carryReturned({ from, to }: Sides, { organizationId, projectIds }: Moving): Promise<number> {
  const { rows } = await from.query<{ row: string }>(
    `SELECT row_to_json(t)::text AS row FROM inbound_messages t WHERE t.project_id = ANY ($2)
      AND t.received_at >= (SELECT m.moved_at FROM cell_moves m WHERE m.organization_id = $1)`,
    [organizationId, projectIds],
  )
  let carried = 0
  const unread = { outcome: null, matched_by: null, operator_reason: null, reading: null, attempt: 0 }
  for (const { row } of rows) {
    const { rowCount } = await to.query(
      `INSERT INTO inbound_messages
        SELECT (json_populate_record(null::inbound_messages, ($1::jsonb || $2::jsonb || jsonb_build_object('due_at', now()))::json)).*
        ON CONFLICT DO NOTHING`,
      [row, JSON.stringify(unread)],
    )
    carried += rowCount ?? 0
  }
  return carried
}
