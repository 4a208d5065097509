import { expectProblem } from "@/e2e/support/expect-problem"
import { beforeAll, beforeEach, expect, test } from "vitest"
import { api, newKey, newWorld, type World } from "@/e2e/support/world"
import { followScores } from "@/lib/contacts/engagement/data"
import { foldCounts } from "@/lib/contacts/data"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"
import { createFollower } from "@/lib/segments/passes/worker"

let world: World
let keys: string[]
let segment: string
let contacts: string[]

beforeAll(async () => {
  world = await newWorld()
  keys = await Promise.all(Array.from({ length: 40 }, async () => (await newKey(world.projectId)).apiKey))
})

beforeEach(async () => {
  segment = await addSegment()
  contacts = await addContacts(50)
})

const member = "/v1/projects/{projectId}/contacts/{contactId}/segments" as const
const list = "/v1/projects/{projectId}/segments/{segmentId}/contacts" as const
let turn = 0
const key = () => keys[turn++ % keys.length] ?? ""
const params = (more: Record<string, string> = {}) => ({ projectId: world.project, ...more })
const add = (contactId: string, segmentId = segment) =>
  api(`POST ${member}`, { key: key(), params: params({ contactId }), body: { segmentId } })
const remove = (contactId: string, segmentId = segment) =>
  api(`DELETE ${member}/{segmentId}`, { key: key(), params: params({ contactId, segmentId }) })
const patch = (contactId: string, body: unknown) =>
  api("PATCH /v1/projects/{projectId}/contacts/{contactId}", { key: key(), params: params({ contactId }), body })

async function addSegment(filter: unknown = null): Promise<string> {
  const id = newId()
  await pool().query("INSERT INTO segments (id, project_id, name, filter) VALUES ($1, $2, $3, $4)", [
    id,
    world.projectId,
    id,
    filter,
  ])
  return encodeId("seg", id)
}

async function addContacts(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  await pool().query(
    "INSERT INTO contacts (id, project_id, email) SELECT id, $1, id || '@example.com' FROM unnest($2::uuid[]) AS id",
    [world.projectId, ids],
  )
  return ids.map((id) => encodeId("con", id))
}

/** What the counters say, and what a scan finds. */
async function counts(segmentId = segment) {
  const { rows } = await pool().query(
    `SELECT s.contact_count + w.included AS kept, s.unsubscribed_count + w.opposed AS kept_unsubscribed,
        (SELECT count(*)::int FROM segment_members m WHERE m.segment_id = s.id AND m.origin <> 'removed') AS found,
        (SELECT count(*)::int FROM segment_members m JOIN contacts c ON c.id = m.contact_id
          WHERE m.segment_id = s.id AND m.origin <> 'removed' AND c.unsubscribed) AS found_unsubscribed
      FROM segments s, waiting_counts(s.id) w WHERE s.id = $1`,
    [decodeId("seg", segmentId)],
  )
  return rows[0]
}

const statuses = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))].sort()

test("20 x 50 adds and removes at once leave the counts equal to the truth, before and after they are folded", async () => {
  const calls = contacts.flatMap((contactId, at) =>
    Array.from({ length: 20 }, (_, round) => () => ((at + round) % 2 ? add(contactId) : remove(contactId))),
  )
  expect(statuses(await Promise.all(calls.map((call) => call())))).toEqual([204])
  const before = await counts()
  expect({ kept: before.kept, kept_unsubscribed: before.kept_unsubscribed }).toEqual({
    kept: before.found,
    kept_unsubscribed: before.found_unsubscribed,
  })
  while (await foldCounts(100));
  expect(await counts()).toEqual(before)
})

test("members that unsubscribe, join, leave and are deleted at once are counted right, without a deadlock", async () => {
  const second = await addSegment()
  const answers = await Promise.all(
    contacts.flatMap((contactId, at) => [
      add(contactId),
      patch(contactId, { unsubscribed: at % 2 === 0 }),
      add(contactId, second),
      at % 3 ? patch(contactId, { firstName: "x" }) : remove(contactId),
      patch(contactId, { unsubscribed: at % 2 === 1 }),
      at % 5
        ? add(contactId, second)
        : api("DELETE /v1/projects/{projectId}/contacts/{contactId}", { key: key(), params: params({ contactId }) }),
    ]),
  )
  expect(answers.filter(({ status }) => status >= 500).map(({ json }) => json.detail)).toEqual([])
  for (const one of [segment, second]) {
    const { kept, kept_unsubscribed, found, found_unsubscribed } = await counts(one)
    expect({ kept, kept_unsubscribed }).toEqual({ kept: found, kept_unsubscribed: found_unsubscribed })
  }
  const { rows } = await pool().query(
    `SELECT (SELECT count(*)::int FROM contacts WHERE project_id = $1) AS found, w.included + coalesce(a.contacts, 0) AS kept
      FROM waiting_counts($1) w LEFT JOIN audience_totals a ON a.project_id = $1`,
    [world.projectId],
  )
  expect(rows[0].kept).toBe(rows[0].found)
})

test("manual changes beside the evaluation of filters do not deadlock, and the filter ends up right", async () => {
  const body = { name: newId(), filter: { all: [{ field: "unsubscribed", operator: "is", value: true }] } }
  const made = await api("POST /v1/projects/{projectId}/segments", { key: key(), params: params(), body })
  const filtered: string = made.json.id
  const follow = createFollower(followScores)
  let done = false
  const following = (async () => {
    while (!done) await follow()
  })()
  const answers = await Promise.all(
    contacts.flatMap((contactId, at) => [
      patch(contactId, { unsubscribed: at % 2 === 0 }),
      add(contactId, filtered),
      remove(contactId, filtered),
      at % 4
        ? patch(contactId, { unsubscribed: true })
        : api("DELETE /v1/projects/{projectId}/contacts/{contactId}", { key: key(), params: params({ contactId }) }),
      patch(contactId, { unsubscribed: at % 3 === 0 }),
    ]),
  )
  done = true
  await following
  expect(answers.filter(({ status }) => status >= 500).map(({ json }) => json.detail)).toEqual([])
  // Manual changes override the filter, which decides for the others.
  await pool().query("DELETE FROM segment_members WHERE segment_id = $1 AND origin <> 'filter'", [
    decodeId("seg", filtered),
  ])
  await pool().query(
    "INSERT INTO segment_work (project_id, contact_id) SELECT project_id, id FROM contacts WHERE project_id = $1 ON CONFLICT DO NOTHING",
    [world.projectId],
  )
  while (await follow());
  const { rows } = await pool().query(
    `SELECT count(*)::int AS unsubscribed, count(m.contact_id)::int AS members FROM contacts c
      LEFT JOIN segment_members m ON m.segment_id = $2 AND m.contact_id = c.id WHERE c.project_id = $1 AND c.unsubscribed`,
    [world.projectId, decodeId("seg", filtered)],
  )
  expect(rows[0].members).toBe(rows[0].unsubscribed)
  const { kept, kept_unsubscribed, found, found_unsubscribed } = await counts(filtered)
  expect({ kept, kept_unsubscribed, found }).toEqual({
    kept: found,
    kept_unsubscribed: found_unsubscribed,
    found: rows[0].members,
  })
})

test("adding and removing again and again changes nothing, and the contact stays as it is", async () => {
  const [contactId = ""] = contacts
  const get = async () =>
    (await api("GET /v1/projects/{projectId}/contacts/{contactId}", { key: key(), params: params({ contactId }) })).json
  const before = await get()
  expect(statuses(await Promise.all(Array.from({ length: 20 }, () => add(contactId))))).toEqual([204])
  expect(await counts()).toMatchObject({ kept: 1, found: 1 })
  expect((await get()).segments).toEqual([segment])
  expect(statuses(await Promise.all(Array.from({ length: 20 }, () => remove(contactId))))).toEqual([204])
  expect(await counts()).toMatchObject({ kept: 0, found: 0 })
  expect(await get()).toEqual(before)
})

test("a contact that is removed from a segment with a filter stays out until it is added manually", async () => {
  const filtered = await addSegment({ all: [] })
  const [contactId = ""] = contacts
  const byFilter = () =>
    pool().query(
      "INSERT INTO segment_members (project_id, segment_id, contact_id, origin) VALUES ($1, $2, $3, 'filter') ON CONFLICT DO NOTHING",
      [world.projectId, decodeId("seg", filtered), decodeId("con", contactId)],
    )
  const members = async () =>
    (await api(`GET ${list}`, { key: key(), params: params({ segmentId: filtered }) })).json.data
  await byFilter()
  expect(await members()).toHaveLength(1)
  await remove(contactId, filtered)
  await byFilter()
  expect(await members()).toEqual([])
  expect(await counts(filtered)).toMatchObject({ kept: 0 })
  await add(contactId, filtered)
  expect(await members()).toMatchObject([{ contactId, segments: [filtered] }])
  expect(await counts(filtered)).toMatchObject({ kept: 1 })
})

test("a segment of another project, an unknown one and one of the wrong form are the same 404", async () => {
  const other = await newWorld()
  const foreign = newId()
  await pool().query("INSERT INTO segments (id, project_id, name) VALUES ($1, $2, 'Foreign')", [
    foreign,
    other.projectId,
  ])
  const [contactId = ""] = contacts
  for (const segmentId of [encodeId("seg", foreign), encodeId("seg", newId()), "nope"]) {
    for (const answer of [await add(contactId, segmentId), await remove(contactId, segmentId)]) {
      expectProblem(answer, 404, "segment.not_found")
    }
  }
})

test("cursors page through the members in both directions, while others come and go", async () => {
  await Promise.all(contacts.slice(0, 25).map((contactId) => add(contactId)))
  const ids = contacts.slice(0, 25).reverse()
  const read = async (after?: string) =>
    (
      await api(`GET ${list}`, {
        key: key(),
        params: params({ segmentId: segment }),
        query: { size: 10, ...(after ? { after } : {}) },
      })
    ).json
  const who = (page: { data: { contactId: string }[] }) => page.data.map(({ contactId }) => contactId)
  const first = await read()
  expect(who(first)).toEqual(ids.slice(0, 10))
  expect(first.cursor).toMatchObject({ hasPreviousPage: false, previousCursor: null, hasNextPage: true })
  await remove(ids[9] ?? "")
  await add(contacts[30] ?? "")
  const second = await read(first.cursor.nextCursor)
  expect(who(second)).toEqual(ids.slice(10, 20))
  const third = await read(second.cursor.nextCursor)
  expect(who(third)).toEqual(ids.slice(20))
  expect(third.cursor).toMatchObject({ hasNextPage: false, nextCursor: null, hasPreviousPage: true })
  expect(who(await read(third.cursor.previousCursor))).toEqual(ids.slice(10, 20))
  const back = await read(second.cursor.previousCursor)
  expect(who(back)).toEqual([contacts[30], ...ids.slice(0, 9)])
  expect(back.cursor).toMatchObject({ hasPreviousPage: false, hasNextPage: true })
  const elsewhere = await api(`GET ${list}`, {
    key: key(),
    params: params({ segmentId: await addSegment() }),
    query: { after: first.cursor.nextCursor },
  })
  expectProblem(elsewhere, 404, "cursor.not_found")
})

test("every change of a contact, its preferences or its suppression is noted for the segments", async () => {
  const [contactId = ""] = contacts
  const waits = async () =>
    (await pool().query("DELETE FROM segment_work WHERE contact_id = $1 RETURNING 1", [decodeId("con", contactId)]))
      .rowCount === 1
  expect(await waits()).toBe(true)
  expect(await waits()).toBe(false)
  await patch(contactId, { firstName: "Ada" })
  expect(await waits()).toBe(true)
  await patch(contactId, { unsubscribed: true })
  expect(await waits()).toBe(true)
  const topic = await api("POST /v1/projects/{projectId}/topics", {
    key: key(),
    params: params(),
    body: { name: "T", defaultSubscription: "opt_in" },
  })
  const topics = [{ id: topic.json.id, subscription: "opt_out" }]
  await api("PATCH /v1/projects/{projectId}/contacts/{contactId}/topics", {
    key: key(),
    params: params({ contactId }),
    body: { topics },
  })
  expect(await waits()).toBe(true)
  await pool().query("DELETE FROM suppressions WHERE project_id = $1", [world.projectId])
  expect(await waits()).toBe(true)
})
