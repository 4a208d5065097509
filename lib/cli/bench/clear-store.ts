import { pool } from "@/lib/platform/db"

/** Each section begins with empty tables, so that none pays for the rows of another. */
export async function clearMail() {
  await pool().query("TRUNCATE emails, email_bodies, deliveries, delivery_attempts, events, api_key_requests")
  await pool().query("CHECKPOINT")
}
