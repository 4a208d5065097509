import { randomBytes } from "node:crypto"
import { describe, expect, test } from "vitest"
import { newSending, sendMail } from "@/e2e/support/delivery/sending"
import { bounce, feedback } from "@/e2e/support/inbound/returned"
import { api, newSession, newWorld, type World } from "@/e2e/support/world"
import { verpFor } from "@/lib/delivery/message/proven-ids"
import { countOperatorMails } from "@/lib/inbound/data"
import { storeMails, type InboundMail, claimMails } from "@/lib/inbound/mails-sql"
import { workOn } from "@/lib/inbound/jobs"
import { hmac, sha256 } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"

type Given = { door?: string; projectId?: string; raw?: string; reading?: object; reason?: string | null }

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
  await store({ door: "return_path", projectId: world.projectId, reason: null })
  await store({ door: "reports", reason: null })
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
  expect(json.text.trim()).toBe("Gr\u00fc\u00dfe")
  expect(json).toMatchObject({ replyTo: "desk@lovelace.example", returnPath: "bounces@lovelace.example" })
  expect(json.attachments).toEqual([{ filename: "report.pdf", contentType: "application/pdf" }])
  expect(json.headers).toContainEqual({ name: "subject", value: "Please look at this" })
  const { response } = await api("GET /v1/operator/mails/{mailId}/raw", { cookie, params })
  expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'")
  expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(mail)
})

describe("what came back for a project", () => {
  test("and cannot be read, is answered by a person, or matches no email is in the operator's mailbox, counted and shown, with its email", async () => {
    const { cookie } = await newOperator()
    const sender = await newSending()
    const [emailId = ""] = await sendMail(sender)
    const { rows } = await pool().query<{ id: string }>("SELECT id FROM deliveries WHERE email_id = $1", [emailId])
    const deliveryId = rows[0]?.id ?? ""
    const returnPath = `${verpFor(deliveryId, hmac)}@${sender.mailFromDomain}`
    const back = { door: "return_path", deliveryId, rcptTo: returnPath } as const
    await pool().query("UPDATE deliveries SET status = 'sent', due_at = NULL WHERE email_id = $1", [emailId])
    const fbl = { door: "feedback", mailFrom: "fbl@provider.example", rcptTo: "fbl@mailroom.test" } as const
    await comeBack([
      inbound("From: MAILER-DAEMON@x.example\r\nSubject: Something\r\n\r\nSomething happened.\r\n", back),
      inbound("From: ada@lovelace.example\r\nSubject: Re: Hello\r\n\r\nThank you.\r\n", {
        ...back,
        mailFrom: "ada@lovelace.example",
      }),
      inbound(bounce({ returnPath, recipient: "ada@lovelace.example" }), back),
      inbound(feedback({ originalMailFrom: "news@elsewhere.example" }), fbl),
      inbound("From: fbl@provider.example\r\nSubject: Your code\r\n\r\n123456\r\n", fbl),
    ])
    const { json } = await api("GET /v1/operator/mails", { cookie })
    const shown = json.data.map(({ reason, projectId, emailId: of }: Record<string, string>) => [reason, projectId, of])
    const own = [sender.project, encodeId("email", emailId)]
    expect(shown).toHaveLength(4)
    expect(shown).toContainEqual(["unreadable", ...own])
    expect(shown).toContainEqual(["answer", ...own])
    expect(shown).toContainEqual(["unmatched", undefined, undefined])
    expect(shown).toContainEqual(["written", undefined, undefined])
    expect(await countOperatorMails()).toEqual({ written: 1, unmatched: 1, unreadable: 1, answer: 1, given_up: 0 })
  })

  test("and breaks the worker each time is given up, and is in the operator's mailbox", async () => {
    const { cookie } = await newOperator()
    await store({})
    await pool().query("UPDATE inbound_messages SET due_at = now() - interval '1 second', attempt = 100")
    await workAll()
    const { json } = await api("GET /v1/operator/mails", { cookie })
    expect(json.data).toMatchObject([{ reason: "given_up" }])
  })
})

function inbound(raw: string, to: Partial<InboundMail> & Pick<InboundMail, "door" | "rcptTo">): InboundMail {
  const bytes = Buffer.from(raw)
  const digest = sha256(bytes).subarray(0, 16)
  return { mailFrom: "", client: "192.0.2.1", helo: "mx.example.net", digest, raw: bytes, ...to }
}

async function comeBack(mails: InboundMail[]): Promise<void> {
  expect(await storeMails(mails)).toEqual(mails.map(() => "stored"))
  await workAll()
}

async function workAll(): Promise<void> {
  for (let claimed = await claimMails(100, 60_000); claimed.length > 0; claimed = await claimMails(100, 60_000))
    await Promise.all(claimed.map(workOn))
}

async function newOperator(): Promise<{ world: World; cookie: string }> {
  await pool().query("DELETE FROM inbound_messages")
  const world = await newWorld()
  await pool().query("UPDATE users SET operator_since = now() WHERE id = $1", [world.userId])
  return { world, cookie: await newSession(world.userId) }
}

async function store({ door = "mailbox", projectId, raw = mail, reading, reason = "written" }: Given): Promise<void> {
  await pool().query(
    `INSERT INTO inbound_messages (id, door, project_id, mail_from, rcpt_to, client, helo, size, digest, raw, reading, operator_reason)
      VALUES ($1, $2, $3, 'bounces@lovelace.example', 'abuse@mail.example', '203.0.113.5', 'mx.lovelace.example', $4, $5, $6, $7, $8)`,
    [newId(), door, projectId ?? null, raw.length, randomBytes(32), Buffer.from(raw), reading ?? null, reason],
  )
}
