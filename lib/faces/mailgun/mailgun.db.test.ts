import Mailgun from "mailgun.js"
import { describe, expect, test } from "vitest"
import { FaceServer } from "@/e2e/support/faces"
import { pool } from "@/lib/platform/database/db"

const server = new FaceServer()

const clientOf = (key: string) =>
  new Mailgun(FormData).client({ username: "api", key, url: `${server.origin}/mailgun`, useFetch: true })
const messages = (key = server.world.apiKey) => clientOf(key).messages

const least = { from: "hello@acme.test", to: "ada@lovelace.example", subject: "Order", text: "Sent." }

/** The emails of the project with this subject. */
async function stored(subject: string) {
  const { rows } = await pool().query(
    `SELECT e.subject, e.to_headers AS to, e.tags, e.metadata, e.status, e.scheduled_at AS at, e.headers, e.reply_to AS "replyTo", e.tracking
      FROM emails e WHERE project_id = $1 AND subject = $2 ORDER BY to_headers`,
    [server.world.projectId, subject],
  )
  return rows
}

describe("mailgun.js, with another base URL and key", () => {
  test("messages.create sends what it says, with files", async () => {
    const at = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000)
    const sent = await messages().create("acme.test", {
      ...{ ...least, from: "Acme <hello@acme.test>", to: ["Ada <ada@lovelace.example>"], cc: "bob@lovelace.example" },
      ...{ subject: "Grüße", html: '<p>Sent. <img src="cid:logo.png"></p>', "h:Reply-To": "help@acme.test" },
      ...{ "h:X-Order": "8841", "v:order": "8841", "o:tag": ["orders", "mail"], "o:tracking": "no" },
      ...{ "o:deliverytime": at.toUTCString(), "o:require-tls": true, "o:dkim": true },
      attachment: { data: Buffer.from("bill"), filename: "bill.pdf", contentType: "application/pdf" },
      inline: { data: Buffer.from("picture"), filename: "logo.png", contentType: "image/png" },
    })
    expect(sent).toEqual({ status: 200, id: expect.stringMatching(/^<.+>$/), message: "Queued. Thank you." })
    expect(await stored("Grüße")).toMatchObject([
      {
        ...{ tags: { orders: "", mail: "" }, metadata: { order: "8841" }, status: "scheduled", at },
        ...{ replyTo: "help@acme.test", headers: { "X-Order": "8841" } },
      },
    ])
  })

  test("messages.create fills a template", async () => {
    await server.template("welcome")
    const { subject: _, text: __, ...email } = least
    await messages().create("acme.test", { ...email, template: "welcome", "t:variables": '{"who":"Mailgun"}' })
    expect(await stored("Hi Mailgun")).toHaveLength(1)
  })

  test("a template shows each recipient their own values", async () => {
    await server.template("greeting")
    const values = { "ada@lovelace.example": { first: "Ada" }, "bob@lovelace.example": { first: "Bob" } }
    await messages().create("acme.test", {
      ...{ from: least.from, to: Object.keys(values), template: "greeting" },
      ...{ "t:variables": '{"who":"%recipient.first%"}', "recipient-variables": JSON.stringify(values) },
    })
    for (const [to, { first }] of Object.entries(values))
      expect((await stored(`Hi ${first}`)).map((email) => email.to)).toEqual([[to]])
    expect(await stored("Hi %recipient.first%")).toEqual([])
  })

  test("a newsletter as Ghost sends it: an email for each recipient, with values of its own", async () => {
    const values = {
      "ada@lovelace.example": { name: "Ada", unsubscribe: "https://acme.test/u/1" },
      "bob@lovelace.example": { name: "Bob", unsubscribe: "https://acme.test/u/2" },
    }
    await messages().create("mg.acme.test", {
      ...{ to: Object.keys(values), from: "Acme <hello@acme.test>", "h:Sender": "Acme <hello@acme.test>" },
      ...{ "h:Reply-To": "help@acme.test", "h:Auto-Submitted": "auto-generated" },
      ...{ "h:X-Auto-Response-Suppress": "OOF, AutoReply", "h:List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
      "h:List-Unsubscribe": "<%recipient.unsubscribe%>, <%tag_unsubscribe_email%>",
      ...{ subject: "News", html: "<p>Hi %recipient.name%</p>", text: "Hi %recipient.name%" },
      ...{
        "recipient-variables": JSON.stringify(values),
        "v:email-id": "650a",
        "o:tag": ["bulk-email", "ghost-email"],
      },
      "o:tracking-opens": true,
    })
    const sent = await stored("News")
    expect(sent.map(({ to }) => to)).toEqual([["ada@lovelace.example"], ["bob@lovelace.example"]])
    expect(sent[1]).toMatchObject({
      headers: { "List-Unsubscribe": "<https://acme.test/u/2>", "Auto-Submitted": "auto-generated" },
      ...{ metadata: { "email-id": "650a" }, tags: { "bulk-email": "", "ghost-email": "" } },
      tracking: { openTracking: true },
    })
  })

  test("who is named twice gets one email, also where each gets their own", async () => {
    await messages().create("acme.test", {
      ...{
        ...least,
        subject: "Once",
        to: ["ada@lovelace.example", "Ada <Ada@Lovelace.example>", "bob@lovelace.example"],
      },
      "recipient-variables": JSON.stringify({ "ada@lovelace.example": {}, "bob@lovelace.example": {} }),
    })
    expect((await stored("Once")).map(({ to }) => to)).toEqual([["ada@lovelace.example"], ["bob@lovelace.example"]])
  })

  test("events.get lists what happened, oldest first, page after page, by types and tag", async () => {
    const key = await server.key("emails:send", "emails:read")
    const { events } = clientOf(key)
    for (const subject of ["First", "Second"])
      await messages(key).create("acme.test", { ...least, subject, "o:tag": "digest", "v:email-id": subject })
    await messages(key).create("acme.test", { ...least, subject: "Other" })
    for (const subject of ["First", "Second", "Other"]) await server.deliver(subject)
    const query = { event: "delivered OR opened", tags: "digest", ascending: "yes" as const, limit: 1 }
    const seen: unknown[] = []
    let page = await events.get("acme.test", query)
    for (; page.items.length > 0; page = await events.get("acme.test", { page: page.pages.next?.page }))
      seen.push(...page.items)
    expect(seen).toMatchObject(
      ["First", "Second"].map((subject) => ({
        ...{ event: "delivered", recipient: "ada@lovelace.example", tags: ["digest"] },
        ...{ "user-variables": { "email-id": subject }, timestamp: expect.any(Number) },
        message: { headers: { subject, "message-id": expect.stringMatching(/^[^<>]+@[^<>]+$/) } },
      })),
    )
    expect(await clientOf(await server.foreignKey()).events.get("acme.test", query)).toMatchObject({ items: [] })
  })
})

describe("a refusal has the message that the SDK shows", () => {
  const refusalOf = async (key: string, data: object) =>
    clientOf(key)
      .messages.create("acme.test", data as never)
      .then(
        () => {
          throw new Error("It was sent.")
        },
        ({ status, details }: { status: number; details: string }) => ({ status, details }),
      )

  test("a wrong key, and one without the permission", async () => {
    expect(await refusalOf("mr_live_wrong", least)).toEqual({
      status: 401,
      details: expect.stringContaining("unknown"),
    })
    expect(await refusalOf(await server.key("emails:read"), least)).toEqual({
      status: 403,
      details: expect.stringContaining("emails:send"),
    })
  })

  test("an unknown field, one that is not supported and an invalid address by their names", async () => {
    const { apiKey } = server.world
    expect(await refusalOf(apiKey, { ...least, "o:shout": "yes" })).toEqual({
      ...{ status: 400, details: "/o:shout: Unknown field." },
    })
    expect(await refusalOf(apiKey, { ...least, "amp-html": "<p>" })).toEqual({
      ...{ status: 400, details: "/amp-html: Is not supported here: there is no AMP part." },
    })
    expect((await refusalOf(apiKey, { ...least, to: "nobody" })).details).toMatch(/^\/to\/0: /)
  })

  test("a time that does not exist, or names no offset, by its name", async () => {
    const { apiKey } = server.world
    const year = new Date().getUTCFullYear() + 1
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)
    for (const time of [`Sat, 30 Feb ${year} 10:00:00 +0000`, `${year}-02-30T10:00:00Z`, inAnHour, "foo 5"])
      expect(await refusalOf(apiKey, { ...least, "o:deliverytime": time }), time).toEqual({
        ...{ status: 400, details: expect.stringMatching(/^\/o:deliverytime: Must be an ISO 8601 time/) },
      })
  })

  test("the daily quota is 429; a suppressed recipient is accepted and not sent, as there", async () => {
    expect(await refusalOf(await server.exhausted(), least)).toMatchObject({ status: 429 })
    await server.suppress("gone@lovelace.example")
    await messages().create("acme.test", { ...least, to: "gone@lovelace.example", subject: "Gone" })
    expect(await stored("Gone")).toMatchObject([{ status: "suppressed" }])
  })

  test("a body that is no form is 415", async () => {
    const response = await fetch(`${server.origin}/mailgun/v3/acme.test/messages`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`api:${server.world.apiKey}`)}`, "content-type": "application/json" },
      body: JSON.stringify(least),
    })
    expect([response.status, await response.json()]).toEqual([415, { message: expect.stringContaining("form") }])
  })
})
