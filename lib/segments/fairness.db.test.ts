import { expect, test, vi } from "vitest"
import { size } from "@/e2e/support/chaos/size"
import { newWorld } from "@/e2e/support/world"
import { followScores } from "@/lib/contacts/engagement/data"
import { pool } from "@/lib/platform/database/db"
import { decodeId } from "@/lib/platform/ids"
import { createRotation } from "@/lib/platform/jobs/rotation"
import { runSegments } from "@/lib/segments/passes/worker"
import { claimPasses, type Pass, releasePass } from "@/lib/segments/passes/data"
import { addContacts, followAll, newSegment, segmentNow } from "@/e2e/support/segments/audience"
import type { Group } from "@/lib/segments/rules"

const everyone: Group = { all: [{ field: "email", operator: "ends_with", value: ".example" }] }
const contacts = size(12_000, 1_000_000)
const segmentsOfLarge = 4
const stepContacts = 1_000

test(
  `a pass of a small project waits for few steps of another project's ${segmentsOfLarge} passes over ${contacts} contacts`,
  { timeout: 600_000 },
  async () => {
    const [large, small] = [await newWorld(), await newWorld()]
    await addContacts(small, [{ email: "ada@x.example" }])
    for (let at = 0; at < contacts; at += 10_000) {
      await addContacts(
        large,
        Array.from({ length: Math.min(10_000, contacts - at) }, (_, n) => ({ email: `p${at + n}@x.example` })),
      )
    }
    await pool().query("TRUNCATE segment_work")
    await followAll()
    const heavy: string[] = []
    for (let at = 0; at < segmentsOfLarge; at++) heavy.push(await newSegment(large, everyone))
    const light = await newSegment(small, everyone)
    await due(heavy)

    const stop = new AbortController()
    const ended = runSegments({ signal: stop.signal, leaseMs: 60_000, followScores })
    await vi.waitFor(async () => expect(await doneOf(heavy)).toBeGreaterThan(0), { interval: 5, timeout: 10_000 })
    await due([light])
    const before = await doneOf(heavy)
    await vi.waitFor(async () => expect(await segmentNow(small, light)).not.toHaveProperty("building"), {
      interval: 5,
      timeout: 15_000,
    })
    const meanwhile = (await doneOf(heavy)) - before
    stop.abort()
    await ended
    expect(meanwhile / stepContacts).toBeLessThanOrEqual(20)
  },
)

test("projects have their turns one after the other, however many passes one of them has", async () => {
  const worlds = [await newWorld(), await newWorld(), await newWorld()]
  const [many] = worlds
  for (const world of worlds) await addContacts(world, [{ email: "ada@x.example" }])
  const segments: string[] = []
  for (let at = 0; at < 5; at++) segments.push(await newSegment(many ?? expect.fail(), everyone))
  for (const world of worlds.slice(1)) segments.push(await newSegment(world, everyone))
  await pool().query("UPDATE segments SET pass_due_at = NULL")
  await due(segments)
  const turns = createRotation<Pass>(({ projectId }) => projectId)
  const order: string[] = []
  for (let turn = 0; turn < 9; turn++) {
    const [pass] = await turns.take((served) => claimPasses(1, 60_000, served))
    order.push(pass?.projectId ?? "")
    if (pass) await releasePass(pass)
  }
  const round = order.slice(0, 3)
  expect(new Set(round).size).toBe(3)
  expect(order).toEqual([...round, ...round, ...round])
  expect((await claimPasses(3, 60_000)).map(({ projectId }) => projectId).sort()).toEqual([...round].sort())
})

const ids = (segments: readonly string[]) => segments.map((id) => decodeId("seg", id))

async function due(segments: readonly string[]) {
  await pool().query(
    "UPDATE segments SET pass_due_at = now() - interval '1 second', pass_cursor = NULL, pass_done = 0, passed_version = 0 WHERE id = ANY ($1)",
    [ids(segments)],
  )
}

async function doneOf(segments: readonly string[]): Promise<number> {
  const { rows } = await pool().query<{ done: number }>(
    "SELECT sum(CASE WHEN pass_due_at IS NULL THEN pass_total ELSE pass_done END)::int AS done FROM segments WHERE id = ANY ($1)",
    [ids(segments)],
  )
  return rows[0]?.done ?? 0
}
