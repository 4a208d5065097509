import { expectProblem } from "@/e2e/support/expect-problem"
import { dispatchAll } from "@/lib/worker/dispatcher"
import { beforeAll, describe, expect, test } from "vitest"
import { api, newWorld, type Call, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import type { Route } from "@/lib/platform/http/endpoint"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { addContacts, addDelivery, followAll, membersOf, newSegment, segmentNow } from "@/e2e/support/segments/audience"
import { renewPasses, renewSegmentsNaming } from "@/lib/segments/passes/data"
import { beginPass } from "@/lib/segments/passes/worker"
import { hideSegment } from "@/lib/segments/data"
import { removeMembers } from "@/lib/segments/removal/data"
import type { Group } from "@/lib/segments/rules"

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const at = (of: World, call: Call = {}): Call => ({
  key: of.apiKey,
  ...call,
  params: { projectId: of.project, ...call.params },
})
const create = (of: World, body: unknown) => api("POST /v1/projects/{projectId}/segments", at(of, { body }))
const change = (of: World, segmentId: string, body: unknown) =>
  api("PATCH /v1/projects/{projectId}/segments/{segmentId}", at(of, { params: { segmentId }, body }))
const remove = (of: World, segmentId: string) =>
  api("DELETE /v1/projects/{projectId}/segments/{segmentId}", at(of, { params: { segmentId } }))
const addByHand = (of: World, contactId: string, segmentId: string) =>
  api(
    "POST /v1/projects/{projectId}/contacts/{contactId}/segments",
    at(of, { params: { contactId: encodeId("con", contactId) }, body: { segmentId } }),
  )
const removeByHand = (of: World, contactId: string, segmentId: string) =>
  api(
    "DELETE /v1/projects/{projectId}/contacts/{contactId}/segments/{segmentId}",
    at(of, { params: { contactId: encodeId("con", contactId), segmentId } }),
  )
const edit = (of: World, contactId: string, body: unknown) =>
  api(
    "PATCH /v1/projects/{projectId}/contacts/{contactId}",
    at(of, { params: { contactId: encodeId("con", contactId) }, body }),
  )

const named = (value: string): Group => ({ all: [{ field: "firstName", operator: "equals", value }] })

describe("segments", () => {
  test("are listed newest first with the contract's fields, and a name is unique in a project", async () => {
    const own = await newWorld()
    const first = await create(own, { name: " Customers " })
    expect({ status: first.status, json: first.json }).toEqual({
      status: 201,
      json: {
        id: expect.stringMatching(/^seg_/),
        object: "segment",
        projectId: own.project,
        name: "Customers",
        contactCount: 0,
        unsubscribedCount: 0,
        createdAt: expect.any(String),
      },
    })
    const second = await create(own, { name: "Readers" })
    const again = await create(own, { name: "Customers" })
    expectProblem(again, 409, "segment.already_exists")
    expect((await change(own, second.json.id, { name: "Customers" })).json.code).toBe("segment.already_exists")
    const { json } = await api("GET /v1/projects/{projectId}/segments", at(own))
    expect(json.data.map(({ name }: { name: string }) => name)).toEqual(["Readers", "Customers"])
    expect(json.page).toMatchObject({ total: 2, hasNextPage: false })
    expect((await create(world, { name: "Customers" })).status).toBe(201)
  })

  test("lose their memberships and nothing else when they are deleted, whatever their size, and are 404 from then on", async () => {
    const own = await newWorld()
    const contacts = await addContacts(
      own,
      Array.from({ length: 12_000 }, (_, n) => ({ email: `p${n}@x.example` })),
    )
    const segmentId = await newSegment(own)
    await pool().query(
      "INSERT INTO segment_members (project_id, segment_id, contact_id) SELECT $1, s.id, c FROM segments s, unnest($2::uuid[]) AS c WHERE s.project_id = $1",
      [own.projectId, contacts],
    )
    expect((await segmentNow(own, segmentId)).contactCount).toBe(12_000)
    expect({ status: (await remove(own, segmentId)).status, code: (await remove(own, segmentId)).json.code }).toEqual({
      status: 204,
      code: "segment.not_found",
    })
    while (await removeMembers(1_000));
    const { rows } = await pool().query(
      "SELECT (SELECT count(*)::int FROM segment_members WHERE project_id = $1) AS members, (SELECT count(*)::int FROM contacts WHERE project_id = $1) AS contacts, (SELECT count(*)::int FROM segments WHERE project_id = $1) AS segments",
      [own.projectId],
    )
    expect(rows).toEqual([{ members: 0, contacts: 12_000, segments: 0 }])
  })

  test("that are deleted are nowhere to be seen, nor who was in them, while their members are still being removed in steps", async () => {
    const own = await newWorld()
    const ids = await addContacts(
      own,
      Array.from({ length: 2_500 }, (_, n) => ({ email: `p${n}@x.example`, firstName: "Ada" })),
    )
    const [first = ""] = ids
    const segmentId = await newSegment(own, named("ada"), "Adas")
    const id = decodeId("seg", segmentId) ?? ""
    await addByHand(own, first, segmentId)
    const scope = {
      project: { id: own.projectId, organizationId: own.organizationId },
      principal: { kind: "key", keyId: own.keyId },
      request: { id: newId(), ip: "::1" },
    }
    expect(await hideSegment(scope as unknown as Scope, id, renewSegmentsNaming)).toBe(true)

    const path = { segmentId, contactId: encodeId("con", first) }
    const get = (route: Route, call: Call = {}) => api(route, at(own, { params: path, ...call }))
    const list = (query: Record<string, string>) => get("GET /v1/projects/{projectId}/contacts", { query })
    for (const answer of [
      await get("GET /v1/projects/{projectId}/segments/{segmentId}"),
      await get("GET /v1/projects/{projectId}/segments/{segmentId}/contacts"),
      await change(own, segmentId, { name: "Again" }),
      await remove(own, segmentId),
      await addByHand(own, first, segmentId),
      await removeByHand(own, first, segmentId),
    ])
      expectProblem(answer, 404, "segment.not_found")
    expect((await get("GET /v1/projects/{projectId}/segments")).json).toMatchObject({ data: [], page: { total: 0 } })
    expect((await get("GET /v1/projects/{projectId}/contacts/{contactId}")).json.segments).toEqual([])
    expect((await get("GET /v1/projects/{projectId}/contacts/{contactId}/segments")).json).toEqual([])
    const narrower: Record<string, string>[] = [{}, { search: "p1" }, { unsubscribed: "false" }]
    for (const more of narrower) {
      expect((await list({ segmentId, ...more })).json).toMatchObject({ data: [], page: { total: 0 } })
    }
    const others = await newSegment(own, named("ada"), "Adas")
    const members = await get("GET /v1/projects/{projectId}/segments/{segmentId}/contacts", {
      params: { segmentId: others },
    })
    expect(members.json.data[0].segments).toEqual([others])
    for (const [route, body, pointer] of [
      ["POST /v1/projects/{projectId}/segments/preview", { segmentId }, "/segmentId"],
      ["POST /v1/emails", { from: "a@acme.test", to: segmentId, subject: "s", text: "t" }, "/to/0"],
    ] as const)
      expect((await get(route, { body })).json.errors).toMatchObject([{ pointer }])

    expect(await removeMembers(0, id)).toBe(true)
    expect(await removeMembers(0, id)).toBe(false)
    const left = await pool().query(
      "SELECT 1 FROM segments WHERE id = $1 UNION ALL SELECT 1 FROM segment_members WHERE segment_id = $1",
      [id],
    )
    expect({ rows: left.rows, contactCount: (await segmentNow(own, others)).contactCount }).toEqual({
      rows: [],
      contactCount: 2_500,
    })
  })

  test.each([
    [
      { all: [{ field: "topic", topicId: encodeId("top", newId()), operator: "is", value: "opt_in" }] },
      "/filter/all/0/topicId",
    ],
    [{ all: [{ field: "property", key: "unknown", operator: "is_set" }] }, "/filter/all/0/key"],
    [
      { any: [{ none: [{ field: "property", key: "plan", operator: "at_least", value: 5 }] }] },
      "/filter/any/0/none/0/value",
    ],
    [{ any: [{ field: "property", key: "age", operator: "equals", value: "5" }] }, "/filter/any/0/value"],
    [{ any: [{ field: "email", operator: "matches", value: "(a+)+$" }] }, "/filter/any/0/operator"],
  ])("with the filter %j are 400 at %s", async (filter, pointer) => {
    const own = await newWorld()
    for (const [key, type] of [
      ["plan", "string"],
      ["age", "number"],
    ]) {
      await api("POST /v1/projects/{projectId}/contact-properties", at(own, { body: { key, type } }))
    }
    const { status, json } = await create(own, { name: newId(), filter })
    expect({ status, pointers: json.errors.map((error: { pointer: string }) => error.pointer) }).toEqual({
      status: 400,
      pointers: [pointer],
    })
  })

  test("a topic or property of another project is as unknown as one that never was", async () => {
    const other = await newWorld()
    const topic = await api(
      "POST /v1/projects/{projectId}/topics",
      at(other, { body: { name: "News", defaultSubscription: "opt_in" } }),
    )
    const told = await Promise.all(
      [topic.json.id, encodeId("top", newId()), "nope"].map(async (topicId) => {
        const { status, json } = await create(world, {
          name: newId(),
          filter: { all: [{ field: "topic", topicId, operator: "is", value: "opt_in" }] },
        })
        return [status, json.detail]
      }),
    )
    expect(new Set(told.map(String)).size).toBe(1)
  })
})

describe("members by filter", () => {
  test("are there when the segment is answered, follow each change of a contact, and are counted", async () => {
    const own = await newWorld()
    const [ada = "", bob = ""] = await addContacts(own, [
      { email: "ada@x.example", firstName: "Ada" },
      { email: "bob@x.example", firstName: "Bob" },
      { email: "adam@x.example", firstName: "Ada", unsubscribed: true },
    ])
    const segmentId = await newSegment(own, named("ada"))
    expect(await segmentNow(own, segmentId)).toMatchObject({
      contactCount: 2,
      unsubscribedCount: 1,
      filter: named("ada"),
    })
    expect(await segmentNow(own, segmentId)).not.toHaveProperty("building")
    await edit(own, bob, { firstName: "ADA" })
    await edit(own, ada, { firstName: "Grace", unsubscribed: true })
    await api(
      "POST /v1/projects/{projectId}/contacts",
      at(own, { body: { email: "late@x.example", firstName: "Ada" } }),
    )
    await followAll()
    expect(await membersOf(segmentId)).toEqual(["adam@x.example", "bob@x.example", "late@x.example"])
    expect(await segmentNow(own, segmentId)).toMatchObject({ contactCount: 3, unsubscribedCount: 1 })
    await api(
      "DELETE /v1/projects/{projectId}/contacts/{contactId}",
      at(own, { params: { contactId: encodeId("con", bob) } }),
    )
    expect(await segmentNow(own, segmentId)).toMatchObject({ contactCount: 2, unsubscribedCount: 1 })
    const { rows } = await pool().query("SELECT 1 FROM segment_work WHERE project_id = $1", [own.projectId])
    await followAll()
    expect((await pool().query("SELECT 1 FROM segment_work WHERE project_id = $1", [own.projectId])).rows).toEqual([])
    expect(rows.length).toBeLessThanOrEqual(1)
  })

  test("manual removals and additions hold, whatever the filter and its changes", async () => {
    const own = await newWorld()
    const [ada = "", bob = ""] = await addContacts(own, [
      { email: "ada@x.example", firstName: "Ada" },
      { email: "bob@x.example", firstName: "Bob" },
    ])
    const segmentId = await newSegment(own, named("Ada"))
    expect((await removeByHand(own, ada, segmentId)).status).toBe(204)
    expect((await addByHand(own, bob, segmentId)).status).toBe(204)
    await edit(own, ada, { lastName: "Lovelace" })
    await edit(own, bob, { lastName: "Builder" })
    await followAll()
    expect(await membersOf(segmentId)).toEqual(["bob@x.example"])
    await change(own, segmentId, { filter: { any: [{ field: "email", operator: "contains", value: "a" }] } })
    expect(await membersOf(segmentId)).toEqual(["bob@x.example"])
    await addByHand(own, ada, segmentId)
    await change(own, segmentId, { filter: null })
    expect(await membersOf(segmentId)).toEqual(["ada@x.example", "bob@x.example"])
    expect(await segmentNow(own, segmentId)).toMatchObject({ contactCount: 2 })
  })

  test("change with the filter, and leave when it ends", async () => {
    const own = await newWorld()
    await addContacts(own, [
      { email: "ada@x.example", firstName: "Ada" },
      { email: "bob@x.example", firstName: "Bob" },
    ])
    const segmentId = await newSegment(own, named("Ada"))
    const changed = await change(own, segmentId, { filter: named("Bob"), name: "Bobs" })
    expect({ status: changed.status, json: changed.json }).toEqual({
      status: 200,
      json: expect.objectContaining({ name: "Bobs", contactCount: 1, filter: named("Bob") }),
    })
    expect(await membersOf(segmentId)).toEqual(["bob@x.example"])
    const ended = await change(own, segmentId, { filter: null })
    expect(ended.json.contactCount).toBe(0)
    expect("filter" in ended.json).toBe(false)
  })

  test("follow what people say to topics and what mail did, through the dispatcher, and time alone puts them out again", async () => {
    const own = await newWorld()
    const [ada = ""] = await addContacts(own, [{ email: "ada@x.example" }, { email: "bob@x.example" }])
    const topic = await api(
      "POST /v1/projects/{projectId}/topics",
      at(own, { body: { name: "News", defaultSubscription: "opt_out" } }),
    )
    const subscribed = await newSegment(own, {
      all: [{ field: "topic", topicId: topic.json.id, operator: "is", value: "opt_out" }],
    })
    const opened = await newSegment(own, {
      all: [{ field: "engagement", event: "opened", operator: "within_days", days: 30 }],
    })
    expect(await membersOf(subscribed)).toEqual(["ada@x.example", "bob@x.example"])
    expect(await membersOf(opened)).toEqual([])
    await api(
      "PATCH /v1/projects/{projectId}/contacts/{contactId}/topics",
      at(own, {
        params: { contactId: encodeId("con", ada) },
        body: { topics: [{ id: topic.json.id, subscription: "opt_in" }] },
      }),
    )
    await followAll()
    expect(await membersOf(subscribed)).toEqual(["bob@x.example"])
    await addDelivery(own, "ada@x.example", { sentAt: new Date(), events: [{ type: "opened", at: new Date() }] })
    await addDelivery(own, "bob@x.example", {
      sentAt: new Date(),
      events: [{ type: "opened", at: new Date(), machine: true }],
    })
    await dispatchAll()
    await followAll()
    expect(await membersOf(opened)).toEqual(["ada@x.example"])
    await pool().query(
      "UPDATE events SET occurred_at = now() - interval '31 days' WHERE project_id = $1 AND type = 'opened'",
      [own.projectId],
    )
    await renewPasses(3_600, 86_400)
    expect(await membersOf(opened)).toEqual(["ada@x.example"])
    await pool().query("UPDATE segments SET passed_at = now() - interval '61 minutes' WHERE project_id = $1", [
      own.projectId,
    ])
    await renewPasses(3_600, 86_400)
    const { rows } = await pool().query("SELECT id FROM segments WHERE project_id = $1 AND pass_due_at IS NOT NULL", [
      own.projectId,
    ])
    expect(rows.map(({ id }) => encodeId("seg", id))).toEqual([opened])
    expect(await segmentNow(own, opened)).not.toHaveProperty("building")
    await beginPass(own.projectId, rows[0].id)
    expect(await membersOf(opened)).toEqual([])
  })
})
