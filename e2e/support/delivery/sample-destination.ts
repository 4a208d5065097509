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
  return String(rows[0]?.id)
}
