import type { Cut } from "@/lib/emails/cuts"
import { pool } from "@/lib/platform/database/db"

// On `pg`, because the delivery loop runs these for every message or group of all projects (lib/README.md, "Data access").

/** Marks emails as being sent; one that another transaction has locked gets its status from that one. */
export async function markSending(emailIds: readonly string[]): Promise<void> {
  await pool().query({
    name: "delivery.mark_sending",
    text: `UPDATE emails SET status = 'sending', updated_at = now() WHERE id IN (
        SELECT id FROM emails WHERE id = ANY ($1) AND status = 'queued' FOR UPDATE SKIP LOCKED)`,
    values: [emailIds],
  })
}

/** A composed message, without the attachments that are stored once for its send. */
export type ComposedBody = {
  projectId: string
  id: string
  rest: Buffer
  cuts: Cut[] | null
  /** Null if nothing in it is tracked. */
  tracked: { host: string | null; urls: string[]; short: boolean } | null
}

/**
 * Stores composed messages, with the targets of their links, and drops the attachments that they contain. Returns the ids of
 * those that were not stored before.
 */
export async function storeComposed(composed: readonly ComposedBody[]): Promise<Set<string>> {
  const ends = endsOf(composed)
  const tracked = composed.flatMap(({ id, tracked }) => (tracked ? [{ email_id: id, ...tracked }] : []))
  const { rows } = await pool().query<{ email_id: string }>({
    name: tracked.length ? "delivery.store_tracked" : "delivery.store_raw",
    text: storeStatement(tracked.length > 0),
    values: [
      composed.map(({ projectId }) => projectId),
      composed.map(({ id }) => id),
      composed.map(({ rest }, at) => (ends[at] ?? 0) - rest.length),
      Buffer.concat(composed.map(({ rest }) => rest)),
      composed.map(({ rest }) => rest.length),
      composed.map(({ cuts }) => cuts && JSON.stringify(cuts)),
      ...(tracked.length ? [JSON.stringify(tracked)] : []),
    ],
  })
  return new Set(rows.map(({ email_id }) => email_id))
}

/** The bytes are one value for all: in an array each would be sent and parsed as hexadecimal text. */
const storeStatement = (tracked: boolean) => `WITH stored AS (
    UPDATE email_bodies b SET raw = substr($4::bytea, given.start + 1, given.length), cuts = given.cuts,
        attachments = NULL, composed_at = now()
      FROM unnest($1::uuid[], $2::uuid[], $3::int[], $5::int[], $6::jsonb[]) AS given(project_id, email_id, start, length, cuts)
      WHERE b.project_id = given.project_id AND b.email_id = given.email_id AND b.raw IS NULL
      RETURNING b.project_id, b.email_id
  ) ${tracked ? storeLinks : ""}
  SELECT email_id FROM stored`

const storeLinks = `, tracked AS (
    INSERT INTO tracked_emails (project_id, email_id, host, urls, short)
      SELECT s.project_id, s.email_id, t.host, t.urls, t.short
        FROM json_to_recordset($7) AS t(email_id uuid, host text, urls text[], short boolean) JOIN stored s USING (email_id)
      ON CONFLICT DO NOTHING
  )`

function endsOf(composed: readonly ComposedBody[]): number[] {
  let end = 0
  return composed.map(({ rest }) => (end += rest.length))
}
