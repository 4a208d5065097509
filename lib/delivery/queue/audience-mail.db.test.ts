import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { api } from "@/e2e/support/world"
import type { Relays } from "@/lib/delivery/regions/relays"
import { faultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, newSending, relayAt, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"

let sender: Sending
let server: Awaited<ReturnType<typeof faultServer>>
let relays: Relays

beforeEach(async () => {
  sender = await newSending()
  server = await faultServer({})
  relays = relayAt(server.port)
})

afterEach(async () => {
  await relays.close()
  await server.close()
})

const suppress = (email: string) =>
  pool().query("INSERT INTO suppressions (id, project_id, email, reason) VALUES ($1, $2, $3, 'manual')", [
    newId(),
    sender.projectId,
    email,
  ])

const recipients = () =>
  server.received
    .filter((line) => line.startsWith("RCPT"))
    .map((line) => /<([^>]+)>/.exec(line)?.[1])
    .sort()

describe("mail of a topic", () => {
  test("carries the List-Id of its topic, the same on each of its mails, and an unsubscribe link for each recipient", async () => {
    const topic = await api("POST /v1/projects/{projectId}/topics", {
      key: sender.apiKey,
      params: { projectId: sender.project },
      body: { name: "Größe", defaultSubscription: "opt_in" },
    })
    await sendMail(sender, { to: ["a@x.example", "b@x.example"], topicId: topic.json.id })
    await deliverDue(relays)
    const listId = `List-Id: <${topic.json.id.replace("_", "-")}.${sender.domain}>`
    expect(server.messages.map((message) => /^List-Id: .*$/m.exec(message)?.[0].trim())).toEqual([listId, listId])
    const links = server.messages.map((message) => /^List-Unsubscribe: <(.*)>/m.exec(message)?.[1])
    expect(new Set(links).size).toBe(2)
    for (const link of links) expect(link).toMatch(/^http:\/\/localhost:3000\/u\/[\w-]{44}$/)
    // The text ends with the same link as in the header.
    server.messages.forEach((message, at) => expect(message).toContain(`\r\n${links[at]}\r\n`))
    // The signature covers both.
    for (const message of server.messages)
      expect(message.replaceAll(/\r\n[ \t]/g, "")).toMatch(/h=[^;]*list-unsubscribe[^;]*list-id/i)
  })

  test("mail without a topic carries no List-Id", async () => {
    await sendMail(sender, { trackingSettings: { unsubscribeTracking: true } })
    await deliverDue(relays)
    expect(server.messages[0]).not.toMatch(/^List-Id/m)
  })
})

describe("the suppression list", () => {
  test.each(["to", "cc", "bcc"])(
    "is checked for %s when a mail is accepted, in the canonical form of each address",
    async (field) => {
      await suppress("u@example.test")
      const given = { to: ["other@x.example"], cc: ["second@x.example"] }
      const [id = ""] = await sendMail(sender, { ...given, [field]: ["U@EXAMPLE.test", "third@x.example"] })
      const { rows } = await pool().query(
        "SELECT address, status FROM deliveries WHERE email_id = $1 AND canonical = 'u@example.test'",
        [id],
      )
      expect(rows).toEqual([{ address: "U@example.test", status: "suppressed" }])
      await deliverDue(relays)
      expect(recipients()).not.toContain("U@example.test")
      expect(recipients()).toContain("third@x.example")
    },
  )

  test("is checked again right before the mail is sent, for to, cc and bcc, and the others still get theirs", async () => {
    const mail = { to: ["to@x.example", "a@x.example"], cc: ["cc@x.example"], bcc: ["bcc@x.example"] }
    const [id = ""] = await sendMail(sender, mail)
    for (const email of ["to@x.example", "cc@x.example", "bcc@x.example"]) await suppress(email)
    await deliverDue(relays)
    expect(recipients()).toEqual(["a@x.example"])
    const { rows } = await pool().query("SELECT role, status FROM deliveries WHERE email_id = $1 ORDER BY address", [
      id,
    ])
    expect(rows).toEqual([
      { role: "to", status: "delivered" },
      { role: "bcc", status: "suppressed" },
      { role: "cc", status: "suppressed" },
      { role: "to", status: "suppressed" },
    ])
  })

  test.each(["u@exa\u00admple.test", "u@ｅxample.test", "u@example.test.", " u@example.test"])(
    "%j is no way around it: such an address is 400",
    async (to) => {
      await suppress("u@example.test")
      const { status } = await api("POST /v1/emails", {
        key: sender.apiKey,
        body: { from: `hello@${sender.domain}`, to: [to], subject: "Hi", text: "Hi" },
      })
      expect(status).toBe(400)
    },
  )
})

describe("a body without content", () => {
  const tracked = { trackingSettings: { openTracking: true, unsubscribeTracking: true } }
  const types = (message: string | undefined) =>
    [...(message ?? "").matchAll(/^Content-Type: ([\w/]+)/gm)].map(([, type]) => type)

  test.each([
    { html: "", text: "Hello" },
    { html: " \r\n\t\u00a0\u200b\ufeff\u3164", text: "Hello" },
    { html: "<p>Hello</p>", text: "" },
    { html: "<p>Hello</p>", text: "\u2003\u00ad\u2060" },
  ])("is no part of the mail: %j", async (bodies) => {
    await sendMail(sender, { ...tracked, ...bodies })
    await deliverDue(relays)
    const type = bodies.text === "Hello" ? "text/plain" : "text/html"
    expect(types(server.messages[0])).toEqual([type])
    expect(server.messages[0]).toContain("which emails you get")
    expect(server.messages[0]?.includes("/t/")).toBe(type === "text/html")
  })

  test("is none either where an earlier release stored it, with the email or apart", async () => {
    const [small = ""] = await sendMail(sender, tracked)
    const large = `${"Hello ".repeat(20_000)}`
    const [apart = ""] = await sendMail(sender, { ...tracked, text: large })
    await pool().query("UPDATE email_bodies SET html = ' ' WHERE email_id = $1", [small])
    expect((await pool().query("UPDATE email_contents SET html = '' WHERE id = $1", [apart])).rowCount).toBe(1)
    await deliverDue(relays)
    expect(server.messages.map(types)).toEqual([["text/plain"], ["text/plain"]])
    for (const id of [small, apart]) {
      const { json } = await api("GET /v1/projects/{projectId}/emails/{emailId}", {
        key: sender.apiKey,
        params: { projectId: sender.project, emailId: encodeId("email", id) },
      })
      expect(json.status).toBe("delivered")
      expect("html" in json).toBe(false)
      expect("text" in json).toBe(true)
    }
  })
})
