import { createRequire } from "node:module"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { newSubmitter, openLab, openTunnel, run, sendBySmtplib, type Lab } from "@/e2e/support/submission/clients"
import { kindsOfEmail } from "@/e2e/support/submission/emails"
import { api, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId } from "@/lib/platform/ids"

let lab: Lab
let world: World
let topicId: string

beforeAll(async () => {
  lab = await openLab()
  world = await newSubmitter()
  const made = await api("POST /v1/projects/{projectId}/topics", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { name: "News", defaultSubscription: "opt_in", visibility: "public" },
  })
  topicId = made.json.id
})
afterAll(() => lab.close())

/** What is stored of the emails of one send, without what differs from one send to the next. */
async function storedOf(emailId: string): Promise<unknown> {
  const { rows } = await pool().query(
    `SELECT to_jsonb(e) - $2::text[] AS email, to_jsonb(b) - $2::text[] AS body, to_jsonb(c) - $2::text[] AS content,
        (SELECT jsonb_agg(to_jsonb(d) - $2::text[] ORDER BY d.role, d.canonical) FROM deliveries d WHERE d.email_id = e.id) AS deliveries
      FROM emails e LEFT JOIN email_bodies b ON b.email_id = e.id LEFT JOIN email_contents c ON c.id = e.group_id
      WHERE e.group_id = $1 ORDER BY e.group_index`,
    [decodeId("email", emailId), varying],
  )
  return rows
}

const varying = [
  ...[
    "id",
    "email_id",
    "group_id",
    "message_id",
    "idempotency_key",
    "request_id",
    "created_at",
    "updated_at",
    "due_at",
  ],
]

async function storedByApi(body: object): Promise<unknown> {
  const { status, json } = await api("POST /v1/emails", { key: world.apiKey, body })
  expect(status, JSON.stringify(json)).toBe(201)
  return storedOf(json.id)
}

function idOf(reply: string): string {
  expect(reply).toMatch(/^250 2\.0\.0 email_\w+$/)
  return reply.slice("250 2.0.0 ".length)
}

test(
  "30 kinds of email by Python's smtplib, with STARTTLS and with TLS and a checked certificate, are stored as by the API",
  { timeout: 300_000 },
  async () => {
    const kinds = kindsOfEmail(topicId)
    const emails = kinds.map(([, email]) => email)
    const replies = [
      ...(await sendBySmtplib(lab, world.apiKey, emails.slice(0, 15), "starttls")),
      ...(await sendBySmtplib(lab, world.apiKey, emails.slice(15), "implicit")),
    ]
    expect(replies).toHaveLength(30)
    for (const [at, [kind, email]] of kinds.entries()) {
      const stored = await storedOf(idOf(replies[at] ?? ""))
      expect(stored, kind).toEqual(await storedByApi(email))
      expect(stored, kind).not.toEqual([])
    }
  },
)

test("an email by swaks is stored as by the API", async () => {
  const tunnel = await openTunnel(lab.tlsPort)
  const { code, output } = await run("swaks", [
    ...["--server", "127.0.0.1", "--port", String(tunnel.port)],
    ...["--auth", "PLAIN", "--auth-user", "apikey", "--auth-password", world.apiKey],
    ...["--from", "hello@acme.test", "--to", "ada@lovelace.example,bob@lovelace.example"],
    ...["--header", "Subject: By swaks", "--header", "X-Order: 8841", "--header", "X-Mailroom-Category: notification"],
    ...["--h-To", "ada@lovelace.example", "--body", "Hi"],
  ])
  tunnel.close()
  expect(code, output).toBe(0)
  const [, reply = ""] = /<- +(250 2\.0\.0 email_\w+)/.exec(output) ?? []
  const [, mailer = ""] = /X-Mailer: (.*)/.exec(output) ?? []
  expect(await storedOf(idOf(reply))).toEqual(
    await storedByApi({
      ...{ from: "hello@acme.test", to: ["ada@lovelace.example"], bcc: ["bob@lovelace.example"], subject: "By swaks" },
      ...{ text: "Hi", headers: { "X-Mailer": mailer.trim(), "X-Order": "8841" } },
      sendTimeCategory: "notification",
    }),
  )
})

test("an email by msmtp, which begins TLS and checks the certificate, is stored as by the API", async () => {
  const { code, output } = await run(
    "msmtp",
    [
      ...["--file=/dev/null", "--host=localhost", `--port=${lab.port}`, "--logfile=-", "--read-recipients"],
      ...["--tls=on", "--tls-starttls=on", `--tls-trust-file=${lab.files.cert}`],
      ...["--auth=plain", "--user=apikey", "--passwordeval=printenv SMTP_PASSWORD", "--from=hello@acme.test"],
    ],
    'From: "Acme, Inc." <hello@acme.test>\nTo: Ada <ada@lovelace.example>\nBcc: bob@lovelace.example\nSubject: By msmtp\n\nHi\n',
    { SMTP_PASSWORD: world.apiKey },
  )
  expect(code, output).toBe(0)
  const [, reply = ""] = /smtpmsg='(250 2\.0\.0 email_\w+)/.exec(output) ?? []
  expect(await storedOf(idOf(reply)), output).toEqual(
    await storedByApi({
      ...{ from: '"Acme, Inc." <hello@acme.test>', to: ["Ada <ada@lovelace.example>"], bcc: ["bob@lovelace.example"] },
      ...{ subject: "By msmtp", text: "Hi" },
    }),
  )
})

type Nodemailer = {
  createTransport(options: object): { sendMail(mail: object): Promise<{ response: string }>; close(): void }
}

test("an email by nodemailer, which checks the certificate, is stored as by the API", async () => {
  // The server's library brings it.
  const require = createRequire(createRequire(import.meta.url).resolve("smtp-server"))
  const { createTransport } = require("nodemailer") as Nodemailer
  const transport = createTransport({
    ...{ host: "localhost", port: lab.port, requireTLS: true, pool: true },
    auth: { user: "apikey", pass: world.apiKey },
    tls: { ca: readFileSync(lab.files.cert) },
  })
  const picture = Buffer.from("picture")
  const { response } = await transport.sendMail({
    ...{ from: '"Acme, Inc." <hello@acme.test>', to: "Ada <ada@lovelace.example>", bcc: "bob@lovelace.example" },
    ...{ subject: "Grüße", text: "Hi", html: '<img src="cid:logo">', replyTo: "help@acme.test" },
    attachments: [{ filename: "logo.png", content: picture, cid: "logo" }],
    headers: { "X-Mailroom-Tags": '{"plan":"pro"}' },
  })
  transport.close()
  expect(await storedOf(idOf(response))).toEqual(
    await storedByApi({
      ...{ from: '"Acme, Inc." <hello@acme.test>', to: ["Ada <ada@lovelace.example>"], bcc: ["bob@lovelace.example"] },
      ...{ subject: "Grüße", text: "Hi", html: '<img src="cid:logo">', replyTo: "help@acme.test" },
      attachments: [...[{ filename: "logo.png", contentType: "image/png", content: picture.toString("base64") }]].map(
        (file) => ({ ...file, contentId: "logo", disposition: "inline" }),
      ),
      tags: { plan: "pro" },
    }),
  )
})
