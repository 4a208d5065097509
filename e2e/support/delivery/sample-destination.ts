type Database = { query(sql: string, values: unknown[]): Promise<{ rows: { id: number }[] }> }

/** Adds a mailbox provider of this name that has asked us to slow down; the number of its queue. */
export async function addDestination(database: Database, name = "Example Mail"): Promise<string> {
  const { rows } = await database.query(
    `WITH made AS (
        INSERT INTO destinations (key, provider, hosts) VALUES ($1, $1, '{mx.mail.example}')
          ON CONFLICT (key) DO UPDATE SET provider = excluded.provider RETURNING id
      )
      INSERT INTO delivery_queues (region, kind, destination_id, pause, paused_until, limited_since, reply)
        SELECT 'eu-west-1', 'destination', id, 'slow', now() + interval '1 hour', now(), '421 4.7.0 Slow down' FROM made
        ON CONFLICT (region, kind, destination_id) DO UPDATE SET pause = excluded.pause RETURNING id`,
    [name],
  )
  await database.query(
    `INSERT INTO destination_hours (queue_id, hour, delivered, deferred, signals)
      SELECT $1::int, date_trunc('hour', now()) - n * interval '1 hour', 40 * n, 6 / (n + 1), CASE WHEN n < 2 THEN '{slow}'::text[] ELSE '{}' END
        FROM generate_series(0, 6) n ON CONFLICT DO NOTHING`,
    [rows[0]?.id],
  )
  return String(rows[0]?.id)
}
