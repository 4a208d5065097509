import { expectProblem } from "@/e2e/support/expect-problem"
import { beforeAll, expect, test } from "vitest"
import { oneWaits, withRival } from "@/e2e/support/platform/rival"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const all = "/v1/projects/{projectId}/topics" as const
const one = `${all}/{topicId}` as const
const params = (more: Record<string, string> = {}) => ({ projectId: world.project, ...more })
const create = (body: unknown) => api(`POST ${all}`, { key: world.apiKey, params: params(), body })
const get = (topicId: string) => api(`GET ${one}`, { key: world.apiKey, params: params({ topicId }) })
const pointers = (answer: { json: { errors: { pointer: string }[] } }) =>
  answer.json.errors.map(({ pointer }) => pointer)

async function addContacts(count: number, topicId: string, subscription: string): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  await pool().query(
    "INSERT INTO contacts (id, project_id, email) SELECT id, $1, id || '@example.com' FROM unnest($2::uuid[]) AS id",
    [world.projectId, ids],
  )
  await pool().query(
    `INSERT INTO topic_preferences (project_id, topic_id, contact_id, subscription)
      SELECT $1, $2, id, $3 FROM unnest($4::uuid[]) AS id`,
    [world.projectId, decodeId("top", topicId), subscription, ids],
  )
  return ids
}

test("a topic is private unless it says otherwise, is trimmed, and keeps its default for ever", async () => {
  const { status, json } = await create({ name: "  News ", defaultSubscription: "opt_in", description: "Monthly" })
  expect(status).toBe(201)
  expect(json).toMatchObject({
    name: "News",
    visibility: "private",
    defaultSubscription: "opt_in",
    optInCount: 0,
    optOutCount: 0,
  })
  const patch = (body: unknown) =>
    api(`PATCH ${one}`, { key: world.apiKey, params: params({ topicId: json.id }), body })
  expect((await patch({ visibility: "public" })).json).toMatchObject({
    visibility: "public",
    description: "Monthly",
    name: "News",
  })
  expect((await patch({ description: "" })).json).not.toHaveProperty("description")
  const bare = await create({ name: "Bare", defaultSubscription: "opt_in", description: "" })
  expect(bare.status).toBe(201)
  expect(bare.json).not.toHaveProperty("description")
  expect(pointers(await patch({ defaultSubscription: "opt_out" }))).toEqual(["/defaultSubscription"])
  expect(pointers(await patch({ name: " ".repeat(5) }))).toEqual(["/name"])
  expect((await create({ name: "News", defaultSubscription: "opt_out" })).status).toBe(201)
  expect(pointers(await create({ name: "x".repeat(201), defaultSubscription: "maybe" }))).toEqual([
    "/name",
    "/defaultSubscription",
  ])
})

test("each answer of changes at once carries what its own request gave", async () => {
  const { json } = await create({ name: "Shared", defaultSubscription: "opt_out" })
  for (let round = 0; round < 10; round++) {
    const names = Array.from({ length: 8 }, (_, at) => `Shared ${round} ${at}`)
    const changed = await Promise.all(
      names.map((name) =>
        api(`PATCH ${one}`, { key: world.apiKey, params: params({ topicId: json.id }), body: { name } }),
      ),
    )
    expect(
      changed.map((answer) => answer.json.name),
      "names in the answers",
    ).toEqual(names)
  }
})

test("counts follow the preferences at once, before and after they are folded", async () => {
  const { json } = await create({ name: "Counted", defaultSubscription: "opt_out" })
  const ids = await addContacts(7, json.id, "opt_in")
  await addContacts(2, json.id, "opt_out")
  expect((await get(json.id)).json).toMatchObject({ optInCount: 7, optOutCount: 2 })
  await pool().query("SELECT fold_counts(1000)")
  await pool().query("UPDATE topic_preferences SET subscription = 'opt_out' WHERE contact_id = $1", [ids[0]])
  await pool().query("DELETE FROM contacts WHERE id = $1", [ids[1]])
  expect((await get(json.id)).json).toMatchObject({ optInCount: 5, optOutCount: 3 })
  await pool().query("SELECT fold_counts(1000)")
  expect((await get(json.id)).json).toMatchObject({ optInCount: 5, optOutCount: 3 })
  expect((await pool().query("SELECT count(*)::int AS n FROM count_deltas")).rows[0].n).toBe(0)
})

test("the cursors walk all opted-in contacts forth and back, while others come and go", async () => {
  const { json } = await create({ name: "Walked", defaultSubscription: "opt_out" })
  const ids = (await addContacts(25, json.id, "opt_in")).sort().reverse()
  await addContacts(3, json.id, "opt_out")
  const read = async (after?: string) => {
    const query = { size: 10, ...(after ? { after } : {}) }
    return (await api(`GET ${one}/contacts`, { key: world.apiKey, params: params({ topicId: json.id }), query })).json
  }
  const uuids = (page: { data: { contactId: string }[] }) =>
    page.data.map(({ contactId }) => decodeId("con", contactId))
  const first = await read()
  expect(first.cursor).toMatchObject({ hasPreviousPage: false, previousCursor: null, hasNextPage: true })
  expect(uuids(first)).toEqual(ids.slice(0, 10))
  // The contact at which the cursor is leaves, a newer one comes: nothing shifts.
  await pool().query("DELETE FROM topic_preferences WHERE contact_id = $1", [ids[9]])
  await addContacts(1, json.id, "opt_in")
  const second = await read(first.cursor.nextCursor)
  expect(uuids(second)).toEqual(ids.slice(10, 20))
  const third = await read(second.cursor.nextCursor)
  expect(uuids(third)).toEqual(ids.slice(20))
  expect(third.cursor).toMatchObject({ hasNextPage: false, nextCursor: null, hasPreviousPage: true })
  expect(uuids(await read(third.cursor.previousCursor))).toEqual(ids.slice(10, 20))
  const back = await read(second.cursor.previousCursor)
  expect(uuids(back)).toHaveLength(10)
  expect(back.cursor.hasNextPage).toBe(true)
  const other = await create({ name: "Other", defaultSubscription: "opt_out" })
  const foreign = { size: 10, after: first.cursor.nextCursor }
  const answer = await api(`GET ${one}/contacts`, {
    key: world.apiKey,
    params: params({ topicId: other.json.id }),
    query: foreign,
  })
  expectProblem(answer, 404, "cursor.not_found")
})

test("who opted out is listed beside who opted in, each with its name and since when", async () => {
  const { json } = await create({ name: "Both ways", defaultSubscription: "opt_in" })
  const [inside] = await addContacts(1, json.id, "opt_in")
  const outside = (await addContacts(3, json.id, "opt_out")).sort().reverse()
  await pool().query("UPDATE contacts SET first_name = 'Ada', last_name = 'Lovelace' WHERE id = $1", [outside[0]])
  const read = (query: object) =>
    api(`GET ${one}/contacts`, {
      key: world.apiKey,
      params: params({ topicId: json.id }),
      query: { size: 2, ...query },
    })
  const out = await read({ subscription: "opt_out" })
  expect(out.json.data).toEqual([
    {
      ...{ contactId: encodeId("con", outside[0] ?? ""), email: `${outside[0]}@example.com` },
      ...{ firstName: "Ada", lastName: "Lovelace", since: expect.stringMatching(/^\d{4}-.*Z$/) },
    },
    { contactId: encodeId("con", outside[1] ?? ""), email: `${outside[1]}@example.com`, since: expect.any(String) },
  ])
  const after = out.json.cursor.nextCursor
  const rest = await read({ subscription: "opt_out", after })
  expect(rest.json.data).toMatchObject([{ contactId: encodeId("con", outside[2] ?? "") }])
  expect((await read({})).json.data).toMatchObject([{ contactId: encodeId("con", inside ?? "") }])
  expect((await read({ after })).json.code).toBe("cursor.not_found")
})

test("a deleted topic is gone at once with all its preferences, and contacts stay", async () => {
  const { json } = await create({ name: "Gone", defaultSubscription: "opt_in" })
  const ids = await addContacts(4, json.id, "opt_in")
  expect((await api(`DELETE ${one}`, { key: world.apiKey, params: params({ topicId: json.id }) })).status).toBe(204)
  expect((await get(json.id)).json.code).toBe("topic.not_found")
  const { rows } = await pool().query(
    "SELECT (SELECT count(*)::int FROM topic_preferences WHERE topic_id = $1) AS preferences, (SELECT count(*)::int FROM contacts WHERE id = ANY ($2)) AS contacts",
    [decodeId("top", json.id), ids],
  )
  expect(rows).toEqual([{ preferences: 0, contacts: 4 }])
})

test("what a contact says of a topic that is deleted at that moment is left out", async () => {
  const made = [
    await create({ name: "Kept", defaultSubscription: "opt_in" }),
    await create({ name: "Gone soon", defaultSubscription: "opt_in" }),
  ]
  const [kept, gone] = made.map(({ json }) => json.id)
  const [contact = ""] = await addContacts(1, kept, "opt_out")
  await withRival(async (rival) => {
    await rival.query("BEGIN")
    await rival.query("SELECT 1 FROM contacts WHERE id = $1 FOR UPDATE", [contact])
    const changing = api("PATCH /v1/projects/{projectId}/contacts/{contactId}/topics", {
      key: world.apiKey,
      params: params({ contactId: encodeId("con", contact) }),
      body: { topics: [kept, gone].map((id) => ({ id, subscription: "opt_in" })) },
    })
    await oneWaits()
    expect((await api(`DELETE ${one}`, { key: world.apiKey, params: params({ topicId: gone }) })).status).toBe(204)
    await rival.query("ROLLBACK")
    expect((await changing).status).toBe(204)
  })
  const { rows } = await pool().query("SELECT topic_id, subscription FROM topic_preferences WHERE contact_id = $1", [
    contact,
  ])
  expect(rows).toEqual([{ topic_id: decodeId("top", kept), subscription: "opt_in" }])
})
