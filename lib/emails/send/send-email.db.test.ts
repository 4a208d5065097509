import { beforeAll, describe, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { expectProblem } from "@/e2e/support/expect-problem"
import { api, type Call, newKey, newWorld, type World } from "@/e2e/support/world"
import { usedToday } from "@/e2e/support/used-today"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

const from = "Acme <hello@acme.test>"
const mail = { from, to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }

async function newSender(): Promise<World> {
  const world = await newWorld()
  await pool().query(
    `INSERT INTO domains (id, project_id, name, region, mail_from_domain, tracking_domain, status, records)
      VALUES ($1, $2, 'acme.test', 'eu-west-1', $3, 'links.acme.test', 'verified', '{}')`,
    [newId(), world.projectId, `${world.projectId}.acme.test`],
  )
  return world
}

const send = (world: World, body: unknown, call: Call = {}) =>
  api("POST /v1/emails", { key: world.apiKey, body, ...call })
const batch = (world: World, items: unknown[]) => api("POST /v1/emails/batch", { key: world.apiKey, body: { items } })

async function suppress(world: World, email: string) {
  await pool().query("INSERT INTO suppressions (id, project_id, email, reason) VALUES ($1, $2, $3, 'manual')", [
    newId(),
    world.projectId,
    email,
  ])
}

async function countEmails(world: World): Promise<number> {
  return (await pool().query("SELECT count(*)::int AS n FROM emails WHERE project_id = $1", [world.projectId])).rows[0]
    .n
}

describe("POST /v1/emails", () => {
  let world: World
  beforeAll(async () => {
    world = await newSender()
  })

  test("a body without content is absent: refused at /text where there is no other, and not part of the email", async () => {
    const pointers = ({ json }: { json: { errors?: { pointer: string }[] } }) =>
      json.errors?.map(({ pointer }) => pointer)
    for (const bodies of [{ text: "" }, { html: "" }, { html: " ", text: "\n" }, { html: "\u00a0", text: "\u200b" }]) {
      const { text: _text, ...bare } = mail
      const answer = await send(world, { ...bare, ...bodies })
      expect({ status: answer.status, pointers: pointers(answer) }).toEqual({ status: 400, pointers: ["/text"] })
    }
    expect((await send(world, { ...mail, text: undefined })).json.errors[0].pointer).toBe("/html")
    const { json } = await send(world, {
      ...mail,
      html: "\u2003",
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    const read = await api("GET /v1/emails/{emailId}", { key: world.apiKey, params: { emailId: json.id } })
    expect(read.json.text).toBe("Hi")
    expect("html" in read.json).toBe(false)
    const { json: many } = await batch(world, [
      { ...mail, html: "" },
      { ...mail, text: " " },
    ])
    expect(many.results).toMatchObject([{ status: "queued" }, { problem: { errors: [{ detail: expect.anything() }] } }])
    expect(many.results[1].problem.errors[0].pointer).toMatch(/\/text$/)
  })

  test("headers for a relay, one header in two spellings, and a contentId given twice are refused where they are", async () => {
    const pointers = async (more: object) =>
      (await send(world, { ...mail, ...more })).json.errors?.map(({ pointer }: { pointer: string }) => pointer)
    expect(await pointers({ headers: { "X-SMTPAPI": '{"to":["e@x.example"]}', "X-A": "1" } })).toEqual([
      "/headers/X-SMTPAPI",
    ])
    const twice = { References: "<a@b.example>", references: "<c@b.example>" }
    expect(await pointers({ headers: twice })).toEqual(["/headers/references"])
    expect(await pointers({ headers: { "List-Help": "https://a.example" } })).toEqual(["/headers/List-Help"])
    const file = { filename: "a.png", content: "aGk=", contentType: "image/png" }
    const files = ["logo", "photo", "Logo"].map((contentId) => ({ ...file, contentId }))
    expect(await pointers({ attachments: [file, file, ...files] })).toEqual(["/attachments/4/contentId"])
    expect(await pointers({ attachments: [{ ...file, contentId: "<logo>" }] })).toEqual(["/attachments/0/contentId"])
    expect(await pointers({ attachments: [file, file, files[0], files[1]] })).toBeUndefined()
  })

  test("an accepted email answers 201 with Location and can be read back with its body", async () => {
    const sent = await send(world, { ...mail, tags: { kind: "receipt" }, metadata: { order: "1" } })
    expect(sent.status).toBe(201)
    expect(sent.json).toMatchObject({ status: "queued", messageId: expect.stringMatching(/^<.+@acme\.test>$/) })
    expect(sent.headers.get("location")).toBe(`/v1/emails/${sent.json.id}`)
    const read = await api("GET /v1/emails/{emailId}", { key: world.apiKey, params: { emailId: sent.json.id } })
    expect(read.json).toMatchObject({
      ...mail,
      id: sent.json.id,
      testMode: false,
      tags: { kind: "receipt" },
      metadata: { order: "1" },
    })
  })

  test("what kind of mail it was comes back, alone and in the list: category, topic and tracking", async () => {
    const made = await api("POST /v1/projects/{projectId}/topics", {
      key: world.apiKey,
      params: { projectId: world.project },
      body: { name: "News", defaultSubscription: "opt_in" },
    })
    const kind = { topicId: made.json.id, sendTimeCategory: "marketing" }
    const { json } = await send(world, {
      ...mail,
      ...kind,
      trackingSettings: { openTracking: true, unsubscribeTracking: false },
    })
    const kept = { ...kind, trackingSettings: { openTracking: true, unsubscribeTracking: true } }
    expect(
      (await api("GET /v1/emails/{emailId}", { key: world.apiKey, params: { emailId: json.id } })).json,
    ).toMatchObject(kept)
    const list = await api("GET /v1/projects/{projectId}/emails", {
      key: world.apiKey,
      params: { projectId: world.project },
      query: { size: "1" },
    })
    expect(list.json.data[0]).toMatchObject({ id: json.id, ...kept })
    const plain = await send(world, mail)
    const read = await api("GET /v1/emails/{emailId}", { key: world.apiKey, params: { emailId: plain.json.id } })
    expect(read.json).toMatchObject({
      sendTimeCategory: "transactional",
      trackingSettings: { unsubscribeTracking: false },
    })
  })

  test("transactional email carries no unsubscribe link by default, whatever the project's setting", async () => {
    await pool().query("UPDATE projects SET unsubscribe_tracking = true WHERE id = $1", [world.projectId])
    const { json } = await send(world, mail)
    await pool().query("UPDATE projects SET unsubscribe_tracking = false WHERE id = $1", [world.projectId])
    const read = await api("GET /v1/emails/{emailId}", { key: world.apiKey, params: { emailId: json.id } })
    expect(read.json.trackingSettings).toEqual({ unsubscribeTracking: false })
  })

  test("several addresses without cc make one message each; repeats are dropped", async () => {
    const { json } = await send(world, { ...mail, to: ["a@x.example", "A@x.example", "b@x.example"] })
    expect(json.messages).toHaveLength(2)
    expect(json.id).toBe(json.messages[0].id)
  })

  test("with cc there is one shared message with a delivery per recipient", async () => {
    const { json } = await send(world, { ...mail, to: ["a@x.example", "b@x.example"], cc: ["c@x.example"] })
    expect(json.messages).toBeUndefined()
    const deliveries = await api("GET /v1/projects/{projectId}/emails/{emailId}/deliveries", {
      key: world.apiKey,
      params: { projectId: world.project, emailId: json.id },
    })
    expect(deliveries.json.data.map((one: { role: string; address: string }) => `${one.role} ${one.address}`)).toEqual([
      "to a@x.example",
      "to b@x.example",
      "cc c@x.example",
    ])
  })

  test("every invalid field is named at once, by its pointer", async () => {
    const { status, json } = await send(world, {
      from: "nobody",
      to: ["u@x.example,e@evil.example", "ok@x.example"],
      subject: "",
      htlm: "x",
      attachments: [{ filename: "../x", content: "%%%", contentType: "text/plain" }],
    })
    expect(status).toBe(400)
    const pointers = json.errors.map((fault: { pointer: string }) => fault.pointer)
    for (const pointer of [
      "/from",
      "/to/0",
      "/subject",
      "/htlm",
      "/attachments/0/filename",
      "/attachments/0/content",
    ]) {
      expect(pointers).toContain(pointer)
    }
  })

  test("an unverified, foreign or look-alike sender domain is 422", async () => {
    for (const sender of ["ceo@bank.example", "a@verified.acme.test", "a@acme.test.evil.example", "a@аcme.test"]) {
      const { status, json } = await send(world, { ...mail, from: sender })
      expect({ status, code: json.code }, sender).toEqual({ status: 422, code: "email.from_domain_not_verified" })
    }
    expect((await send(world, { ...mail, from: "a@ACME.test" })).status).toBe(201)
  })

  test("an audience id is 400 with its pointer until it names something", async () => {
    const { status, json } = await send(world, { ...mail, to: ["seg_01k9q3f7c2e8m9v4x6y8z0a1b3"] })
    expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "/to/0" })
  })

  test.each([
    ["a category", { sendTimeCategory: "marketing" }],
    ["a wish", { trackingSettings: { unsubscribeTracking: true } }],
  ])(
    "a caller's List-Unsubscribe beside ours, set because of %s, is 400 at that header, and 201 where we set none",
    async (_, fields) => {
      const headers = {
        "list-unsubscribe": "<https://acme.example/leave>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }
      const { status, json } = await send(world, { ...mail, ...fields, headers })
      expect(status).toBe(400)
      expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
        "/headers/list-unsubscribe",
        "/headers/List-Unsubscribe-Post",
      ])
      expect(
        (await send(world, { ...mail, ...fields, trackingSettings: { unsubscribeTracking: false }, headers })).status,
      ).toBe(201)
      expect((await send(world, { ...mail, headers })).status).toBe(201)
    },
  )

  test("more distinct addresses than the project allows is 400 with the pointer of the first too many", async () => {
    const to = Array.from({ length: 51 }, (_, i) => `u${i}@x.example`)
    const { status, json } = await send(world, { ...mail, to })
    expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "/to/50" })
    expect((await send(world, { ...mail, to: to.slice(0, 50) })).status).toBe(201)
  })

  test("attachments over 10 MiB decoded are 413", async () => {
    const content = Buffer.alloc(10 * 2 ** 20 + 1).toString("base64")
    const { status, json } = await send(world, {
      ...mail,
      attachments: [{ filename: "a.bin", contentType: "application/octet-stream", content }],
    })
    expectProblem({ status, json }, 413, "request.too_large")
  })

  test("a time too near, too far or invalid is 400; a good one is scheduled and can be cancelled once", async () => {
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
    for (const scheduledAt of [inMs(5_000), inMs(31 * 24 * 3600_000), "2026-13-01T00:00:00Z", "tomorrow"]) {
      const { status, json } = await send(world, { ...mail, scheduledAt })
      expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "/scheduledAt" })
    }
    const { json } = await send(world, { ...mail, scheduledAt: inMs(60_000) })
    expect(json.status).toBe("scheduled")
    const cancel = () => api("DELETE /v1/emails/{emailId}", { key: world.apiKey, params: { emailId: json.id } })
    expect((await cancel()).json).toEqual({ cancelled: true })
    expect((await cancel()).json.code).toBe("email.not_cancellable")
  })

  test("a suppressed single recipient is 201 suppressed and costs no quota; with cc the others still get theirs", async () => {
    const own = await newSender()
    await suppress(own, "blocked@x.example")
    const one = await send(own, { ...mail, to: ["Blocked@X.example"] })
    expect({ oneStatus: one.status, jsonStatus: one.json.status, usedToday: await usedToday(own) }).toEqual({
      oneStatus: 201,
      jsonStatus: "suppressed",
      usedToday: 0,
    })
    const shared = await send(own, { ...mail, to: ["blocked@x.example"], cc: ["fine@x.example"] })
    expect({ status: shared.json.status, usedToday: await usedToday(own) }).toEqual({ status: "queued", usedToday: 1 })
  })
})

describe("idempotency", () => {
  test("one key sent 50 times in parallel makes one email", async () => {
    const world = await newSender()
    const all = await Promise.all(Array.from({ length: 50 }, () => send(world, { ...mail, idempotencyKey: "order-1" })))
    const created = all.filter(({ status }) => status === 201)
    expect(new Set(created.map(({ json }) => json.id)).size).toBe(1)
    expect(all.every(({ status, json }) => status === 201 || json.code === "email.idempotency_conflict")).toBe(true)
    expect(created.filter(({ headers }) => !headers.has("idempotent-replayed"))).toHaveLength(1)
    expect(await countEmails(world)).toBe(1)
    expect(await usedToday(world)).toBe(1)
  })

  test("a persisted key replays the original body whatever the rest says, even where that is invalid today", async () => {
    const world = await newSender()
    const first = await send(world, { ...mail, to: ["a@x.example", "b@x.example"], idempotencyKey: "k" })
    for (const body of [{ ...mail, subject: "Other" }, { subject: "" }, { ...mail, from: "x@unverified.example" }]) {
      const again = await send(world, { ...body, idempotencyKey: "k" })
      expect({
        status: again.status,
        json: again.json,
        idempotentReplayed: again.headers.get("idempotent-replayed"),
      }).toEqual({ status: 201, json: first.json, idempotentReplayed: "true" })
    }
  })

  test("a refused send does not burn its key, and the same key in another project makes its own email", async () => {
    const [world, other] = [await newSender(), await newSender()]
    expect((await send(world, { ...mail, from: "x@unverified.example", idempotencyKey: "k" })).status).toBe(422)
    const sent = await send(world, { ...mail, idempotencyKey: "k" })
    const foreign = await send(other, { ...mail, idempotencyKey: "k" })
    expect(sent.status).toBe(201)
    expect(foreign.status).toBe(201)
    expect(sent.json.id === foreign.json.id).toBe(false)
  })

  test(
    "while another transaction holds the day's allowance, a keyed send is 409 and any other 503 within seconds, all alike",
    measured,
    async () => {
      const world = await newSender()
      await send(world, mail)
      const holder = await pool().connect()
      try {
        await holder.query("BEGIN")
        await holder.query("SELECT 1 FROM quota_days WHERE organization_id = $1 FOR UPDATE", [world.organizationId])
        const startedAt = performance.now()
        const [keyed, bare] = await Promise.all([
          Promise.all([1, 2, 3].map((n) => send(world, { ...mail, idempotencyKey: `held-${n}` }))),
          Promise.all([1, 2, 3].map(() => send(world, mail))),
        ])
        expect(performance.now() - startedAt).toBeLessThan(6_000)
        for (const { status, json, headers } of keyed)
          expect({ status, code: json.code, retryAfter: headers.get("retry-after") }).toEqual({
            status: 409,
            code: "email.idempotency_conflict",
            retryAfter: "1",
          })
        for (const { status, headers } of bare)
          expect({ status, retryAfter: headers.get("retry-after") }).toEqual({ status: 503, retryAfter: "1" })
      } finally {
        await holder.query("ROLLBACK")
        holder.release()
      }
      expect((await send(world, { ...mail, idempotencyKey: "held-1" })).status).toBe(201)
    },
  )

  test("a key of null is no key: two such requests make two emails", async () => {
    const world = await newSender()
    const ids = await Promise.all(
      [1, 2].map(
        async () => (await send(world, { ...mail, idempotencyKey: null, replyTo: null, testMode: null })).json.id,
      ),
    )
    expect(new Set(ids).size).toBe(2)
  })

  test("the header Idempotency-Key is not read, and an invalid body key is 400", async () => {
    const world = await newSender()
    const headers = { "idempotency-key": "h" }
    const [a, b] = [await send(world, mail, { headers }), await send(world, mail, { headers })]
    expect(a.json.id).not.toBe(b.json.id)
    for (const idempotencyKey of ["", "x".repeat(257), 7, "a\u0000b", "line\nbreak"]) {
      const { status, json } = await send(world, { ...mail, idempotencyKey })
      expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "/idempotencyKey" })
    }
  })
})

describe("the simulator's suppressed@", () => {
  test("is held back as a suppressed address with any label, costs nothing and leaves the list as it is", async () => {
    const world = await newSender()
    for (const to of ["suppressed@simulator.mailroom.test", "Suppressed+a@Simulator.mailroom.test"]) {
      expect((await send(world, { ...mail, to })).json.status).toBe("suppressed")
    }
    expect(await usedToday(world)).toBe(0)
    const { rows } = await pool().query("SELECT type FROM events WHERE project_id = $1", [world.projectId])
    expect(rows).toEqual([{ type: "suppressed" }, { type: "suppressed" }])
    const list = await pool().query("SELECT 1 FROM suppressions WHERE project_id = $1", [world.projectId])
    expect(list.rowCount).toBe(0)
  })

  test("does not hold the others of a message, nor the same name elsewhere", async () => {
    const world = await newSender()
    const { json } = await send(world, { ...mail, cc: ["suppressed@simulator.mailroom.test"] })
    expect(json.status).toBe("queued")
    expect(await usedToday(world)).toBe(1)
    for (const to of ["suppressed@lovelace.example", "suppressed@x.simulator.mailroom.test"])
      expect((await send(world, { ...mail, to })).json.status).toBe("queued")
  })
})

describe("an address that the simulator does not have", () => {
  test("is refused where it is, however it is sent to, and nothing is stored", async () => {
    const world = await newSender()
    const to = ["delivered+a@simulator.mailroom.test", "Bounce+a@Simulator.mailroom.test"]
    const detail = expect.stringMatching(/^The simulator has no such address\. It has delivered@, bounced@/)
    const { status, json } = await send(world, { ...mail, to })
    expect([status, json.errors]).toEqual([400, [{ pointer: "/to/1", detail }]])
    const shared = await send(world, { ...mail, bcc: ["success@simulator.mailroom.test"] })
    expect([shared.status, shared.json.errors]).toEqual([400, [{ pointer: "/bcc/0", detail }]])
    const params = { projectId: world.project }
    const broadcast = await api("POST /v1/projects/{projectId}/broadcasts", {
      ...{ key: world.apiKey, params, body: { ...mail, to, draft: true } },
    })
    expect([broadcast.status, broadcast.json.errors]).toEqual([400, [{ pointer: "/to/1", detail }]])
    const checked = await api("POST /v1/projects/{projectId}/emails/check-recipients", {
      ...{ key: world.apiKey, params, body: { addresses: to } },
    })
    expect(checked.json.data).toMatchObject([{ state: "sendable" }, { state: "invalid", reason: detail }])
    const { rowCount } = await pool().query("SELECT 1 FROM emails WHERE project_id = $1", [world.projectId])
    expect(rowCount).toBe(0)
  })
})

describe("an unsubscribe link in mail with cc or bcc", () => {
  test("is refused where the request asks for it, in a batch for its item, and a category alone is taken", async () => {
    const world = await newSender()
    const asked = { ...mail, trackingSettings: { unsubscribeTracking: true } }
    for (const shared of [{ cc: ["b@x.example"] }, { bcc: ["b@x.example"] }]) {
      const { status, json } = await send(world, { ...asked, ...shared })
      expect({ status, errors: json.errors }).toEqual({
        status: 400,
        errors: [{ pointer: "/trackingSettings/unsubscribeTracking", detail: expect.stringContaining("cc or bcc") }],
      })
      const taken = await send(world, {
        ...mail,
        ...shared,
        sendTimeCategory: "marketing",
        trackingSettings: { unsubscribeTracking: false },
      })
      expect(taken.status).toBe(201)
      expect((await send(world, { ...mail, ...shared, sendTimeCategory: "marketing" })).status).toBe(201)
    }
    const { json } = await batch(world, [asked, { ...asked, cc: ["b@x.example"] }])
    expect(json.results[0].status).toBe("queued")
    expect(json.results[1].problem.errors[0].pointer).toBe("/items/1/trackingSettings/unsubscribeTracking")
    expect((await send(world, { ...asked, cc: [] })).status).toBe(201)
  })
})

describe("quota", () => {
  test("20 keys of one project share its daily allowance exactly", async () => {
    const world = await newSender()
    await pool().query("UPDATE organizations SET daily_sends = 50 WHERE id = $1", [world.organizationId])
    const keys = await Promise.all(Array.from({ length: 20 }, () => newKey(world.projectId)))
    const all = await Promise.all(
      Array.from({ length: 80 }, (_, i) => api("POST /v1/emails", { key: keys[i % 20]?.apiKey, body: mail })),
    )
    expect(all.filter(({ status }) => status === 201)).toHaveLength(50)
    const refused = all.filter(({ json }) => json.code === "quota.daily_exceeded")
    expect(refused).toHaveLength(30)
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
  })

  test("the bucket of 14 a second holds 280 and then refuses with Retry-After 1; test mode costs nothing", async () => {
    const world = await newSender()
    const items = Array.from({ length: 100 }, () => mail)
    const startedAt = performance.now()
    const results = (await Promise.all([1, 2, 3].map(() => batch(world, items)))).flatMap(({ json }) => json.results)
    const accepted = results.filter(({ status }) => status === "queued").length
    const refilled = (14 * (performance.now() - startedAt)) / 1000
    expect(accepted).toBeGreaterThanOrEqual(280)
    expect(accepted).toBeLessThanOrEqual(280 + Math.ceil(refilled))
    if (accepted < 300)
      expect(results.find(({ status }) => status === "rejected").error).toMatch(/^quota\.send_rate_exceeded: /)
    await pool().query(
      "UPDATE send_allowances SET tokens = 0, refilled_at = now() + interval '1 minute' WHERE project_id = $1",
      [world.projectId],
    )
    const single = await send(world, mail)
    expect({ status: single.status, retryAfter: single.headers.get("retry-after") }).toEqual({
      status: 429,
      retryAfter: "1",
    })
    expect((await send(world, { ...mail, testMode: true })).status).toBe(201)
  })
})

describe("the accept path", () => {
  test("a send is one statement after the cached key, which counts it, too; a batch of 100 is two: its count and the accept", async () => {
    const world = await newSender()
    const query = vi.spyOn(pool(), "query")
    const statements = async (act: () => Promise<unknown>) => {
      query.mockClear()
      await act()
      const texts = query.mock.calls.map(([statement]) =>
        typeof statement === "string" ? statement : (statement as { text: string }).text,
      )
      return (
        texts
          // The announcement of work is one for all that a process commits within a moment.
          .filter((text) => !text.includes("api_keys") && !text.includes("pg_notify"))
          .map((text) => /count_and_accept_emails|accept_emails|count_in_windows/.exec(text)?.[0] ?? text)
      )
    }
    expect(
      await statements(() => send(world, { ...mail, to: ["a@x.example", "b@x.example"], idempotencyKey: "k" })),
    ).toEqual(["count_and_accept_emails"])
    expect(
      await statements(() =>
        batch(
          world,
          Array.from({ length: 100 }, () => mail),
        ),
      ),
    ).toEqual(["count_in_windows", "accept_emails"])
    query.mockRestore()
  })
})

describe("POST /v1/emails/batch", () => {
  test("each item gets the answer it would get alone, and failures never roll back others", async () => {
    const world = await newSender()
    await suppress(world, "blocked@x.example")
    const { status, json } = await batch(world, [
      { ...mail, idempotencyKey: "twice" },
      { subject: "no sender" },
      { ...mail, to: ["blocked@x.example"] },
      { ...mail, idempotencyKey: "twice" },
      { ...mail, from: "x@unverified.example" },
      mail,
    ])
    expect(status).toBe(200)
    expect(json.results.map((one: { index: number; status: string }) => [one.index, one.status])).toEqual([
      [0, "queued"],
      [1, "rejected"],
      [2, "suppressed"],
      [3, "queued"],
      [4, "rejected"],
      [5, "queued"],
    ])
    expect(json.results[3].id).toBe(json.results[0].id)
    expect(json.results[1].id).toBeUndefined()
    expect(json.results[1].problem.errors.map((fault: { pointer: string }) => fault.pointer)).toContain("/items/1/from")
    expect(json.results[4].error).toMatch(/^email\.from_domain_not_verified: /)
    expect(await countEmails(world)).toBe(3)
  })

  test.each([
    ["a defect in storing it", "22003", "Hi", "service.internal_error"],
    ["a database that is lost before its statement", "57P01", "x".repeat(2 ** 20), "service.unavailable"],
  ])("an item that fails by %s is rejected alone, and the others keep their ids", async (_, state, text, code) => {
    const world = await newSender()
    await pool().query(`
      CREATE FUNCTION fail_item() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$;
      CREATE TRIGGER fail_item BEFORE INSERT ON emails FOR EACH ROW WHEN (NEW.subject = 'Fails') EXECUTE FUNCTION fail_item()`)
    const { status, json } = await batch(world, [mail, { ...mail, subject: "Fails", text }, mail])
    await pool().query("DROP TRIGGER fail_item ON emails; DROP FUNCTION fail_item()")
    expect({ status, results: json.results }).toMatchObject({
      status: 200,
      results: [
        { index: 0, status: "queued", id: expect.any(String) },
        { index: 1, status: "rejected", error: expect.stringMatching(`^${code}: `), problem: { code } },
        { index: 2, status: "queued", id: expect.any(String) },
      ],
    })
    expect(await countEmails(world)).toBe(2)
  })

  test("a database that is lost for all items is 503 with Retry-After, and nothing is accepted", async () => {
    const world = await newSender()
    await pool().query(`
      CREATE FUNCTION fail_all() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '57P01'; END $$;
      CREATE TRIGGER fail_all BEFORE INSERT ON emails FOR EACH ROW EXECUTE FUNCTION fail_all()`)
    const answer = await batch(world, [mail, { ...mail, to: ["nobody"] }, mail])
    await pool().query("DROP TRIGGER fail_all ON emails; DROP FUNCTION fail_all()")
    expectProblem(answer, 503, "service.unavailable")
    expect(await countEmails(world)).toBe(0)
  })

  test("an item with text that cannot be stored is refused alone, at its own pointer", async () => {
    const world = await newSender()
    const items = [mail, { ...mail, subject: "cut \ud83d" }, { ...mail, text: "a\0b" }, mail]
    const { status, json } = await batch(world, items)
    expect(status, "the status of the envelope").toBe(200)
    expect(
      json.results.map((one: { status: string }) => one.status),
      "the status of each item",
    ).toEqual(["queued", "rejected", "rejected", "queued"])
    expect(
      json.results
        .slice(1, 3)
        .map((one: { problem: { errors: { pointer: string }[] } }) => one.problem.errors[0]?.pointer),
      "where the first fault of each refused item is",
    ).toEqual(["/items/1/subject", "/items/2/text"])
    expect(await countEmails(world), "emails that were accepted").toBe(2)
  })

  test("only a malformed envelope is 400: no items, more than 100, an item that is no object, no list, or another field", async () => {
    const world = await newSender()
    for (const items of [[], Array.from({ length: 101 }, () => mail), ["x"], [null], mail, "x"]) {
      expect((await batch(world, items as unknown[])).status, JSON.stringify(items).slice(0, 40)).toBe(400)
    }
    const body = { items: [mail], "cut \ud83d": 1 }
    expect((await api("POST /v1/emails/batch", { key: world.apiKey, body })).status, "a bad name beside items").toBe(
      400,
    )
  })
})

describe("reading emails", () => {
  test("the log is newest first without bodies, filters narrow it, and a foreign email looks like none", async () => {
    const [world, other] = [await newSender(), await newSender()]
    const first = await send(world, { ...mail, subject: "First" })
    const second = await send(world, { ...mail, to: ["b@x.example"], subject: "Second" })
    const list = (query: Call["query"]) =>
      api("GET /v1/projects/{projectId}/emails", { key: world.apiKey, params: { projectId: world.project }, query })
    const all = await list({})
    expect(all.json.data.map((one: { id: string }) => one.id)).toEqual([second.json.id, first.json.id])
    expect(all.json.page).toMatchObject({ total: 2, totalPages: 1, hasNextPage: false })
    expect(all.json.data[0]).not.toHaveProperty("text")
    expect((await list({ recipient: "B@x.example" })).json.data).toHaveLength(1)
    expect((await list({ subject: "firs" })).json.data[0].id).toBe(first.json.id)
    expect((await list({ status: "nonsense" })).status).toBe(400)
    const read = (emailId: string) => api("GET /v1/emails/{emailId}", { key: other.apiKey, params: { emailId } })
    const [foreign, unknown] = [await read(first.json.id), await read("email_01k9q3f7c2e8m9v4x6y8z0a1b3")]
    const bare = ({ json: { requestId: _r, instance: _i, ...rest } }: typeof foreign) => rest
    expect(bare(foreign)).toEqual(bare(unknown))
    expect(foreign.status).toBe(404)
  })

  test("cancelling all ends every scheduled email of this project and no other", async () => {
    const [world, other] = [await newSender(), await newSender()]
    const scheduledAt = new Date(Date.now() + 3600_000).toISOString()
    for (const one of [world, world, other]) await send(one, { ...mail, scheduledAt })
    await send(world, mail)
    const { json } = await api("DELETE /v1/emails", { key: world.apiKey })
    expect(json).toEqual({ cancelled: 2 })
    expect((await api("DELETE /v1/emails", { key: other.apiKey })).json).toEqual({ cancelled: 1 })
  })
})
