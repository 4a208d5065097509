import { describe, expect, test, vi } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { followScores } from "@/lib/contacts/engagement/data"
import { pool } from "@/lib/platform/database/db"
import { decodeId, newId } from "@/lib/platform/ids"
import { addContacts, followAll, membersOf, newSegment, segmentNow } from "@/e2e/support/segments/audience"
import { claimPasses, endWork, extendPasses, readWork, settleContacts, stepPass } from "@/lib/segments/passes/data"
import { createFollower, runSegments } from "@/lib/segments/passes/worker"
import type { Group } from "@/lib/segments/rules"

const everyone: Group = { all: [{ field: "email", operator: "ends_with", value: ".example" }] }
const even: Group = { all: [{ field: "property", key: "parity", operator: "equals", value: "even" }] }

async function crowd(count: number): Promise<{ world: World; ids: string[] }> {
  const world = await newWorld()
  await pool().query("INSERT INTO contact_properties (id, project_id, key, type) VALUES ($1, $2, 'parity', 'string')", [
    newId(),
    world.projectId,
  ])
  const ids = await addContacts(
    world,
    Array.from({ length: count }, (_, n) => ({
      email: `p${n}@x.example`,
      properties: { parity: n % 2 ? "odd" : "even" },
    })),
  )
  await followAll()
  return { world, ids }
}

const due = (segmentId: string) =>
  pool().query(
    "UPDATE segments SET pass_due_at = now() - interval '1 second', pass_cursor = NULL, pass_done = 0, passed_version = 0 WHERE id = $1",
    [decodeId("seg", segmentId)],
  )

async function working<T>(work: () => Promise<T>, leaseMs = 60_000): Promise<T> {
  const stop = new AbortController()
  const ended = runSegments({ signal: stop.signal, leaseMs, followScores })
  const result = await work().finally(() => stop.abort())
  await ended
  return result
}

const built = (world: World, segmentId: string) =>
  vi.waitFor(async () => expect(await segmentNow(world, segmentId)).not.toHaveProperty("building"), {
    timeout: 15_000,
    interval: 50,
  })

describe("the pass over many contacts", () => {
  test("goes on in the background with its progress to be seen, and ends with every member once", async () => {
    const { world } = await crowd(4_200)
    const segmentId = await newSegment(world, everyone)
    expect(await segmentNow(world, segmentId)).toMatchObject({
      contactCount: 3_000,
      building: { done: 3_000, total: 4_200 },
    })
    await working(() => built(world, segmentId))
    expect(await segmentNow(world, segmentId)).toMatchObject({ contactCount: 4_200 })
    expect((await membersOf(segmentId)).length).toBe(4_200)
  })

  test("of a worker that died goes on where it was when the lease ends, and the dead one's late step changes nothing", async () => {
    const { world } = await crowd(2_500)
    const segmentId = await newSegment(world, even)
    await due(segmentId)
    const [pass] = await claimPasses(10, 1_000)
    if (!pass) throw new Error("There was no pass.")
    expect(await stepPass(pass, 1_000)).toBe("more")
    expect(await claimPasses(10, 1_000)).toEqual([])
    await pool().query("UPDATE segments SET pass_due_at = now() - interval '1 second' WHERE id = $1", [pass.segmentId])
    const [next] = await claimPasses(10, 60_000)
    expect(next?.attempt).toBe(pass.attempt + 1)
    expect(await stepPass(pass, 1_000)).toBe("ended")
    expect(await extendPasses([pass], 1_000)).toEqual([])
    expect((await segmentNow(world, segmentId)).building.done).toBe(1_000)
    await pool().query("UPDATE segments SET pass_due_at = now() - interval '1 second' WHERE id = $1", [pass.segmentId])
    await working(() => built(world, segmentId))
    expect({
      memberCount: (await membersOf(segmentId)).length,
      contactCount: (await segmentNow(world, segmentId)).contactCount,
    }).toEqual({ memberCount: 1_250, contactCount: 1_250 })
  })

  test("of an earlier filter yields to the later one, and its members go", async () => {
    const { world } = await crowd(1_500)
    const segmentId = await newSegment(world, everyone)
    await due(segmentId)
    const [pass] = await claimPasses(10, 60_000)
    if (!pass) throw new Error("There was no pass.")
    await stepPass(pass, 500)
    await pool().query(
      "UPDATE segments SET filter = $2, filter_version = filter_version + 1, pass_due_at = now() - interval '1 second', pass_attempt = pass_attempt + 1, pass_cursor = NULL, pass_done = 0 WHERE id = $1",
      [pass.segmentId, JSON.stringify(even)],
    )
    expect(await stepPass(pass, 500)).toBe("ended")
    await working(() => built(world, segmentId))
    expect((await segmentNow(world, segmentId)).contactCount).toBe(750)
  })
})

test("a deleted topic's default holds of nobody within 5 seconds, whatever was under way", async () => {
  const { world } = await crowd(2_000)
  const at = { key: world.apiKey, params: { projectId: world.project } }
  const topic = await api("POST /v1/projects/{projectId}/topics", {
    ...at,
    body: { name: "News", defaultSubscription: "opt_out" },
  })
  const asks: Group = {
    any: [{ none: [{ field: "topic", topicId: topic.json.id, operator: "is_not", value: "opt_out" }] }],
  }
  const [asking, other, underWay] = [
    await newSegment(world, asks),
    await newSegment(world, everyone),
    await newSegment(world, asks),
  ]
  await due(underWay)
  const [pass] = await claimPasses(10, 60_000)
  if (!pass) throw new Error("There was no pass.")
  await stepPass(pass, 1_000)
  expect((await membersOf(asking)).length).toBe(2_000)
  await working(async () => {
    await api("DELETE /v1/projects/{projectId}/topics/{topicId}", {
      ...at,
      params: { ...at.params, topicId: topic.json.id },
    })
    await vi.waitFor(async () => expect([await membersOf(asking), await membersOf(underWay)]).toEqual([[], []]), {
      timeout: 20_000,
      interval: 50,
    })
  })
  expect(await stepPass(pass, 1_000)).toBe("ended")
  expect(await membersOf(other)).toHaveLength(2_000)
})

describe("at the same time", () => {
  test("20 x 50 manual adds and removes while a filter is built again and again leave counts equal to the truth", async () => {
    const { world, ids } = await crowd(2_000)
    const segmentId = await newSegment(world, even)
    const segment = decodeId("seg", segmentId)
    await working(async () => {
      const hands = Array.from({ length: 20 }, async (_, hand) => {
        for (let round = 0; round < 50; round++) {
          const id = ids[(hand * 97 + round * 13) % ids.length]
          const origin = (hand + round) % 3 ? "added" : "removed"
          if (round % 10 === 9)
            await pool().query("UPDATE contacts SET unsubscribed = NOT unsubscribed WHERE id = $1", [id])
          else if (round % 10 === 4)
            await pool().query("DELETE FROM segment_members WHERE segment_id = $1 AND contact_id = $2", [segment, id])
          else {
            await pool().query(
              `INSERT INTO segment_members (project_id, segment_id, contact_id, origin) VALUES ($1, $2, $3, $4)
                ON CONFLICT (project_id, segment_id, contact_id) DO UPDATE SET origin = excluded.origin`,
              [world.projectId, segment, id, origin],
            )
          }
          if (hand === 0 && round % 10 === 0) await due(segmentId)
        }
      })
      await Promise.all(hands)
      await built(world, segmentId)
    })
    await followAll()
    const { rows } = await pool().query(
      `SELECT count(*)::int AS "contactCount", count(*) FILTER (WHERE c.unsubscribed)::int AS "unsubscribedCount"
        FROM segment_members m JOIN contacts c ON c.id = m.contact_id WHERE m.segment_id = $1 AND m.origin <> 'removed'`,
      [segment],
    )
    expect(await segmentNow(world, segmentId)).toMatchObject(rows[0])
  }, 60_000)

  test("a contact that changes while it is looked at is looked at again", async () => {
    const { world, ids } = await crowd(10)
    const segmentId = await newSegment(world, even)
    const [first = ""] = ids
    await pool().query("UPDATE contacts SET properties = '{}' WHERE id = $1", [first])
    const seen = await readWork("segment_work", world, 100)
    await settleContacts(
      world.projectId,
      decodeId("seg", segmentId) ?? "",
      seen.map(({ contactId }) => contactId),
    )
    await pool().query('UPDATE contacts SET properties = \'{"parity": "even"}\' WHERE id = $1', [first])
    await endWork("segment_work", seen)
    expect(await readWork("segment_work", world, 100)).toHaveLength(1)
    expect(await membersOf(segmentId)).toHaveLength(4)
    await followAll()
    expect(await membersOf(segmentId)).toHaveLength(5)
    expect(await readWork("segment_work", world, 100)).toEqual([])
  })

  test("a contact that is deleted while segments look at it holds nothing up", async () => {
    const { world, ids } = await crowd(300)
    const segmentId = await newSegment(world, everyone)
    await pool().query("UPDATE contacts SET first_name = 'New' WHERE project_id = $1", [world.projectId])
    await working(async () => {
      for (const id of ids.slice(0, 150)) await pool().query("DELETE FROM contacts WHERE id = $1", [id])
      await vi.waitFor(async () => expect(await readWork("segment_work", world, 10)).toEqual([]), { timeout: 10_000 })
    })
    expect({
      memberCount: (await membersOf(segmentId)).length,
      contactCount: (await segmentNow(world, segmentId)).contactCount,
    }).toEqual({ memberCount: 150, contactCount: 150 })
  })

  test("one project's import of many contacts does not hold up another's change beyond 5 seconds", async () => {
    const { world, ids } = await crowd(20)
    const segmentId = await newSegment(world, even)
    const large = await newWorld()
    await newSegment(large, everyone)
    await addContacts(
      large,
      Array.from({ length: 20_000 }, (_, n) => ({ email: `p${n}@x.example` })),
    )
    await working(async () => {
      await pool().query('UPDATE contacts SET properties = \'{"parity": "even"}\' WHERE id = $1', [ids[1]])
      await vi.waitFor(async () => expect(await membersOf(segmentId)).toHaveLength(11), {
        timeout: 20_000,
        interval: 50,
      })
    })
  }, 60_000)
})

test("a contact that changes right after the first pass of a new segment is evaluated for it", async () => {
  const { world, ids } = await crowd(1)
  const rename = (name: string) => pool().query("UPDATE contacts SET first_name = $2 WHERE id = $1", [ids[0], name])
  await rename("Grace")
  const query = pool().query.bind(pool()) as (...given: unknown[]) => never
  let segmentId: string | undefined
  // Between the two things that a round reads: which segments there are, and which contacts have changed.
  const reading = vi.spyOn(pool(), "query").mockImplementation(async (...given: unknown[]) => {
    const [text, values] = given
    const isWork = typeof text === "string" && text.includes("FROM segment_work") && Array.isArray(values)
    if (segmentId === undefined && isWork && values.includes(world.projectId)) {
      segmentId = ""
      segmentId = await newSegment(world, { all: [{ field: "firstName", operator: "equals", value: "Mary" }] })
      expect(await membersOf(segmentId)).toEqual([])
      await rename("Mary")
    }
    return query(...given)
  })
  await createFollower(followScores)()
  reading.mockRestore()
  expect(await membersOf(segmentId ?? "")).toEqual(["p0@x.example"])
})
