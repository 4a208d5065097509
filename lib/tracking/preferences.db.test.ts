import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { unsubscribeToken } from "@/lib/delivery/message/unsubscribe"
import { hmac } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { decodeId } from "@/lib/platform/ids"
import { suppress } from "@/lib/consent/data"
import { acceptPreferenceForm, showLogo, showPreferences, showUnsubscribe, unsubscribe } from "@/lib/tracking/links"

let world: World
let news: string
let offers: string
let secret: string
let serial = 0

beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
  news = await addTopic({
    name: "News",
    description: "<i>Monthly</i>",
    defaultSubscription: "opt_in",
    visibility: "public",
  })
  offers = await addTopic({ name: "Offers", defaultSubscription: "opt_out", visibility: "public" })
  secret = await addTopic({ name: "Internal", defaultSubscription: "opt_in", visibility: "private" })
})

let email: string
let token: string
beforeEach(async () => {
  email = `reader${++serial}@example.com`
  token = await send(null)
})

const params = () => ({ projectId: world.project })

async function addTopic(body: object): Promise<string> {
  return (await api("POST /v1/projects/{projectId}/topics", { key: world.apiKey, params: params(), body })).json.id
}

async function send(topicId: string | null): Promise<string> {
  const body = { from: "Acme <hello@acme.test>", to: email, subject: "Hello", text: "Hi" }
  const { json } = await api("POST /v1/emails", { key: world.apiKey, body })
  const id = decodeId("email", json.id)
  await pool().query("UPDATE emails SET topic_id = $2 WHERE id = $1", [id, topicId && decodeId("top", topicId)])
  const { rows } = await pool().query("SELECT id FROM deliveries WHERE email_id = $1", [id])
  return unsubscribeToken(rows[0].id, hmac)
}

const url = (of: string) => `http://localhost:3000/u/${of}/preferences`
const preferencesPage = async (of = token) => (await showPreferences(of)).text()
const post = async (fields: [string, string][], of = token) =>
  (await acceptPreferenceForm(new Request(url(of), { method: "POST", body: new URLSearchParams(fields) }), of)).text()
const oneClick = (of: string) =>
  unsubscribe(
    new Request(url(of), { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) }),
    of,
  )
const ticked = (html: string) => [...html.matchAll(/value="(top_\w+)" checked/g)].map(([, id]) => id)
const contact = async () =>
  (await api("GET /v1/projects/{projectId}/contacts", { key: world.apiKey, params: params(), query: { email } })).json
    .data[0]
const suppressed = async () => (await pool().query("SELECT reason FROM suppressions WHERE email = $1", [email])).rows
const events = async () =>
  (await pool().query("SELECT data FROM events WHERE type = 'unsubscribed' AND data->>'to' = $1", [email])).rows
const remembered = async () =>
  (await pool().query("SELECT topic_id FROM topic_opt_outs WHERE email = $1", [email])).rows
const shown = (): [string, string][] => [
  ["action", "save"],
  ["shown", news],
  ["shown", offers],
]

describe("the preference page", () => {
  test("shows public topics with the state that holds, escaped, without script, and changes nothing", async () => {
    const answer = await showPreferences(token)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(ticked(html)).toEqual([news])
    expect(html).toContain("&#60;i&#62;Monthly")
    expect(html).not.toMatch(/Internal|<script|mailroom/i)
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'/)
    expect({ contact: await contact(), suppressed: await suppressed(), events: await events() }).toEqual({
      contact: undefined,
      suppressed: [],
      events: [],
    })
  })

  test("keeps what the recipient chose, and only that, as the contact's own preference", async () => {
    const html = await post([...shown(), ["topic", news], ["topic", offers]])
    expect(html).toContain("Saved.")
    expect(ticked(html)).toEqual([news, offers])
    expect((await contact()).topics).toEqual([{ topicId: offers, subscription: "opt_in" }])
    expect(ticked(await post([...shown(), ["topic", offers]]))).toEqual([offers])
    expect(ticked(await preferencesPage())).toEqual([offers])
  })

  test("a topic that the page did not show cannot be changed by it", async () => {
    await post([
      ["action", "save"],
      ["shown", secret],
      ["shown", "top_nope"],
      ["topic", "top_nope"],
    ])
    expect((await contact()).topics).toEqual([])
    await post([
      ["action", "save"],
      ["topic", offers],
    ])
    expect((await contact()).topics).toEqual([])
  })

  test("leaving all suppresses and says so once; coming back removes that suppression alone, and is audited", async () => {
    await post([...shown(), ["topic", news]])
    expect(await post([["action", "leave"]])).toContain("unsubscribed from all")
    await post([["action", "leave"]])
    expect(await suppressed()).toEqual([{ reason: "unsubscribe" }])
    expect((await contact()).unsubscribed).toBe(true)
    expect(await events()).toHaveLength(1)
    expect(ticked(await post([["action", "return"]]))).toEqual([news])
    expect({ suppressed: await suppressed(), unsubscribed: (await contact()).unsubscribed }).toEqual({
      suppressed: [],
      unsubscribed: false,
    })
    const { rows } = await pool().query("SELECT action, actor_kind FROM audit_entries WHERE target = $1", [email])
    expect(rows).toEqual([{ action: "suppressions.remove", actor_kind: "recipient" }])
    await pool().query(
      "INSERT INTO suppressions (id, project_id, email, reason) VALUES (gen_random_uuid(), $1, $2, 'complaint')",
      [world.projectId, email],
    )
    await post([["action", "return"]])
    expect(await suppressed()).toEqual([{ reason: "complaint" }])
  })

  test("tells of an unsubscribe beside a complaint, whichever came first, and of what only the sender can undo", async () => {
    const complain = () => suppress(world.projectId, { email, reason: "complaint" })
    for (const steps of [
      [complain, () => post([["action", "leave"]])],
      [() => post([["action", "leave"]]), complain],
    ]) {
      email = `reader${++serial}@example.com`
      token = await send(null)
      await post([...shown(), ["topic", offers]])
      for (const step of steps) await step()
      const html = await preferencesPage()
      expect(html).toContain("You have unsubscribed from all of them.")
      expect(html).toMatch(/reported as spam.*Only the sender/)
      expect(html).toContain("Take back the unsubscribe")
      const after = await post([["action", "return"]])
      expect(after).not.toContain("You have unsubscribed")
      expect(after).toContain("reported as spam")
      expect(ticked(after)).toEqual([offers])
      expect({ suppressed: await suppressed(), unsubscribed: (await contact()).unsubscribed }).toEqual({
        suppressed: [{ reason: "complaint" }],
        unsubscribed: false,
      })
      const { rows } = await pool().query("SELECT action, actor_kind FROM audit_entries WHERE target = $1", [
        (await contact()).id,
      ])
      expect(rows).toEqual([{ action: "contact.resubscribed", actor_kind: "recipient" }])
    }
  })

  test("remembers the unsubscribe of a complainer who was no contact, also when the complaint is lifted", async () => {
    await suppress(world.projectId, { email, reason: "complaint" })
    expect(await post([["action", "leave"]])).toContain("You have unsubscribed from all of them.")
    const lifted = await api("DELETE /v1/projects/{projectId}/suppressions/{email}", {
      key: world.apiKey,
      params: { ...params(), email },
    })
    expect({ status: lifted.status, suppressed: await suppressed() }).toEqual({
      status: 204,
      suppressed: [{ reason: "unsubscribe" }],
    })
  })

  test("a plain address that left all and then complained takes the unsubscribe back, which is audited; the complaint stays", async () => {
    await post([["action", "leave"]])
    await suppress(world.projectId, { email, reason: "complaint" })
    expect(await preferencesPage()).toContain("You have unsubscribed from all of them.")
    const after = await post([["action", "return"]])
    expect(after).not.toContain("You have unsubscribed")
    expect(await suppressed()).toEqual([{ reason: "complaint" }])
    const { rows } = await pool().query("SELECT action, actor_kind FROM audit_entries WHERE target = $1", [email])
    expect(rows).toEqual([{ action: "suppressions.remove", actor_kind: "recipient" }])
    await api("DELETE /v1/projects/{projectId}/suppressions/{email}", {
      key: world.apiKey,
      params: { ...params(), email },
    })
    expect(await suppressed()).toEqual([])
  })

  test("tells when mail came back or the sender has stopped it, and does not say so of an unsubscribe alone", async () => {
    for (const [reason, words] of [
      ["bounce", "came back"],
      ["manual", "the sender has stopped"],
    ] as const) {
      await pool().query("DELETE FROM suppressions WHERE email = $1", [email])
      await suppress(world.projectId, { email, reason })
      expect(await preferencesPage()).toContain(words)
      expect(await preferencesPage()).toContain("Unsubscribe from all")
    }
    const left = await post([["action", "leave"]])
    expect(left).toContain("Get emails again")
    expect(left).not.toContain("You get none")
  })

  test("a genuine token whose mail is gone keeps its status, for reading and for choosing", async () => {
    const gone = unsubscribeToken("01890000-0000-7000-8000-000000000000", hmac)
    const answers = [
      await showPreferences(gone),
      await acceptPreferenceForm(
        new Request(url(gone), { method: "POST", body: new URLSearchParams({ action: "save" }) }),
        gone,
      ),
    ]
    for (const answer of answers)
      expect({ status: answer.status, text: await answer.text() }).toEqual({
        status: 200,
        text: expect.stringContaining("This link has expired"),
      })
  })

  test("forged, foreign and long tokens are 404 for everything, JSON and large bodies are refused", async () => {
    const flipped = `${token.slice(0, 20)}${token[20] === "A" ? "B" : "A"}${token.slice(21)}`
    for (const bad of [flipped, "", "x", "a".repeat(10_240)]) {
      expect((await showPreferences(bad)).status).toBe(404)
      expect(
        (
          await acceptPreferenceForm(
            new Request(url("x"), { method: "POST", body: new URLSearchParams({ action: "leave" }) }),
            bad,
          )
        ).status,
      ).toBe(404)
      expect((await showLogo(bad)).status).toBe(404)
    }
    const json = new Request(url(token), {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    })
    expect((await acceptPreferenceForm(json, token)).status).toBe(415)
    expect(
      (
        await acceptPreferenceForm(
          new Request(url(token), { method: "POST", body: new URLSearchParams({ x: "x".repeat(70_000) }) }),
          token,
        )
      ).status,
    ).toBe(413)
    expect(await suppressed()).toEqual([])
  })
})

describe("one click in mail of a topic", () => {
  test("leaves that topic, not the project, however often and at once it comes, and is remembered without a contact until one is added", async () => {
    token = await send(secret)
    const page = await (await showUnsubscribe(token)).text()
    expect(page).toContain("<b>Internal</b>")
    expect(page.match(/<button/g)).toHaveLength(1)
    expect(
      (await Promise.all([oneClick(token), oneClick(token), oneClick(token)])).map(({ status }) => status),
    ).toEqual([200, 200, 200])
    expect(await contact()).toBeUndefined()
    expect(ticked(await preferencesPage())).toEqual([news])
    expect(await suppressed()).toEqual([])
    expect(await events()).toEqual([{ data: { to: email, subject: "Hello", method: "one-click", topicId: secret } }])
    expect(await preferencesPage()).toContain("Internal")

    const body = {
      email,
      topics: [
        { id: secret, subscription: "opt_in" },
        { id: offers, subscription: "opt_in" },
      ],
    }
    const made = await api("POST /v1/projects/{projectId}/contacts", { key: world.apiKey, params: params(), body })
    expect(made.json.topics).toEqual([
      { topicId: offers, subscription: "opt_in" },
      { topicId: secret, subscription: "opt_out" },
    ])
    expect(await remembered()).toEqual([])
    await api("DELETE /v1/projects/{projectId}/contacts/{contactId}", {
      key: world.apiKey,
      params: { ...params(), contactId: made.json.id },
    })
    expect(await remembered()).toEqual([{ topic_id: decodeId("top", secret) }])
    await api("PUT /v1/projects/{projectId}/contacts", { key: world.apiKey, params: params(), body })
    expect((await contact()).topics).toContainEqual({ topicId: secret, subscription: "opt_out" })
    await api("PUT /v1/projects/{projectId}/contacts", { key: world.apiKey, params: params(), body })
    expect((await contact()).topics).toContainEqual({ topicId: secret, subscription: "opt_in" })
  })

  test("shows a plain address that it gets the topic of the mail, and comes back by the page after it left", async () => {
    token = await send(offers)
    expect(ticked(await preferencesPage())).toEqual([news, offers])
    await oneClick(token)
    expect(ticked(await preferencesPage())).toEqual([news])
    expect(ticked(await post([...shown(), ["topic", news], ["topic", offers]]))).toEqual([news, offers])
    expect({ remembered: await remembered(), topics: (await contact()).topics }).toEqual({
      remembered: [],
      topics: [{ topicId: offers, subscription: "opt_in" }],
    })
  })

  test("by the page of choices is told as by the button: once, and only of the mail's own topic", async () => {
    token = await send(news)
    await post([...shown(), ["topic", news], ["topic", offers]])
    await post([...shown(), ["topic", news]])
    expect(await events(), "leaving another topic").toEqual([])
    await post(shown())
    const left = { to: email, subject: "Hello", method: "page", topicId: news }
    expect(await events(), "leaving its own").toEqual([{ data: left }])
    await post([...shown(), ["topic", news]])
    await post(shown())
    await oneClick(token)
    expect(await events(), "leaving it again").toHaveLength(1)
  })

  test("a plain address that leaves a topic whose default is not to get it is told too, one that had left is not", async () => {
    token = await send(offers)
    await post([...shown(), ["topic", news]])
    expect(await events(), "leaving").toMatchObject([{ data: { method: "page", topicId: offers } }])
    token = await send(offers)
    await post([...shown(), ["topic", news]])
    expect(await events(), "what it had left").toHaveLength(1)
  })

  test("is forgotten with its topic", async () => {
    const brief = await addTopic({ name: "Brief", defaultSubscription: "opt_in" })
    token = await send(brief)
    await oneClick(token)
    expect(await remembered()).toHaveLength(1)
    await api("DELETE /v1/projects/{projectId}/topics/{topicId}", {
      key: world.apiKey,
      params: { ...params(), topicId: brief },
    })
    expect(await remembered()).toEqual([])
  })

  test("of a topic that was deleted since leaves all, so that the click is not in vain", async () => {
    const gone = await addTopic({ name: "Gone", defaultSubscription: "opt_in" })
    token = await send(gone)
    await api("DELETE /v1/projects/{projectId}/topics/{topicId}", {
      key: world.apiKey,
      params: { ...params(), topicId: gone },
    })
    await oneClick(token)
    expect(await suppressed()).toEqual([{ reason: "unsubscribe" }])
  })
})

describe("the brand of a project", () => {
  const update = (branding: unknown) =>
    api("PATCH /v1/projects/{projectId}", { key: world.apiKey, params: params(), body: { branding } })
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  )
  const logo = `data:image/png;base64,${png.toString("base64")}`

  test("name, colour and logo are shown on the pages, the logo from our own origin and only as a picture", async () => {
    const { status, json } = await update({ name: "Acme & Sons", color: "#1D4ED8", logo })
    expect({ status, branding: json.branding }).toEqual({
      status: 200,
      branding: { name: "Acme & Sons", color: "#1d4ed8", logo },
    })
    for (const html of [await preferencesPage(), await (await showUnsubscribe(token)).text()]) {
      expect(html).toContain("--button: #1d4ed8; --label: #ffffff")
      expect(html).toContain(`<img src="/u/${token}/logo" alt="Acme &#38; Sons">`)
    }
    const picture = await showLogo(token)
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(png)
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    })
    const list = await api("GET /v1/projects", { key: world.apiKey })
    expect(list.json.data[0]).not.toHaveProperty("branding")
    expect((await update({ logo: null })).json.branding).toEqual({ name: "Acme & Sons", color: "#1d4ed8" })
    expect((await update({ name: null, color: null })).json).not.toHaveProperty("branding")
  })

  test("the preview is the page of somebody who has chosen nothing, with the logo inlined", async () => {
    await update({ logo, color: "#1d4ed8" })
    const { json } = await api("GET /v1/projects/{projectId}/preference-page", { key: world.apiKey, params: params() })
    expect(ticked(json.html)).toEqual([news])
    expect(json.html).toContain(`<img src="${logo}"`)
    expect(json.html).not.toMatch(/<script|Internal/)
    await update({ logo: null, color: null })
  })

  test("what is no colour and no picture is refused with its pointer", async () => {
    const { status, json } = await update({
      name: " ",
      color: "red; background: url(//evil)",
      logo: "data:image/svg+xml;base64,PHN2Zy8+",
    })
    expect({ status, errors: json.errors.map(({ pointer }: { pointer: string }) => pointer) }).toEqual({
      status: 400,
      errors: ["/branding/name", "/branding/color", "/branding/logo"],
    })
  })
})
