import { expectProblem } from "@/e2e/support/expect-problem"
import { beforeAll, describe, expect, test } from "vitest"
import { api, type Call } from "@/e2e/support/world"
import { storeComposed } from "@/lib/emails/content/data"
import { newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import type { Route } from "@/lib/platform/http/endpoint"
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
          UNION ALL SELECT octet_length(content::text) + coalesce(octet_length(template::text), 0) FROM broadcasts WHERE project_id = $1
          UNION ALL SELECT bytes_of_body(text, html, variables, NULL) FROM templates WHERE project_id = $1
          UNION ALL SELECT bytes_of_body(text, html, variables, NULL) FROM template_versions WHERE project_id = $1
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

const draft = (content: object) => ({
  ...{ from: `hello@${sender.domain}`, to: ["a@example.com"], subject: "s", text: "t", draft: true },
  ...content,
})

const call = (route: Route, { params, ...given }: Call) =>
  api(route, { key, params: { projectId: sender.project, ...params }, ...given })

async function written(route: Route, given: Call) {
  const { status, json } = await call(route, given)
  expect(status, JSON.stringify(json)).toBeLessThan(300)
  return json
}

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

  test("counts broadcasts and templates as they are written, changed, copied and deleted", async () => {
    const before = await stored()
    const { id: broadcastId } = await written("POST /v1/projects/{projectId}/broadcasts", {
      body: draft({ attachments: [attachment(mib)] }),
    })
    const full = await stored()
    expect(full.counted - before.counted, "bytes of a draft with a file in base64").toBeGreaterThan(mib)
    const ofDraft = { params: { broadcastId } }
    const { id: copyId } = await written("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/duplicate", ofDraft)
    expect((await stored()).counted - full.counted, "bytes of its copy").toBeGreaterThan(mib)
    await written("PATCH /v1/projects/{projectId}/broadcasts/{broadcastId}", {
      ...ofDraft,
      body: { attachments: null },
    })
    await written("DELETE /v1/projects/{projectId}/broadcasts/{broadcastId}", { params: { broadcastId: copyId } })
    const emptied = await stored()
    expect(emptied.counted - before.counted, "bytes of the draft without its file").toBeLessThan(1_000)
    expect(emptied.counted).toBe(emptied.there)
    await written("DELETE /v1/projects/{projectId}/broadcasts/{broadcastId}", ofDraft)

    const { id: templateId } = await written("POST /v1/projects/{projectId}/templates", {
      body: { name: "large", subject: "s", html: "x".repeat(mib) },
    })
    const ofTemplate = { params: { templateId } }
    await written("POST /v1/projects/{projectId}/templates/{templateId}/publish", ofTemplate)
    await written("PATCH /v1/projects/{projectId}/templates/{templateId}", { ...ofTemplate, body: { html: "short" } })
    const published = await stored()
    expect(published.counted - before.counted, "bytes of the published version").toBeGreaterThan(mib)
    expect(published.counted).toBe(published.there)
    await written("DELETE /v1/projects/{projectId}/templates/{templateId}", ofTemplate)
    expect(await stored()).toEqual(before)
  })

  test("has no room for broadcasts and templates beyond the limit, but for changes that take no more", async () => {
    const broadcast = "POST /v1/projects/{projectId}/broadcasts"
    const template = "POST /v1/projects/{projectId}/templates"
    const { id: broadcastId } = await written(broadcast, { body: draft({ attachments: [attachment(mib)] }) })
    const { id: templateId } = await written(template, {
      body: { name: "kept", subject: "s", text: "x".repeat(5_000) },
    })
    await limit((await stored()).counted + 1_000)
    const larger = { text: "x".repeat(10_000) }
    const refused = [
      await call(broadcast, {
        body: draft({
          attachments: [attachment(9 * mib)],
          scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
          draft: false,
        }),
      }),
      await call("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/duplicate", { params: { broadcastId } }),
      await call("PATCH /v1/projects/{projectId}/broadcasts/{broadcastId}", { params: { broadcastId }, body: larger }),
      await call(template, { body: { name: "other", subject: "s", ...larger } }),
      await call("PATCH /v1/projects/{projectId}/templates/{templateId}", { params: { templateId }, body: larger }),
      await call("POST /v1/projects/{projectId}/templates/{templateId}/publish", { params: { templateId } }),
    ]
    for (const answer of refused) expectProblem(answer, 413, "project.storage_full")
    await limit(0)
    const smaller = { text: "x" }
    await written("PATCH /v1/projects/{projectId}/broadcasts/{broadcastId}", { params: { broadcastId }, body: smaller })
    await written("PATCH /v1/projects/{projectId}/templates/{templateId}", { params: { templateId }, body: smaller })
    await limit(20 * 2 ** 30)
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
