import { beforeAll, describe, expect, test } from "vitest"
import { api, newKey, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"
import { suppress } from "@/lib/consent/data"

let world: World
beforeAll(async () => {
  world = await newWorld()
  for (const [key, type, fallbackValue] of [
    ["plan", "string", "free"],
    ["visits", "number", undefined],
  ] as const) {
    await api("POST /v1/projects/{projectId}/contact-properties", {
      key: world.apiKey,
      params: params(),
      body: { key, type, fallbackValue },
    })
  }
})

const all = "/v1/projects/{projectId}/contacts" as const
const one = `${all}/{contactId}` as const
const params = (more: Record<string, string> = {}) => ({ projectId: world.project, ...more })
let serial = 0
const freshEmail = () => `person${++serial}@example.com`
const create = async (body: object = {}) => {
  const { apiKey } = await newKey(world.projectId)
  return api(`POST ${all}`, { key: apiKey, params: params(), body: { email: freshEmail(), ...body } })
}
const patch = (contactId: string, body: unknown) =>
  api(`PATCH ${one}`, { key: world.apiKey, params: params({ contactId }), body })
const get = (contactId: string) => api(`GET ${one}`, { key: world.apiKey, params: params({ contactId }) })
const put = (body: unknown) => api(`PUT ${all}`, { key: world.apiKey, params: params(), body })
const pointers = (answer: { json: { errors?: { pointer: string }[] } }) =>
  answer.json.errors?.map(({ pointer }) => pointer)
const reasons = async (email: string) =>
  (
    await pool().query("SELECT reason FROM suppressions WHERE project_id = $1 AND email = $2", [world.projectId, email])
  ).rows.map(({ reason }) => reason)
const audit = async (contactId: string) =>
  (await pool().query("SELECT action FROM audit_entries WHERE target = $1 ORDER BY id", [contactId])).rows.map(
    ({ action }) => action,
  )

async function addSegment(name = `Segment ${newId()}`, filter: unknown = null): Promise<string> {
  const id = newId()
  await pool().query("INSERT INTO segments (id, project_id, name, filter) VALUES ($1, $2, $3, $4)", [
    id,
    world.projectId,
    name,
    filter,
  ])
  return encodeId("seg", id)
}

async function addTopic(defaultSubscription = "opt_out"): Promise<string> {
  const body = { name: "Topic", defaultSubscription }
  return (await api("POST /v1/projects/{projectId}/topics", { key: world.apiKey, params: params(), body })).json.id
}

describe("writing", () => {
  test("an address is added once, whatever its case, when many requests come at once", async () => {
    const answers = await Promise.all(
      ["A@Raced.example", "a@raced.EXAMPLE", "a@raced.example"].map((email) => create({ email })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.json.code).toBe("contact.already_exists")
    expect(answers.find(({ status }) => status === 201)?.json.email).toBe("a@raced.example")
  })

  test("a contact starts with its segments, topics and values, and shows fallbacks where it has none", async () => {
    const [segment, topic] = [await addSegment(), await addTopic()]
    const { json } = await create({
      firstName: "Ada",
      properties: { visits: "42" },
      segments: [{ id: segment }],
      topics: [{ id: topic, subscription: "opt_in" }],
    })
    expect(json).toMatchObject({
      object: "contact",
      firstName: "Ada",
      properties: { plan: "free", visits: "42" },
      segments: [segment],
      topics: [{ topicId: topic, subscription: "opt_in" }],
      unsubscribed: false,
    })
    expect((await get(json.id)).json).toEqual(json)
  })

  test("a change touches what it names: null clears, the property map is replaced whole", async () => {
    const { json } = await create({
      firstName: "Ada",
      lastName: "Byron",
      phone: "1",
      properties: { plan: "pro", visits: "1" },
    })
    const changed = await patch(json.id, { lastName: "Lovelace", phone: null, properties: { visits: "2" } })
    expect(changed.json).toMatchObject({
      firstName: "Ada",
      lastName: "Lovelace",
      properties: { plan: "free", visits: "2" },
    })
    expect(changed.json).not.toHaveProperty("phone")
    expect((await patch(json.id, {})).json.properties).toEqual({ plan: "free", visits: "2" })
  })

  test("single values are set and cleared, and those that are not named stay, one that equals its fallback too", async () => {
    const { json } = await create({ properties: { plan: "free", visits: "1" } })
    expect((await get(json.id)).json.ownProperties.sort()).toEqual(["plan", "visits"])
    const cleared = await patch(json.id, { firstName: "Ada", propertyChanges: { visits: null } })
    expect(cleared.json).toMatchObject({ firstName: "Ada", properties: { plan: "free" }, ownProperties: ["plan"] })
    const answers = await Promise.all([
      patch(json.id, { propertyChanges: { visits: "2" } }),
      patch(json.id, { propertyChanges: { plan: null } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await get(json.id)).json).toMatchObject({
      properties: { plan: "free", visits: "2" },
      ownProperties: ["visits"],
    })
    expect(pointers(await patch(json.id, { propertyChanges: { visits: "many", other: "1" } }))).toEqual([
      "/propertyChanges/visits",
      "/propertyChanges/other",
    ])
    expect(pointers(await patch(json.id, { properties: {}, propertyChanges: {} }))).toEqual(["/propertyChanges"])
  })

  test("values that come one by one are together no more than one contact may have", async () => {
    const { json } = await create({ properties: { plan: "free" } })
    // As it would be after many writes; a single value is far smaller than the limit.
    await pool().query(
      "UPDATE contacts SET properties = properties || jsonb_build_object('plan', repeat('x', 51000)) WHERE id = $1",
      [decodeId("con", json.id)],
    )
    const much = "9".repeat(300)
    const refused = await patch(json.id, { lastName: "Byron", propertyChanges: { visits: much } })
    expect({ status: refused.status, pointers: pointers(refused) }).toEqual({ status: 400, pointers: ["/properties"] })
    expect((await put({ email: json.email, properties: { visits: much } })).status).toBe(400)
    expect((await get(json.id)).json).toMatchObject({ ownProperties: ["plan"] })
    expect((await get(json.id)).json).not.toHaveProperty("lastName")
  })

  test("every abuse is 400 with its pointer and stores nothing", async () => {
    const before = (await pool().query("SELECT count(*)::int AS n FROM contacts")).rows[0].n
    const segment = encodeId("seg", newId())
    const abuses: [object, string[]][] = [
      [{ email: "no" }, ["/email"]],
      [{ email: "Ada <ada@example.com>" }, ["/email"]],
      [{ email: "a@example.com, b@example.com" }, ["/email"]],
      [{ properties: { undeclared: "1" } }, ["/properties/undeclared"]],
      [{ properties: { visits: "many" } }, ["/properties/visits"]],
      [{ properties: { visits: 42 } }, ["/properties/visits"]],
      [{ properties: { plan: { nested: "x" } } }, ["/properties/plan"]],
      [{ properties: { constructor: "x" } }, ["/properties/constructor"]],
      [{ properties: { plan: "x".repeat(60_000) } }, ["/properties"]],
      [{ segments: [{ id: segment }, { id: "nope" }] }, ["/segments/0/id", "/segments/1/id"]],
      [{ topics: [{ id: "nope", subscription: "opt_in" }] }, ["/topics/0/id"]],
      [
        { id: "con_x", projectId: "proj_x", createdAt: "now", validationStatus: "valid" },
        ["/id", "/projectId", "/createdAt", "/validationStatus"],
      ],
    ]
    for (const [body, wanted] of abuses) {
      const answer = await create(body)
      expect({ status: answer.status, pointers: pointers(answer) }, JSON.stringify(body)).toEqual({
        status: 400,
        pointers: wanted,
      })
    }
    const rawBody = `{"email":"p@example.com","properties":{"__proto__":"1"}}`
    const polluted = await api(`POST ${all}`, {
      key: world.apiKey,
      params: params(),
      rawBody,
      headers: { "content-type": "application/json" },
    })
    expect({ status: polluted.status, pointers: pointers(polluted) }).toEqual({
      status: 400,
      pointers: ["/properties/__proto__"],
    })
    const many = await create({
      properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, "1"])),
    })
    expect(many.status).toBe(400)
    expect((await pool().query("SELECT count(*)::int AS n FROM contacts")).rows[0].n).toBe(before)
    const { json } = await create()
    expect(pointers(await patch(json.id, { email: "other@example.com" }))).toEqual(["/email"])
  })

  test("text that would run or mislead elsewhere is kept and given back as it is", async () => {
    const hostile = {
      firstName: "<img src=x onerror=alert(1)>",
      lastName: '=HYPERLINK("http://evil","x")',
      properties: { plan: "\u202Ejavascript:alert(1)" },
    }
    expect((await create(hostile)).json).toMatchObject(hostile)
    expect(pointers(await create({ firstName: "a\nb" }))).toEqual(["/firstName"])
  })

  test("each answer of changes at once carries what its own request gave", async () => {
    const { json } = await create()
    const { apiKey: key } = await newKey(world.projectId)
    for (let round = 0; round < 20; round++) {
      const names = Array.from({ length: 4 }, (_, at) => `Ada ${round} ${at}`)
      const changed = await Promise.all(
        names.map((firstName) =>
          api(`PATCH ${one}`, { key, params: params({ contactId: json.id }), body: { firstName } }),
        ),
      )
      expect(
        changed.map((answer) => answer.json.firstName),
        "names in the answers to PATCH",
      ).toEqual(names)
      const body = { email: json.email }
      const upserted = await Promise.all(
        names.map((firstName) => api(`PUT ${all}`, { key, params: params(), body: { ...body, firstName } })),
      )
      expect(
        upserted.map((answer) => answer.json.firstName),
        "names in the answers to PUT",
      ).toEqual(names)
    }
  })

  test("an upsert adds once and then lays over what is given, whoever comes at once", async () => {
    const email = freshEmail()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => put({ email, properties: { visits: String(at) } })),
    )
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1)
    const laid = await put({ email: email.toUpperCase(), lastName: "Byron", properties: { plan: "pro" } })
    expect(laid.json.lastName).toBe("Byron")
    expect(laid.json.properties).toEqual({ plan: "pro", visits: expect.stringMatching(/^[0-7]$/) })
  })
})

describe("consent", () => {
  test("unsubscribing suppresses, subscribing again removes that suppression alone, and both are audited", async () => {
    const { json } = await create()
    expect((await patch(json.id, { unsubscribed: true })).json.unsubscribed).toBe(true)
    expect(await reasons(json.email)).toEqual(["unsubscribe"])
    expect((await patch(json.id, { firstName: "Ada" })).json.unsubscribed).toBe(true)
    expect((await put({ email: json.email })).json.unsubscribed).toBe(true)
    expect((await patch(json.id, { unsubscribed: false })).json.unsubscribed).toBe(false)
    expect(await reasons(json.email)).toEqual([])
    expect(await audit(json.id)).toEqual(["contact.unsubscribed", "contact.resubscribed"])

    const complainer = (await create()).json
    await suppress(world.projectId, { email: complainer.email, reason: "complaint" })
    await patch(complainer.id, { unsubscribed: true })
    await patch(complainer.id, { unsubscribed: false })
    expect(await reasons(complainer.email)).toEqual(["complaint"])
  })

  test("who unsubscribed before starts unsubscribed, even if the body says otherwise", async () => {
    const email = freshEmail()
    await suppress(world.projectId, { email, reason: "unsubscribe" })
    expect((await create({ email, unsubscribed: false })).json.unsubscribed).toBe(true)
    const bounced = freshEmail()
    await suppress(world.projectId, { email: bounced, reason: "bounce" })
    expect((await create({ email: bounced })).json.unsubscribed).toBe(false)
  })

  test("a suppression of the list sets the flag and its removal clears it", async () => {
    const { json } = await create()
    await suppress(world.projectId, { email: json.email, reason: "unsubscribe" })
    expect((await get(json.id)).json.unsubscribed).toBe(true)
    await pool().query("DELETE FROM suppressions WHERE email = $1", [json.email])
    expect((await get(json.id)).json.unsubscribed).toBe(false)
  })

  test("a deleted contact is gone with all it had, and its suppression stays", async () => {
    const [segment, topic] = [await addSegment(), await addTopic()]
    const { json } = await create({
      unsubscribed: true,
      segments: [{ id: segment }],
      topics: [{ id: topic, subscription: "opt_in" }],
    })
    expect((await api(`DELETE ${one}`, { key: world.apiKey, params: params({ contactId: json.id }) })).status).toBe(204)
    expect((await get(json.id)).json.code).toBe("contact.not_found")
    expect((await api(`DELETE ${one}`, { key: world.apiKey, params: params({ contactId: json.id }) })).status).toBe(404)
    expect(await reasons(json.email)).toEqual(["unsubscribe"])
    expect(await audit(json.id)).toEqual(["contact.unsubscribed", "contact.deleted"])
    for (const table of ["segment_members", "topic_preferences", "contact_activities"]) {
      const { rows } = await pool().query(`SELECT count(*)::int AS n FROM ${table} WHERE contact_id = $1`, [
        decodeId("con", json.id),
      ])
      expect(rows[0].n, table).toBe(0)
    }
    expect((await create({ email: json.email })).json.unsubscribed).toBe(true)
  })
})

describe("topics of a contact", () => {
  test("every topic is listed with its effective state, and a change touches the listed ones alone", async () => {
    const { json } = await create()
    const [byIn, byOut] = [await addTopic("opt_in"), await addTopic("opt_out")]
    const contactId = json.id
    const read = async () => {
      const answer = await api(`GET ${one}/topics`, { key: world.apiKey, params: params({ contactId }) })
      return Object.fromEntries(
        answer.json.map(({ topicId, subscription }: { topicId: string; subscription: string }) => [
          topicId,
          subscription,
        ]),
      )
    }
    const change = (topics: unknown) =>
      api(`PATCH ${one}/topics`, { key: world.apiKey, params: params({ contactId }), body: { topics } })
    expect(await read()).toMatchObject({ [byIn]: "opt_in", [byOut]: "opt_out" })
    expect((await change([{ id: byOut, subscription: "opt_in" }])).status).toBe(204)
    expect(await read()).toMatchObject({ [byIn]: "opt_in", [byOut]: "opt_in" })
    expect((await get(contactId)).json.topics).toEqual([{ topicId: byOut, subscription: "opt_in" }])
    expect(
      pointers(
        await change([
          { id: byOut, subscription: "opt_out" },
          { id: encodeId("top", newId()), subscription: "opt_in" },
        ]),
      ),
    ).toEqual(["/topics/1/id"])
    expect(
      pointers(
        await change([
          { id: byOut, subscription: "opt_out" },
          { id: byOut, subscription: "opt_in" },
        ]),
      ),
    ).toEqual(["/topics/1/id"])
    expect(await read()).toMatchObject({ [byOut]: "opt_in" })
  })
})

describe("the list", () => {
  let list: World
  beforeAll(async () => {
    list = await newWorld()
    for (let at = 0; at < 45; at++) {
      await pool().query(
        "INSERT INTO contacts (id, project_id, email, first_name, unsubscribed) VALUES ($1, $2, $3, $4, $5)",
        [newId(), list.projectId, `n${at}@list.example`, at % 2 ? "Odd" : "50%_off\\", at < 5],
      )
    }
    await pool().query("SELECT fold_counts(1)")
  })
  const read = (query: Record<string, string | number>) =>
    api(`GET ${all}`, { key: list.apiKey, params: { projectId: list.project }, query })
  const emails = (answer: { json: { data: { email: string }[] } }) => answer.json.data.map(({ email }) => email)

  test("pages of any depth are newest first, the second half too, and past the end is empty", async () => {
    const seen: string[] = []
    for (const page of [1, 2, 3, 4, 5]) {
      const answer = await read({ page, size: 10 })
      expect(answer.json.page).toMatchObject({
        total: 45,
        totalPages: 5,
        hasNextPage: page < 5,
        hasPreviousPage: page > 1,
      })
      seen.push(...emails(answer))
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, at) => `n${44 - at}@list.example`))
    expect((await read({ page: 6, size: 10 })).json).toMatchObject({ data: [], page: { hasNextPage: false } })
  })

  test("filters narrow, alone and together, with totals that are right", async () => {
    expect(emails(await read({ email: "N7@List.example" }))).toEqual(["n7@list.example"])
    expect((await read({ email: "no address" })).json.page.total).toBe(0)
    expect((await read({ search: "odd" })).json.page.total).toBe(22)
    expect((await read({ search: "0%_off\\" })).json.page.total).toBe(23)
    expect((await read({ search: "%" })).json.page.total).toBe(23)
    expect(emails(await read({ search: "n4", size: 3 }))).toEqual([
      "n44@list.example",
      "n43@list.example",
      "n42@list.example",
    ])
    expect((await read({ unsubscribed: "true" })).json.page.total).toBe(5)
    expect((await read({ unsubscribed: "false", page: 2, size: 30 })).json).toMatchObject({ page: { total: 40 } })
    expect((await read({ unsubscribed: "false", search: "n1" })).json.page.total).toBe(10)
    expect((await read({ unsubscribed: "yes" })).status).toBe(400)
    expect((await read({ segmentId: "seg_nope" })).status).toBe(400)
    expect((await read({ segmentId: encodeId("seg", newId()) })).json.page.total).toBe(0)
  })
})
