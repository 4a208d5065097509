import { expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"

const one = "DELETE /v1/projects/{projectId}/sandbox/messages/{messageId}"
const all = "DELETE /v1/projects/{projectId}/sandbox/messages"

test("a message and then the whole mailbox are deleted, of one project alone, and the audit log says how many", async () => {
  const world = await newWorld()
  const other = await newWorld()
  const ids = [await arrived(world), await arrived(world), await arrived(world)]
  const theirs = await arrived(other)
  const params = { projectId: world.project }
  const remove = (messageId: string) => api(one, { key: world.apiKey, params: { ...params, messageId } })

  expect((await remove(theirs)).status).toBe(404)
  expect((await remove(ids[0] ?? "")).status).toBe(204)
  expect((await remove(ids[0] ?? "")).json.code).toBe("sandbox_message.not_found")
  expect(await left(world)).toBe(2)

  expect((await api(all, { key: world.apiKey, params })).status).toBe(204)
  expect(await left(world)).toBe(0)
  expect(await left(other)).toBe(1)

  // Of an empty mailbox nothing is deleted, and nothing is said.
  expect((await api(all, { key: world.apiKey, params })).status).toBe(204)
  const { rows } = await pool().query(
    "SELECT changes FROM audit_entries WHERE project_id = $1 AND action = 'sandbox.messages_deleted' ORDER BY id",
    [world.projectId],
  )
  expect(rows.map(({ changes }) => changes.messages)).toEqual([1, 2])
})

async function arrived({ projectId }: World): Promise<string> {
  const id = newId()
  const raw = Buffer.from("From: a@acme.test\r\nSubject: Hello\r\n\r\nHi\r\n")
  await pool().query(
    `INSERT INTO sandbox_messages (id, project_id, email_id, delivery_id, mail_from, rcpt_to, subject, from_header, dkim, spf,
        dmarc, verdicts, size, raw)
      VALUES ($1, $2, $3, $3, 'x@send.acme.test', 'ada@lovelace.example', 'Hello', 'a@acme.test', 'pass', 'pass', 'pass', '{}', $4, $5)`,
    [id, projectId, newId(), raw.length, raw],
  )
  return encodeId("msg", id)
}

async function left({ projectId }: World): Promise<number> {
  const { rows } = await pool().query("SELECT count(*)::int AS n FROM sandbox_messages WHERE project_id = $1", [
    projectId,
  ])
  return rows[0]?.n
}
