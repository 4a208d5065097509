import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { unsubscribeToken } from "@/lib/delivery/message/unsubscribe"
import { hmac } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { suppress } from "@/lib/consent/data"
import { showUnsubscribe, unsubscribe } from "@/lib/tracking/links"

let world: World
let deliveryId: string
let email: { id: string; status: string; updated_at: Date }
let token: string

beforeAll(async () => {
  world = await newWorld()
  await pool().query(
    `INSERT INTO domains (id, project_id, name, region, mail_from_domain, tracking_domain, status, records)
      VALUES ($1, $2, 'acme.test', 'eu-west-1', 'send.acme.test', 'links.acme.test', 'verified', '{}')`,
    [newId(), world.projectId],
  )
})

beforeEach(async () => {
  await pool().query("DELETE FROM suppressions")
  await send("Ada.Lovelace@example.com")
})

async function send(to: string) {
  const body = { from: '"<b>Acme</b>" <news@acme.test>', to, subject: "News", text: "Hi" }
  expect((await api("POST /v1/emails", { key: world.apiKey, body })).status).toBe(201)
  deliveryId = (
    await pool().query("SELECT id FROM deliveries WHERE project_id = $1 ORDER BY id DESC LIMIT 1", [world.projectId])
  ).rows[0].id
  email = await findEmail()
  token = unsubscribeToken(deliveryId, hmac)
}

async function findEmail() {
  const text =
    "SELECT e.id, e.status, e.updated_at FROM emails e JOIN deliveries d ON d.email_id = e.id WHERE d.id = $1"
  return (await pool().query(text, [deliveryId])).rows[0]
}

const url = (of: string) => `http://localhost:3000/u/${encodeURIComponent(of)}`
const click = (of: string, init: RequestInit = {}) => unsubscribe(new Request(url(of), { method: "POST", ...init }), of)
const look = (of: string) => showUnsubscribe(of)
const form = {
  body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  headers: { origin: "https://mail.example" },
}

const suppressions = async () =>
  (await pool().query("SELECT project_id, email, reason, email_id, event_id FROM suppressions")).rows
const events = async () =>
  (await pool().query("SELECT id, data FROM events WHERE delivery_id = $1 AND type = 'unsubscribed'", [deliveryId]))
    .rows

describe("POST /u/{token}", () => {
  test("one click suppresses the recipient in the project and says so once, however often it comes", async () => {
    const answers = await Promise.all([click(token, form), click(token, form), click(token, form)])
    answers.push(await click(token, form))
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, redirected: false })
    expect(answers[0]?.headers.get("location")).toBeNull()
    expect(answers[0]?.headers.get("set-cookie")).toBeNull()
    const told = await events()
    expect(told).toEqual([
      { id: expect.any(String), data: { to: "Ada.Lovelace@example.com", subject: "News", method: "one-click" } },
    ])
    expect(await suppressions()).toEqual([
      {
        project_id: world.projectId,
        email: "ada.lovelace@example.com",
        reason: "unsubscribe",
        email_id: email.id,
        event_id: told[0].id,
      },
    ])
    expect(await findEmail()).toEqual(email)
  })

  test("a multipart form, no body, and the button of the page work too", async () => {
    const multipart = new FormData()
    multipart.set("List-Unsubscribe", "One-Click")
    for (const [init, method] of [
      [{ body: multipart }, "one-click"],
      [{}, "one-click"],
      [{ body: new URLSearchParams({ by: "page" }) }, "page"],
    ] as const) {
      await send("bob@example.com")
      expect((await click(token, init)).status).toBe(200)
      expect((await events())[0].data.method).toBe(method)
    }
  })

  test("who clicks again after the owner removed the suppression is suppressed again, without a second event", async () => {
    await click(token, form)
    await pool().query("DELETE FROM suppressions")
    await click(token, form)
    expect(await suppressions()).toHaveLength(1)
    expect(await events()).toHaveLength(1)
  })

  test("an unsubscribe takes the place of a bounce and leaves a complaint", async () => {
    const email = "ada.lovelace@example.com"
    await suppress(world.projectId, { email, reason: "bounce" })
    await click(token, form)
    expect((await suppressions())[0].reason).toBe("unsubscribe")
    expect(await suppress(world.projectId, { email, reason: "bounce" })).toBe(false)
    await suppress(world.projectId, { email, reason: "complaint" })
    await click(token, form)
    expect((await suppressions())[0].reason).toBe("complaint")
  })

  test("a token with any flipped bit, of another purpose, or of 10 KB is 404 and changes nothing", async () => {
    const bytes = Buffer.from(token, "base64url")
    const forged = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const copy = Buffer.from(bytes)
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      return copy.toString("base64url")
    })
    const foreign = unsubscribeToken(deliveryId, (purpose, text) => hmac(`${purpose}-other`, text))
    for (const bad of [...forged, foreign, "", "x", "a".repeat(10_240), `${token}=`, `${token}A`, "../v1", "\0"]) {
      expect((await click(bad, form)).status).toBe(404)
    }
    const html = await (await look(`${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`)).text()
    expect(html).toContain("<h1>This link is not valid</h1>")
    expect(html).not.toMatch(/<form|<a /)
    expect(html.match(/<p>.*<\/p>/g)).toEqual([
      "<p>It may have been cut off. Copy the whole link from the email, or write to whoever sent it.</p>",
    ])
    expect(await suppressions()).toEqual([])
  })

  test("a genuine token whose mail is gone is told the same as any other", async () => {
    for (const answer of [await click(unsubscribeToken(newId(), hmac), form), await click(token, form)]) {
      expect({ status: answer.status, text: await answer.text() }).toEqual({
        status: 200,
        text: expect.stringContaining("You are unsubscribed"),
      })
    }
  })

  test("JSON and more than 64 KiB are refused and change nothing", async () => {
    const json = { body: "{}", headers: { "content-type": "application/json" } }
    expect((await click(token, json)).status).toBe(415)
    expect((await click(token, { ...form, body: "x".repeat(70_000) })).status).toBe(413)
    expect(await suppressions()).toEqual([])
  })
})

describe("GET /u/{token}", () => {
  test("shows one button and changes nothing, for a scanner that follows every link", async () => {
    const answer = await look(token)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(html).toContain("<b>Ada.Lovelace@<wbr>example.com</b>")
    expect(html).toContain("&#60;b&#62;Acme")
    expect(html.match(/<button/g)).toHaveLength(1)
    expect(html).not.toMatch(/<script|mailroom/i)
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect(answer.headers.get("x-robots-tag")).toBe("noindex")
    expect(answer.headers.get("content-security-policy")).toMatch(/default-src 'none'.*form-action 'self'/)
    expect(await suppressions()).toEqual([])
    expect(await events()).toEqual([])
    expect(await findEmail()).toEqual(email)
  })

  test("a token that we did not make is 404", async () => {
    for (const bad of ["x", "a".repeat(44), "a".repeat(10_240)]) expect((await look(bad)).status).toBe(404)
  })
})
