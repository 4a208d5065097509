import { beforeAll, expect, test } from "vitest"
import { newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { firstIdAt, newId } from "@/lib/platform/ids"
import { sweep } from "@/lib/worker/housekeeping"

let sender: Sending

beforeAll(async () => {
  sender = await newSending()
})

test("content that no send came to use goes after an hour; what was accepted, or may still be, stays", async () => {
  const [refused, fresh] = [idHoursAgo(2), idHoursAgo(0.5)]
  const accepted = await sentDaysAgo(1, 100_000)
  for (const id of [refused, fresh]) {
    await pool().query("INSERT INTO email_contents (id, project_id, attachments, files) VALUES ($1, $2, '[]', '')", [
      id,
      sender.projectId,
    ])
  }
  while (await sweep());
  const { rows } = await pool().query("SELECT id, in_use FROM email_contents WHERE project_id = $1 ORDER BY id", [
    sender.projectId,
  ])
  expect(rows).toEqual([
    { id: accepted, in_use: true },
    { id: fresh, in_use: false },
  ])
})

test.each([
  ["large", 100_000],
  ["small", 100],
])("a %s content older than 90 days stays until the last message of its send has ended", async (_, length) => {
  const first = await sentDaysAgo(100, length)
  const there = async () => {
    const { rows } = await pool().query(
      `SELECT count(*)::int AS n FROM (SELECT id FROM email_contents WHERE id = $1
        UNION ALL SELECT email_id FROM email_bodies WHERE email_id = $1 AND text IS NOT NULL) kept`,
      [first],
    )
    return rows[0].n
  }
  await pool().query("UPDATE deliveries SET due_at = NULL WHERE email_id = $1", [first])
  while (await sweep());
  expect(await there()).toBe(1)
  await pool().query(
    "UPDATE deliveries SET due_at = NULL, status = 'delivered' WHERE email_id IN (SELECT id FROM emails WHERE group_id = $1)",
    [first],
  )
  while (await sweep());
  expect(await there()).toBe(0)
})

function idHoursAgo(hours: number): string {
  return firstIdAt(new Date(Date.now() - hours * 3_600_000)).slice(0, 24) + newId().slice(24)
}

/** A send to two whose first message, and all that goes by its id, says that it came so many days ago. */
async function sentDaysAgo(days: number, length: number): Promise<string> {
  const [first = ""] = await sendMail(sender, { to: ["a@x.example", "b@x.example"], text: "x".repeat(length) })
  const old = idHoursAgo(24 * days)
  await pool().query(
    "INSERT INTO emails SELECT (jsonb_populate_record(e, jsonb_build_object('id', $2::text))).* FROM emails e WHERE id = $1",
    [first, old],
  )
  await pool().query("UPDATE email_bodies SET email_id = $2 WHERE email_id = $1", [first, old])
  await pool().query("UPDATE deliveries SET email_id = $2 WHERE email_id = $1", [first, old])
  await pool().query("UPDATE email_contents SET id = $2 WHERE id = $1", [first, old])
  await pool().query("UPDATE emails SET group_id = $2 WHERE group_id = $1", [first, old])
  return old
}
