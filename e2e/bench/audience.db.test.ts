import { setMaxListeners } from "node:events"
import { setTimeout as wait } from "node:timers/promises"
import { beforeAll, expect, test } from "vitest"
import { size } from "@/e2e/support/chaos/size"
import { call, newAudience, vacuum, type Audience } from "@/e2e/bench/audience"
import { followScores } from "@/lib/contacts/engagement/data"
import { runAudience } from "@/lib/contacts/worker"
import { systemClock } from "@/lib/platform/time"
import { pool } from "@/lib/platform/database/db"
import type { Route } from "@/lib/platform/http/endpoint"
import { writeCursor } from "@/lib/platform/http/cursors"
import { decodeId, encodeId } from "@/lib/platform/ids"
import { runSegments } from "@/lib/segments/passes/worker"
import type { Group } from "@/lib/segments/rules"

const few = size(1_000, 10_000)
const many = size(20_000, 1_000_000)
const rounds = size(21, 31)
/** Of the gate a guard against walking all rows: so few of them tell less than the noise of a busy machine. */
const ratioMax = size(4, 1.5)

let small: Audience
let large: Audience
beforeAll(async () => {
  small = await newAudience(few)
  large = await newAudience(many)
  // What the worker would have done by now: evaluate new contacts, for which there are no filters, and score all.
  await pool().query("TRUNCATE segment_work")
  await pool().query("UPDATE engagement_pass SET due_at = now() + interval '1 day'")
  await vacuum()
}, 1_800_000)

const contactsRoute = "/v1/projects/{projectId}/contacts"

/** Medians of the requests in milliseconds, measured in turn, so that other load affects all of them. */
async function medians(asks: Record<string, () => Promise<unknown>>): Promise<Record<string, number>> {
  const times = new Map<string, number[]>(Object.keys(asks).map((name) => [name, []]))
  for (let round = -3; round < rounds; round++) {
    for (const [name, ask] of Object.entries(asks)) {
      const startedAt = performance.now()
      await ask()
      if (round >= 0) times.get(name)?.push(performance.now() - startedAt)
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, all.sort((a, b) => a - b)[rounds >> 1] ?? 0]))
}

/** A cursor half a page before the end of a membership list, which is as deep as a whole page can lie. */
async function deepCursor(audience: Audience, route: Route, params: Record<string, string>): Promise<string> {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT id FROM contacts WHERE project_id = $1 ORDER BY id OFFSET 30 LIMIT 1",
    [audience.world.projectId],
  )
  const collection = params.segmentId
    ? `${audience.world.projectId}|segment|${decodeId("seg", params.segmentId)}`
    : `${audience.world.projectId}|topic|${decodeId("top", params.topicId ?? "")}`
  const after = writeCursor(collection, { key: rows[0]?.id ?? "", direction: "next" })
  const page = await call(audience, route, { params, query: { after } })
  expect(page.data).toHaveLength(20)
  return after
}

async function asksOf(audience: Audience) {
  const { count, segment, topic } = audience
  const list = (query: Record<string, string | number>) => () => call(audience, `GET ${contactsRoute}`, { query })
  const [middle] = (
    await call(audience, `GET ${contactsRoute}`, {
      query: { email: `person${count >> 1}@host${(count >> 1) % 997}.example` },
    })
  ).data
  const members = {
    route: "GET /v1/projects/{projectId}/segments/{segmentId}/contacts",
    params: { segmentId: segment },
  } as const
  const optedIn = {
    route: "GET /v1/projects/{projectId}/topics/{topicId}/contacts",
    params: { topicId: topic },
  } as const
  const [deepMembers, deepOptedIn] = [
    await deepCursor(audience, members.route, members.params),
    await deepCursor(audience, optedIn.route, optedIn.params),
  ]
  const { previousCursor } = (await call(audience, `GET ${contactsRoute}`, { query: { page: count / 20 } })).cursor
  return {
    "the segment with its counts": () =>
      call(audience, "GET /v1/projects/{projectId}/segments/{segmentId}", { params: members.params }),
    "members, first page": () => call(audience, members.route, members),
    "members, deepest page": () => call(audience, members.route, { ...members, query: { after: deepMembers } }),
    "topic, first page": () => call(audience, optedIn.route, optedIn),
    "topic, deepest page": () => call(audience, optedIn.route, { ...optedIn, query: { after: deepOptedIn } }),
    "contacts, first page": list({}),
    "contacts, middle page": list({ page: count / 40 }),
    "contacts, last page": list({ page: count / 20 }),
    "contacts, deepest page": list({ after: previousCursor }),
    "contact by address": list({ email: `person${count - 7}@host${(count - 7) % 997}.example` }),
    "search, one match": list({ search: `person${count >> 1}@` }),
    "search, many matches": list({ search: "first12" }),
    "search, everybody": list({ search: "example" }),
    "search, nobody": list({ search: "nobody-here" }),
    "members of the segment, filtered": list({ segmentId: segment, unsubscribed: "true" }),
    "unsubscribed, last page": list({ unsubscribed: "true", page: Math.max(1, count / 50 / 20) }),
    "one contact": () => call(audience, `GET ${contactsRoute}/{contactId}`, { params: { contactId: middle.id } }),
  }
}

test(
  `pages of ${many} contacts cost what those of ${few} do, and the deepest page of contacts and members what the first does`,
  { timeout: 600_000 },
  async () => {
    const measured = { [few]: await medians(await asksOf(small)), [many]: await medians(await asksOf(large)) }
    const [ofFew, ofMany] = [measured[few] ?? {}, measured[many] ?? {}]
    const table = Object.keys(ofMany).map(
      (name) =>
        `${name.padEnd(34)} ${ofFew[name]?.toFixed(1).padStart(8)} ms ${ofMany[name]?.toFixed(1).padStart(8)} ms`,
    )
    process.stdout.write(
      `${"".padEnd(34)} ${String(few).padStart(8)}    ${String(many).padStart(8)}\n${table.join("\n")}\n`,
    )

    const counts = "the segment with its counts"
    expect((ofMany[counts] ?? 0) / (ofFew[counts] ?? 1)).toBeLessThanOrEqual(4)
    const deepToFirst = (area: string) => (ofMany[`${area}, deepest page`] ?? 0) / (ofMany[`${area}, first page`] ?? 1)
    expect(deepToFirst("members")).toBeLessThanOrEqual(ratioMax)
    expect(deepToFirst("topic")).toBeLessThanOrEqual(ratioMax)
    expect(deepToFirst("contacts")).toBeLessThanOrEqual(ratioMax)
    const topic = await call(large, "GET /v1/projects/{projectId}/topics/{topicId}", {
      params: { topicId: large.topic },
    })
    expect(topic.optInCount).toBe(many)
  },
)

const subscribed: Group = { all: [{ field: "unsubscribed", operator: "is", value: false }] }
const someNames: Group = {
  any: [
    { field: "lastName", operator: "starts_with", value: "last1" },
    { field: "firstName", operator: "ends_with", value: "7" },
  ],
}
/** No write of a contact waits longer, and of a hundred one waits so long at most. */
const writeMaxMs = 2_000
const writeP99Ms = size(1_000, 500)
const writeEveryMs = 25

test(
  `adding, changing and removing a filter over ${many} contacts, and deleting its segment, hold up no write of a contact`,
  { timeout: 1_800_000 },
  async () => {
    const stop = new AbortController()
    setMaxListeners(0, stop.signal)
    const worker = Promise.all([
      runSegments({ signal: stop.signal, leaseMs: 60_000, followScores }),
      runAudience({ clock: systemClock, signal: stop.signal, leaseMs: 60_000 }),
    ])
    const segments = "/v1/projects/{projectId}/segments" as const
    const one = `${segments}/{segmentId}` as const
    const table: string[] = []
    const measure = async (name: string, change: () => Promise<string>) => {
      const { answerMs, seconds, writes } = await whileWriting(large, change)
      const [p99 = 0, max = 0] = [writes[Math.floor(writes.length * 0.99)], writes.at(-1)]
      table.push(
        `${name.padEnd(34)} ${answerMs.toFixed(0).padStart(6)} ms ${seconds.toFixed(1).padStart(6)} s ${p99.toFixed(0).padStart(6)} ms ${max.toFixed(0).padStart(6)} ms of ${writes.length}`,
      )
      expect([name, p99 < writeP99Ms, max < writeMaxMs], `${p99} and ${max} ms`).toEqual([name, true, true])
    }
    try {
      const params = { segmentId: "" }
      await measure("a filter added (98 % members)", async () => {
        params.segmentId = (
          await call(large, `POST ${segments}`, { body: { name: "Subscribed", filter: subscribed } })
        ).id
        return params.segmentId
      })
      expect((await call(large, `GET ${one}`, { params })).contactCount).toBe(many - many / 50)
      const changed = (filter: Group | null) => async () =>
        (await call(large, `PATCH ${one}`, { params, body: { filter } })).id
      await measure("changed (24 % members)", changed(someNames))
      await measure("changed back", changed(subscribed))
      await measure("removed", changed(null))
      expect((await call(large, `GET ${one}`, { params })).contactCount).toBe(0)
      await measure("a segment of everybody deleted", async () => {
        await call(large, `DELETE ${one}`, { params: { segmentId: large.segment } })
        return large.segment
      })
    } finally {
      stop.abort()
      await worker
      process.stdout.write(
        `${"".padEnd(34)}    answer  ready    p99 and longest of writes meanwhile\n${table.join("\n")}\n`,
      )
    }
  },
)

/** Changes a contact some forty times a second until the background is done with the change; times in ms, in order. */
async function whileWriting(audience: Audience, change: () => Promise<string>) {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT id FROM contacts WHERE project_id = $1 ORDER BY md5(id::text) LIMIT 500",
    [audience.world.projectId],
  )
  const writes: number[] = []
  let done = false
  const writing = (async () => {
    for (let n = 0; !done; n++) {
      const contactId = encodeId("con", rows[n % rows.length]?.id ?? "")
      const startedAt = performance.now()
      await call(audience, `PATCH ${contactsRoute}/{contactId}`, { params: { contactId }, body: { phone: `+49 ${n}` } })
      writes.push(performance.now() - startedAt)
      await wait(writeEveryMs)
    }
  })()
  const startedAt = performance.now()
  const segmentId = decodeId("seg", await change())
  const answerMs = performance.now() - startedAt
  while (await isUnderWay(segmentId)) await wait(100)
  const seconds = (performance.now() - startedAt) / 1_000
  done = true
  await writing
  return { answerMs, seconds, writes: writes.sort((a, b) => a - b) }
}

async function isUnderWay(segmentId: string | null): Promise<boolean> {
  const { rowCount } = await pool().query(
    "SELECT 1 FROM segments WHERE id = $1 AND (passed_version < filter_version OR deleted_at IS NOT NULL)",
    [segmentId],
  )
  return rowCount === 1
}
