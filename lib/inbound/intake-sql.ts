import type { ArrivalVerdicts } from "@/lib/inbound/arrival"
import { byteaArray, textArray, uuidArray } from "@/lib/platform/database/binary-arrays"
import { pool } from "@/lib/platform/database/db"
import { lockNotAvailable, sqlState, withOneRetry } from "@/lib/platform/database/sql-errors"
import { newId } from "@/lib/platform/ids"
import type { Door } from "@/lib/returns/returned-mail"

/** A mail for one of its recipients. */
export type InboundMail = {
  door: Door
  deliveryId?: string
  routeId?: string
  /** Of mail for a route. */
  verdicts?: ArrivalVerdicts
  mailFrom: string
  rcptTo: string
  client: string
  helo: string
  /** TLS protocol; absent on a plain connection. */
  tls?: string
  digest: Buffer
  raw: Buffer
}

/**
 * `stored`: it is, now or since an earlier attempt of its sender. `unknown`: there is no such delivery or route. `full`: the delivery
 * has as many as are kept. `late`: another process stored a mail for the delivery at the same time, or held what it needs for too
 * long.
 */
export type Intake = "stored" | "unknown" | "full" | "late"

/** Mails stored for one delivery: some servers send a delay a day, and whoever knows a return path may send any number. */
export const perDeliveryMax = 20

/**
 * Stores mails of all projects in one commit; the answers are in their order. A mail that its sender repeats, because the
 * answer was lost, is stored once. On `pg`, because the senders wait for it, and only the delivery names the project.
 */
export async function storeMails(mails: readonly InboundMail[]): Promise<Intake[]> {
  const values = [
    uuidArray(mails.map(newId)),
    textArray(mails.map(({ door }) => door)),
    uuidArray(mails.map(({ deliveryId }) => deliveryId)),
    textArray(mails.map(({ mailFrom }) => mailFrom)),
    textArray(mails.map(({ rcptTo }) => rcptTo)),
    textArray(mails.map(({ client }) => client)),
    textArray(mails.map(({ helo }) => helo)),
    textArray(mails.map(({ tls }) => tls)),
    byteaArray(mails.map(({ digest }) => digest)),
    byteaArray(mails.map(({ raw }) => raw)),
    perDeliveryMax,
    uuidArray(mails.map(({ routeId }) => routeId)),
    textArray(mails.map(({ verdicts }) => verdicts && JSON.stringify(verdicts))),
  ]
  const store = () => pool().query<{ intake: Intake }>({ name: "inbound.store", text: statement, values })
  try {
    return (await withOneRetry(store)).rows.map(({ intake }) => intake)
  } catch (error) {
    if (sqlState(error) !== lockNotAvailable) throw error
    return mails.map(() => "late")
  }
}

const statement = `WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
        $9::bytea[], $10::bytea[], $12::uuid[], $13::text[]) WITH ORDINALITY
      AS g(id, door, delivery_id, mail_from, rcpt_to, client, helo, tls, digest, raw, route_id, verdicts, number)
  ), known AS MATERIALIZED (
    SELECT g.id, g.number, g.delivery_id, coalesce(d.project_id, r.project_id) AS project_id, d.email_id, r.keep_days,
        (g.delivery_id IS NULL OR d.id IS NOT NULL) AND (g.route_id IS NULL OR r.id IS NOT NULL) AS is_live,
        (SELECT m.id FROM inbound_messages m WHERE m.rcpt_to = g.rcpt_to AND m.digest = g.digest) IS NOT NULL AS is_stored
      -- Row by row, each by its index: before the first ANALYZE a join would read both tables whole.
      FROM given g LEFT JOIN LATERAL (SELECT * FROM deliveries WHERE id = g.delivery_id LIMIT 1) d ON true
        LEFT JOIN LATERAL (SELECT * FROM inbound_routes WHERE id = g.route_id LIMIT 1) r ON true
  ), placed AS MATERIALIZED (
    -- The place is unique, so that no two processes exceed what is kept of a delivery.
    SELECT k.*, CASE WHEN k.delivery_id IS NOT NULL THEN row_number() OVER (PARTITION BY k.delivery_id ORDER BY k.number)
        + coalesce((SELECT max(m.place) FROM inbound_messages m WHERE m.delivery_id = k.delivery_id), 0) END AS place
      FROM known k WHERE k.is_live AND NOT k.is_stored
  ), stored AS (
    INSERT INTO inbound_messages (id, door, project_id, email_id, delivery_id, place, mail_from, rcpt_to, client, helo, tls,
        size, digest, raw, due_at, operator_reason, route_id, verdicts, keep_until)
      SELECT g.id, g.door, p.project_id, p.email_id, g.delivery_id, p.place, g.mail_from, g.rcpt_to, g.client, g.helo, g.tls,
        length(g.raw), g.digest, g.raw, now(), CASE WHEN g.door IN ('mailbox', 'feedback') THEN 'written' END,
        g.route_id, g.verdicts::jsonb, now() + make_interval(days => p.keep_days)
        FROM placed p JOIN given g ON g.id = p.id WHERE coalesce(p.place, 0) <= $11
        -- Everybody takes the places of a delivery in their order: two who each hold what the other waits for would end in a deadlock.
        ORDER BY g.delivery_id, p.place, g.rcpt_to, g.digest
      ON CONFLICT DO NOTHING RETURNING id
  )
  SELECT CASE WHEN NOT k.is_live THEN 'unknown' WHEN k.is_stored OR s.id IS NOT NULL THEN 'stored'
      WHEN p.place > $11 THEN 'full' ELSE 'late' END AS intake
    FROM known k LEFT JOIN stored s ON s.id = k.id LEFT JOIN placed p ON p.id = k.id ORDER BY k.number`
