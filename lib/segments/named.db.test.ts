import fc from "fast-check"
import { beforeEach, describe, expect, test } from "vitest"
import { expectProblem } from "@/e2e/support/expect-problem"
import { addContacts, followAll, membersOf, newSegment, segmentNow } from "@/e2e/support/segments/audience"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import type { Route } from "@/lib/platform/http/endpoint"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId, encodeId } from "@/lib/platform/ids"
import { systemClock } from "@/lib/platform/time"
import { beginPass } from "@/lib/segments/passes/worker"
import { previewAudience } from "@/lib/segments/preview/data"
import { type Condition, type Group, namedDepthMax, namedFault } from "@/lib/segments/rules"

let world: World
let ids: string[]
const emails = ["ada@x.example", "bob@x.example", "cem@y.example"]

beforeEach(async () => {
  world = await newWorld()
  ids = await addContacts(
    world,
    emails.map((email) => ({ email })),
  )
})

const call = (params: Record<string, string> = {}, body?: unknown) => ({
  key: world.apiKey,
  params: { projectId: world.project, ...params },
  ...(body === undefined ? {} : { body }),
})
const change = (segmentId: string, filter: Group | null) =>
  api("PATCH /v1/projects/{projectId}/segments/{segmentId}", call({ segmentId }, { filter }))
const remove = (segmentId: string) => api("DELETE /v1/projects/{projectId}/segments/{segmentId}", call({ segmentId }))
const endsWith = (value: string): Group => ({ all: [{ field: "email", operator: "ends_with", value }] })
const inAll = (...segmentIds: string[]): Group => ({
  all: segmentIds.map((segmentId) => ({ field: "segment", segmentId, operator: "in" })),
})

describe("a segment whose filter names another", () => {
  test("has its members, and follows who joins and leaves it, by filter and by hand, over two steps", async () => {
    const atX = await newSegment(world, endsWith("@x.example"))
    const chosen = await newSegment(world, inAll(atX))
    const others = await newSegment(world, { all: [{ field: "segment", segmentId: chosen, operator: "not_in" }] })
    expect(await membersOf(chosen)).toEqual(["ada@x.example", "bob@x.example"])
    expect(await membersOf(others)).toEqual(["cem@y.example"])

    const cem = { contactId: encodeId("con", ids[2] ?? "") }
    await api("POST /v1/projects/{projectId}/contacts/{contactId}/segments", call(cem, { segmentId: atX }))
    const bob = { contactId: encodeId("con", ids[1] ?? ""), segmentId: atX }
    await api("DELETE /v1/projects/{projectId}/contacts/{contactId}/segments/{segmentId}", call(bob))
    await followAll()
    expect(await membersOf(chosen)).toEqual(["ada@x.example", "cem@y.example"])
    expect(await membersOf(others)).toEqual(["bob@x.example"])

    expect((await change(atX, endsWith("@nowhere.example"))).status).toBe(200)
    await followAll()
    expect(await membersOf(chosen)).toEqual(["cem@y.example"])
    expect(await membersOf(others)).toEqual(["ada@x.example", "bob@x.example"])
  })

  test("loses a contact that is deleted", async () => {
    const [gone] = await addContacts(world, [{ email: "gone@z.example" }])
    const atZ = await newSegment(world, endsWith("@z.example"))
    const chosen = await newSegment(world, inAll(atZ))
    expect(await membersOf(chosen)).toEqual(["gone@z.example"])
    const contactId = encodeId("con", gone ?? "")
    const { status } = await api("DELETE /v1/projects/{projectId}/contacts/{contactId}", call({ contactId }))
    expect(status).toBe(204)
    await followAll()
    expect(await membersOf(chosen)).toEqual([])
  })

  test("matches nobody once the other is deleted, however it named it, and can then be changed", async () => {
    const named = await newSegment(world, endsWith("@x.example"))
    const without = { field: "segment", segmentId: named, operator: "not_in" } as const
    const naming = [await newSegment(world, { all: [without] }), await newSegment(world, { none: [inAll(named)] })]
    for (const one of naming) expect(await membersOf(one)).toEqual(["cem@y.example"])
    expect((await remove(named)).status).toBe(204)
    for (const one of naming) {
      await beginPass(world.projectId, decodeId("seg", one) ?? "")
      expect(await membersOf(one)).toEqual([])
    }
    expectProblem(await change(naming[0] ?? "", { all: [without] }), 400, "request.invalid")
    expect((await change(naming[0] ?? "", endsWith("@y.example"))).status).toBe(200)
    expect(await membersOf(naming[0] ?? "")).toEqual(["cem@y.example"])
  })

  test("is being built while the other is, over two steps and with its progress, unless that one is deleted", async () => {
    const inner = await newSegment(world, endsWith("@x.example"))
    const middle = await newSegment(world, inAll(inner))
    const outer = await newSegment(world, inAll(middle))
    expect(await segmentNow(world, outer)).not.toHaveProperty("building")
    await pool().query(
      "UPDATE segments SET filter_version = filter_version + 1, pass_done = 1, pass_total = 3 WHERE id = $1",
      [decodeId("seg", inner)],
    )
    for (const one of [inner, middle, outer])
      expect((await segmentNow(world, one)).building).toEqual({ done: 1, total: 3 })
    expect((await remove(inner)).status).toBe(204)
    for (const one of [middle, outer]) await beginPass(world.projectId, decodeId("seg", one) ?? "")
    expect(await segmentNow(world, outer)).not.toHaveProperty("building")
  })

  test("is being built once the other is deleted, until its own pass has ended", async () => {
    const named = await newSegment(world, endsWith("@x.example"))
    const outer = await newSegment(world, inAll(await newSegment(world, inAll(named))))
    expect((await remove(named)).status).toBe(204)
    expect(await segmentNow(world, outer)).toHaveProperty("building")
  })

  test("may not lead back to itself, at the condition that does", async () => {
    const first = await newSegment(world)
    const second = await newSegment(world, inAll(first))
    const third = await newSegment(world, inAll(second))
    for (const named of [first, second, third]) {
      const refusal = await change(first, { any: [...(endsWith("@x.example").all ?? []), inAll(named)] })
      expectProblem(refusal, 400, "request.invalid")
      expect(refusal.json.errors).toEqual([
        { pointer: "/filter/any/1/all/0/segmentId", detail: "That segment's filter leads back to this one." },
      ])
    }
  })

  test("of two that name each other at once one is refused", async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await newSegment(world), await newSegment(world)]
      const statuses = await Promise.all([change(one, inAll(other)), change(other, inAll(one))])
      expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 400])
    }
  })

  test(`is at most the ${namedDepthMax}th in a row, also where a row is made longer below`, async () => {
    const begin = await newSegment(world)
    let last = begin
    for (let at = 1; at < namedDepthMax; at++) last = await newSegment(world, inAll(last))
    const body = { name: "Too deep", filter: inAll(last) }
    const refusal = await api("POST /v1/projects/{projectId}/segments", call({}, body))
    expectProblem(refusal, 400, "request.invalid")
    const below = await change(begin, inAll(await newSegment(world)))
    expectProblem(below, 400, "request.invalid")
    expect(below.json.errors).toEqual([
      {
        pointer: "/filter/all/0/segmentId",
        detail: `More than ${namedDepthMax} segments would name each other in a row.`,
      },
    ])
  })

  test("of another project, deleted or made up is refused, in a preview too", async () => {
    const foreign = await newSegment(await newWorld())
    const deleted = await newSegment(world)
    await remove(deleted)
    for (const segmentId of [foreign, deleted, "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"]) {
      const filter = inAll(segmentId)
      const answers = [
        await api("POST /v1/projects/{projectId}/segments", call({}, { name: "Strange", filter })),
        await api("POST /v1/projects/{projectId}/segments/preview", call({}, { filter })),
      ]
      for (const answer of answers) {
        expectProblem(answer, 400, "request.invalid")
        expect(answer.json.errors).toEqual([
          { pointer: "/filter/all/0/segmentId", detail: "Names no segment of this project." },
        ])
      }
    }
  })
})

describe("a filter whose topic or contact property is deleted", () => {
  const post = async (route: Route, body: unknown) => (await api(route, call({}, body))).json.id
  const negated = (condition: Condition, opposite: Condition): Group[] => [
    { all: [opposite] },
    { none: [condition] },
    { any: [...(endsWith("@x.example").all ?? []), { none: [condition] }] },
  ]

  /** Segments by these filters, which leave out Ada alone, match nobody once what they name is deleted. */
  async function expectNobodyAfter(deletion: () => Promise<{ status: number }>, filters: readonly Group[]) {
    const segments = await Promise.all(filters.map((filter) => newSegment(world, filter)))
    expect(await Promise.all(segments.map(membersOf)), "members before").toEqual(
      filters.map((filter) => (filter.any ? emails : ["bob@x.example", "cem@y.example"])),
    )
    expect((await deletion()).status).toBe(204)
    await addContacts(world, [{ email: "dora@x.example" }])
    await followAll()
    for (const segment of segments) {
      await beginPass(world.projectId, decodeId("seg", segment) ?? "")
      expect(await membersOf(segment), "members after").toEqual([])
    }
    const scope = { project: { id: world.projectId } } as Scope
    for (const filter of filters) {
      const { count } = await previewAudience(scope, { filter }, null, systemClock)
      expect(count, "contacts in a preview").toBe(0)
    }
  }

  test("matches nobody, however it left people out by the topic", async () => {
    const topicId = await post("POST /v1/projects/{projectId}/topics", { name: "News", defaultSubscription: "opt_in" })
    const body = { topics: [{ id: topicId, subscription: "opt_out" }] }
    await api(
      "PATCH /v1/projects/{projectId}/contacts/{contactId}/topics",
      call({ contactId: encodeId("con", ids[0] ?? "") }, body),
    )
    const isOut = { field: "topic", topicId, operator: "is", value: "opt_out" } as const
    await expectNobodyAfter(
      () => api("DELETE /v1/projects/{projectId}/topics/{topicId}", call({ topicId })),
      negated(isOut, { ...isOut, operator: "is_not" }),
    )
  })

  test("matches nobody, however it left people out by the property", async () => {
    const create = "POST /v1/projects/{projectId}/contact-properties"
    const propertyId = await post(create, { key: "status", type: "string" })
    await api(
      "PATCH /v1/projects/{projectId}/contacts/{contactId}",
      call({ contactId: encodeId("con", ids[0] ?? "") }, { properties: { status: "banned" } }),
    )
    const isBanned = { field: "property", key: "status", operator: "equals", value: "banned" } as const
    await expectNobodyAfter(
      () => api("DELETE /v1/projects/{projectId}/contact-properties/{propertyId}", call({ propertyId })),
      negated(isBanned, { ...isBanned, operator: "not_equals" }),
    )
    const again = await api(create, call({}, { key: "status", type: "string" }))
    expectProblem(again, 409, "property.already_exists")
    expect(again.json.detail, "why the key cannot be defined again").toMatch(
      /^The filter of the segment .+ names a deleted/,
    )
  })
})

test("whatever names are accepted one after the other, none leads back and no row is too long", () => {
  const segments = ["a", "b", "c", "d", "e", "f", "g"]
  const edit = fc.tuple(fc.constantFrom(...segments), fc.uniqueArray(fc.constantFrom(...segments), { maxLength: 3 }))
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 40 }), (edits) => {
      const names = new Map<string, readonly string[]>(segments.map((id) => [id, []]))
      const rowFrom = (id: string, before: readonly string[]): number => {
        expect(before).not.toContain(id)
        return 1 + Math.max(0, ...(names.get(id) ?? []).map((next) => rowFrom(next, [...before, id])))
      }
      for (const [own, named] of edits) {
        if (namedFault(own, named, names)) continue
        names.set(own, named)
        for (const id of segments) expect(rowFrom(id, [])).toBeLessThanOrEqual(namedDepthMax)
      }
    }),
  )
})
