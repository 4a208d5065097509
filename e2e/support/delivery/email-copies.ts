import { newClient } from "@/lib/platform/database/client"

type Copies = {
  /** Of the database. */
  url: string
  copies: number
  /** The copies of events are still to be numbered, and attempts are copied too. */
  undispatched?: true
}

/** Copies an email with its content, deliveries and events, whatever columns these have. */
export async function copyEmail(email: string, { url, copies, undispatched }: Copies): Promise<void> {
  const client = newClient(url, "test", {})
  await client.connect()
  const clone = async (table: string, replaced: Record<string, string>) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
      [table],
    )
    const names = rows.map(({ name }) => name)
    const key = table === "emails" ? "id" : "email_id"
    await client.query(
      `INSERT INTO ${table} (${names.join(", ")}) SELECT ${names.map((name) => replaced[name] ?? `t.${name}`).join(", ")}
        FROM ${table} t, copies c WHERE t.${key} = $1`,
      [email],
    )
  }
  const ofDelivery = { id: "uuidv7()", email_id: "c.email", delivery_id: "c.delivery" }
  try {
    // Counters and queues of the copies are not what is tried here.
    await client.query("SET session_replication_role = replica")
    await client.query(
      "CREATE TEMP TABLE copies AS SELECT n, uuidv7() AS email, uuidv7() AS delivery FROM generate_series(1, $1::int) n",
      [copies],
    )
    await clone("emails", { id: "c.email", group_id: "c.email", message_id: "'<' || c.email || '@copies.example>'" })
    await clone("email_bodies", { email_id: "c.email" })
    await clone("deliveries", { id: "c.delivery", email_id: "c.email" })
    await clone("events", { ...ofDelivery, ...(undispatched && { seq: "NULL" }) })
    if (undispatched) await clone("delivery_attempts", ofDelivery)
    await client.query("ANALYZE")
  } finally {
    await client.end()
  }
}
