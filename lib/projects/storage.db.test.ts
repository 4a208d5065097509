import { expectProblem } from "@/e2e/support/expect-problem"
import { beforeAll, describe, expect, test } from "vitest"
import { api } from "@/e2e/support/world"
import { storeComposed } from "@/lib/emails/content/data"
import { newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { foldStoredBytes } from "@/lib/projects/quota/data"
import { sweep } from "@/lib/worker/housekeeping"

const mib = 2 ** 20
let sender: Sending
let key: string

beforeAll(async () => {
  sender = await newSending()
  key = sender.apiKey
})

/** What is counted, and what is there. */
async function stored(): Promise<{ counted: number; there: number }> {
  while (await foldStoredBytes(1_000));
  const { rows } = await pool().query(
    `SELECT (SELECT stored_bytes FROM send_allowances WHERE project_id = $1)::int AS counted, (
        SELECT coalesce(sum(n), 0)::int FROM (
          SELECT bytes_of_body(text, html, attachments, raw) AS n FROM email_bodies WHERE project_id = $1
          UNION ALL SELECT bytes_of_body(text, html, NULL, files) FROM email_contents WHERE project_id = $1
          UNION ALL SELECT octet_length(raw) FROM sandbox_messages WHERE project_id = $1
          UNION ALL SELECT octet_length(body) FROM webhook_deliveries WHERE project_id = $1
          UNION ALL SELECT bytes FROM imports WHERE project_id = $1 AND object_key IS NOT NULL) s) AS there`,
    [sender.projectId],
  )
  return rows[0]
}

const limit = (bytes: number) =>
  pool().query("UPDATE projects SET max_stored_bytes = $2 WHERE id = $1", [sender.projectId, bytes])

const attachment = (bytes: number) => ({
  filename: "a.txt",
  contentType: "text/plain",
  content: Buffer.alloc(bytes, "a").toString("base64"),
})

describe("what a project stores", () => {
  test("is counted as it is written, changed and removed", async () => {
    expect(await stored()).toEqual({ counted: 0, there: 0 })
    const [small = ""] = await sendMail(sender, { text: "é".repeat(1_000), html: `<p>${"b".repeat(500)}</p>` })
    await sendMail(sender, {
      to: ["a@example.com", "b@example.com"],
      text: "x".repeat(100_000),
      attachments: [attachment(mib)],
    })
    await sendMail(sender, { text: "z", attachments: [attachment(1_000)] })
    const accepted = await stored()
    expect(accepted.counted).toBeGreaterThan(mib + 103_000)
    expect(accepted.counted).toBe(accepted.there)

    await storeComposed([
      { projectId: sender.projectId, id: small, rest: Buffer.alloc(5_000), cuts: null, tracked: null },
    ])
    await pool().query(
      `INSERT INTO sandbox_messages (id, project_id, email_id, delivery_id, mail_from, rcpt_to, dkim, spf, dmarc, verdicts, size, raw)
        VALUES (gen_random_uuid(), $1, gen_random_uuid(), gen_random_uuid(), '', '', '', '', '', '{}', 7000, decode(repeat('61', 7000), 'hex'))`,
      [sender.projectId],
    )
    const later = await stored()
    expect(later.counted).toBe(accepted.counted + 5_000 + 7_000)
    expect(later.counted).toBe(later.there)

    await pool().query("UPDATE deliveries SET due_at = NULL, status = 'delivered' WHERE project_id = $1", [
      sender.projectId,
    ])
    await pool().query(
      "UPDATE email_bodies SET text = NULL, html = NULL, attachments = NULL, raw = NULL WHERE project_id = $1",
      [sender.projectId],
    )
    await pool().query("DELETE FROM email_contents WHERE project_id = $1", [sender.projectId])
    await pool().query("DELETE FROM sandbox_messages WHERE project_id = $1", [sender.projectId])
    expect(await stored()).toEqual({ counted: 0, there: 0 })
    await sweep()
  })

  test("is refused beyond the limit with a sentence, while a replay is answered as before", async () => {
    const send = (body: object) =>
      api("POST /v1/emails", {
        key,
        body: { from: `hello@${sender.domain}`, to: ["a@example.com"], subject: "s", ...body },
      })
    const large = { text: "x", attachments: [attachment(mib)], idempotencyKey: "large" }
    const first = await send(large)
    expect(first.status).toBe(201)
    await limit((await stored()).counted + 1_000)
    for (const body of [{ text: "x".repeat(2_000) }, { text: "x", attachments: [attachment(mib)] }]) {
      const refused = await send(body)
      expectProblem(refused, 413, "project.storage_full")
      expect(refused.json.detail).toContain("the operator can raise the limit")
    }
    expect((await send({ text: "x".repeat(500) })).status, "a send that fits").toBe(201)
    const replay = await send(large)
    expect({ status: replay.status, id: replay.json.id }).toEqual({ status: 201, id: first.json.id })
    const batch = await api("POST /v1/emails/batch", {
      key,
      body: {
        items: ["x".repeat(2_000), "y"].map((text) => ({
          ...{ from: `hello@${sender.domain}`, to: ["a@example.com"], subject: "s", text },
        })),
      },
    })
    expect(batch.json.results.map(({ status }: { status: string }) => status)).toEqual(["rejected", "queued"])
    const rawBody = "email\n" + "a@example.com\n".repeat(1_000)
    const imported = await api("POST /v1/projects/{projectId}/contacts/import", {
      ...{ key, params: { projectId: sender.project }, rawBody },
      headers: { "content-type": "text/csv", "content-length": String(rawBody.length) },
    })
    expectProblem(imported, 413, "project.storage_full")
    const { json } = await api("GET /v1/projects/{projectId}/settings", { key, params: { projectId: sender.project } })
    expect(json.storage.limitBytes - json.storage.usedBytes).toBeLessThan(1_000)
  })
})
