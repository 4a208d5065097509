/** Adds a mailbox provider that has asked us to slow down, unless it is there; the number of its queue. */
export async function addDestination(database: {
  query(sql: string): Promise<{ rows: { id: number }[] }>
}): Promise<string> {
  const { rows } = await database.query(
    `WITH made AS (
        INSERT INTO destinations (key, provider, hosts) VALUES ('Example Mail', 'Example Mail', '{mx.mail.example}')
          ON CONFLICT (key) DO UPDATE SET provider = excluded.provider RETURNING id
      )
      INSERT INTO delivery_queues (region, kind, destination_id, pause, paused_until, limited_since, reply)
        SELECT 'eu-west-1', 'destination', id, 'slow', now() + interval '1 hour', now(), '421 4.7.0 Slow down' FROM made
        ON CONFLICT (region, kind, destination_id) DO UPDATE SET pause = excluded.pause RETURNING id`,
  )
  return String(rows[0]?.id)
}
