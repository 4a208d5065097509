import { randomBytes } from "node:crypto"
import { expect, test } from "vitest"
import { api, newSession, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

type Given = { door?: string; projectId?: string; raw?: string; reading?: object }

const mail = [
  "From: Ada <ada@lovelace.example>",
  "Reply-To: desk@lovelace.example",
  "To: abuse@mail.example",
  "Subject: Please look at this",
  "Content-Type: multipart/mixed; boundary=b",
  "",
  "--b",
  "Content-Type: text/html; charset=utf-8",
  "",
  "<p>Gr\u00fc\u00dfe</p><script>alert(1)</script>",
  "--b",
  'Content-Type: application/pdf; name="report.pdf"',
  "Content-Disposition: attachment; filename=report.pdf",
  "",
  "%PDF",
  "--b--",
  "",
].join("\r\n")

test("the operator reads what people write to the service, newest first, and none of what came back to a project", async () => {
  const { world, cookie } = await newOperator()
  await store({ reading: { from: "ada@lovelace.example", subject: "Please look at this" } })
  await store({ door: "feedback" })
  await store({ door: "return_path", projectId: world.projectId })
  await store({ door: "reports" })
  const { json } = await api("GET /v1/operator/mails", { cookie })
  expect(json.data.map(({ from, subject }: { from: string; subject?: string }) => ({ from, subject }))).toEqual([
    { from: "bounces@lovelace.example", subject: undefined },
    { from: "ada@lovelace.example", subject: "Please look at this" },
  ])
})

test("a mail is shown as text with its headers and attachments, and given as it arrived", async () => {
  const { cookie } = await newOperator()
  await store({})
  const list = await api("GET /v1/operator/mails", { cookie })
  const params = { mailId: list.json.data[0].id }
  const { json } = await api("GET /v1/operator/mails/{mailId}", { cookie, params })
  expect(json.text.trim()).toBe("Gr\u00fc\u00dfe\nalert(1)")
  expect(json).toMatchObject({ replyTo: "desk@lovelace.example", returnPath: "bounces@lovelace.example" })
  expect(json.attachments).toEqual([{ filename: "report.pdf", contentType: "application/pdf" }])
  expect(json.headers).toContainEqual({ name: "subject", value: "Please look at this" })
  const { response } = await api("GET /v1/operator/mails/{mailId}/raw", { cookie, params })
  expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'")
  expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(mail)
})

async function newOperator(): Promise<{ world: World; cookie: string }> {
  await pool().query("DELETE FROM inbound_messages")
  const world = await newWorld()
  await pool().query("UPDATE users SET operator_since = now() WHERE id = $1", [world.userId])
  return { world, cookie: await newSession(world.userId) }
}

async function store({ door = "mailbox", projectId, raw = mail, reading }: Given): Promise<void> {
  await pool().query(
    `INSERT INTO inbound_messages (id, door, project_id, mail_from, rcpt_to, client, helo, size, digest, raw, reading)
      VALUES ($1, $2, $3, 'bounces@lovelace.example', 'abuse@mail.example', '203.0.113.5', 'mx.lovelace.example', $4, $5, $6, $7)`,
    [newId(), door, projectId ?? null, raw.length, randomBytes(32), Buffer.from(raw), reading ?? null],
  )
}
