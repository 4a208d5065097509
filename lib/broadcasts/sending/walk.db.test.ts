import { expect, test } from "vitest"
import { addMembers, create, newBroadcaster, runDue } from "@/e2e/support/broadcasting"
import { addContacts, newSegment } from "@/e2e/support/segments/audience"
import { admitted } from "@/lib/broadcasts/sending/walk-sql"
import { pool } from "@/lib/platform/database/db"
import { decodeId } from "@/lib/platform/ids"

test("the email that a member has got from a broadcast is found by its id, whatever statistics know of the broadcast", async () => {
  const sender = await newBroadcaster()
  const segmentId = await newSegment(sender)
  const contacts = Array.from({ length: 300 }, (_, at) => ({ email: `reader-${at}@walk.example` }))
  await addMembers(sender, segmentId, await addContacts(sender, contacts))
  await runOne()
  await pool().query("ANALYZE contacts, emails, deliveries")
  const id = await runOne()

  const client = await pool().connect()
  await client.query("SET plan_cache_mode = force_custom_plan")
  const { rows } = await client.query<{ "QUERY PLAN": string }>(
    `EXPLAIN SELECT c.email, ${admitted("c.email")}, $2::uuid, $3::uuid FROM contacts c WHERE c.project_id = $1`,
    [sender.projectId, null, null, decodeId("bc", id), "00000000-0000-0000-0000-000000000000"],
  )
  client.release(true)
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
  expect(plan).toContain("emails_project_id_id_key")
  expect(plan).not.toContain("emails_broadcast")

  async function runOne(): Promise<string> {
    const made = await create(sender, [segmentId], { testMode: true })
    await runDue()
    return made
  }
})
