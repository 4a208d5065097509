import { beforeAll, describe, expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"
import type { Group } from "@/lib/segments/rules"
import { addContacts, newSegment } from "@/e2e/support/segments/audience"

let world: World
let ids: string[]
let topicId: string
let segmentId: string

const people = ["ada", "bob", "cem", "dora", "eve"].map((name) => ({ email: `${name}@x.example`, firstName: name }))
const notEve: Group = {
  all: [
    { none: [{ field: "firstName", operator: "equals", value: "eve" }] },
    { field: "email", operator: "contains", value: "@" },
  ],
}

beforeAll(async () => {
  world = await newWorld()
  ids = await addContacts(world, people)
  const topic = await api("POST /v1/projects/{projectId}/topics", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { name: "News", defaultSubscription: "opt_in" },
  })
  topicId = topic.json.id
  segmentId = await newSegment(world, notEve)
  await pool().query("UPDATE contacts SET unsubscribed = true WHERE id = $1", [ids[0]])
  await pool().query(
    "INSERT INTO suppressions (id, project_id, email, reason) VALUES ($1, $2, 'bob@x.example', 'bounce')",
    [newId(), world.projectId],
  )
  for (const [n, subscription] of [
    [2, "opt_out"],
    [3, "opt_in"],
  ] as const) {
    await pool().query(
      "INSERT INTO topic_preferences (project_id, topic_id, contact_id, subscription) VALUES ($1, $2, $3, $4)",
      [world.projectId, decodeId("top", topicId), ids[n], subscription],
    )
  }
})

const preview = (body: unknown) =>
  api("POST /v1/projects/{projectId}/segments/preview", {
    key: world.apiKey,
    params: { projectId: world.project },
    body,
  })
const contact = (n: number) => encodeId("con", ids[n] ?? "")

describe("a preview", () => {
  test("counts whom a filter holds for, shows some of them, and whom a send would leave out and why", async () => {
    const { status, json } = await preview({ filter: notEve, topicId })
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        count: 4,
        exact: true,
        estimate: 4,
        scanned: 5,
        sendable: 1,
        sample: ["dora", "cem", "bob", "ada"].map((name) => ({
          contactId: expect.stringMatching(/^con_/),
          email: `${name}@x.example`,
          firstName: name,
        })),
        excluded: [
          { reason: "unsubscribed", count: 1, sample: ["ada@x.example"] },
          { reason: "suppressed", count: 1, sample: ["bob@x.example"] },
          { reason: "no_opt_in", count: 1, sample: ["cem@x.example"] },
        ],
      },
    })
  })

  test("of a segment looks at its members, of a topic at those who opted in themselves", async () => {
    expect((await preview({ segmentId })).json).toMatchObject({
      count: 4,
      scanned: 4,
      sendable: 2,
      excluded: [{ count: 1 }, { count: 1 }, { count: 0 }],
    })
    expect((await preview({ topicId })).json).toMatchObject({
      count: 1,
      sendable: 1,
      sample: [{ email: "dora@x.example" }],
    })
  })

  test("tells of a contact, condition by condition, why it is in or out, and why a send would leave it out", async () => {
    const out = await preview({ filter: notEve, contactId: contact(4) })
    expect(out.json.contact).toEqual({
      contactId: contact(4),
      email: "eve@x.example",
      matches: false,
      sendable: false,
      conditions: [
        {
          pointer: "/all/0/none/0",
          condition: { field: "firstName", operator: "equals", value: "eve" },
          matches: true,
        },
        { pointer: "/all/1", condition: { field: "email", operator: "contains", value: "@" }, matches: true },
      ],
    })
    const inside = await preview({ segmentId, topicId, contactId: contact(2) })
    expect(inside.json.contact).toMatchObject({
      matches: true,
      sendable: false,
      excluded: "no_opt_in",
      origin: "filter",
    })
    await pool().query("UPDATE segment_members SET origin = 'removed' WHERE contact_id = $1", [ids[3]])
    const removed = await preview({ segmentId, contactId: contact(3) })
    expect(removed.json.contact).toMatchObject({
      matches: false,
      sendable: false,
      origin: "removed",
      conditions: [{ matches: false }, { matches: true }],
    })
    await pool().query("UPDATE segment_members SET origin = 'filter' WHERE contact_id = $1", [ids[3]])
    expect((await preview({ topicId, contactId: contact(3) })).json.contact).toMatchObject({
      matches: true,
      sendable: true,
      conditions: [],
    })
  })

  test.each([
    [{}, "/filter"],
    [{ filter: notEve, segmentId: encodeId("seg", newId()) }, "/segmentId"],
    [{ segmentId: encodeId("seg", newId()) }, "/segmentId"],
    [{ segmentId: "nope" }, "/segmentId"],
    [{ topicId: encodeId("top", newId()) }, "/topicId"],
    [{ filter: notEve, contactId: encodeId("con", newId()) }, "/contactId"],
    [
      { filter: { all: [{ field: "email", operator: "equals", value: "' OR 1=1--".repeat(100) }] } },
      "/filter/all/0/value",
    ],
  ])("of %j is 400 at %s", async (body, pointer) => {
    const { status, json } = await preview(body)
    expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer })
  })

  test("of what looks like SQL, a pattern or a regular expression finds nobody and no fault", async () => {
    await pool().query("DELETE FROM rate_windows")
    for (const value of ["' OR 1=1--", "(a+)+$", "%".repeat(400), "_", "\\", "$1", "{{x}}"]) {
      for (const operator of ["equals", "contains", "starts_with", "ends_with"]) {
        const { status, json } = await preview({ filter: { any: [{ field: "email", operator, value }] } })
        expect({ status, count: json.count }).toEqual({ status: 200, count: 0 })
      }
    }
  })

  test("leaves no trace", async () => {
    const before = await pool().query("SELECT count(*)::int AS n FROM segments WHERE project_id = $1", [
      world.projectId,
    ])
    await preview({ filter: notEve })
    const after = await pool().query("SELECT count(*)::int AS n FROM segments WHERE project_id = $1", [world.projectId])
    expect(after.rows).toEqual(before.rows)
  })
})
