import { setTimeout as wait } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"

const rows = size(9_000, 1_000_000)
const kills = size(2, 20)
/** Every so many rows one is refused, and one repeats the address of the row before it. */
const every = 1_000

let bundle: Awaited<ReturnType<typeof buildWorker>>
let worker: WorkerProcess | undefined

beforeAll(async () => {
  bundle = await buildWorker()
})

afterEach(async () => {
  await worker?.end("SIGKILL")
  await pool().query("UPDATE imports SET due_at = NULL")
})

afterAll(() => bundle.remove())

test(
  `an import of ${rows} rows whose worker is killed with kill -9 ${kills} times takes every row once`,
  { timeout: 900_000 },
  async () => {
    const world = await newWorld()
    const startedAt = performance.now()
    const importId = await upload(world)
    for (let kill = 1; kill <= kills; kill++) {
      worker = bundle.start({})
      await processed(importId, (kill * rows) / (kills + 1))
      await worker.end("SIGKILL")
    }
    worker = bundle.start({})
    await processed(importId, rows)

    const done = await read(world, importId)
    const [refused, repeated] = [rows / every, rows / every]
    expect(done).toMatchObject({ status: "completed", processed: rows, failed: refused, bytesRead: done.bytes })
    expect(done.created + done.updated + done.skipped + done.failed).toBe(rows)
    const {
      rows: [held],
    } = await pool().query(
      "SELECT count(*)::int AS contacts, count(DISTINCT email)::int AS addresses FROM contacts WHERE project_id = $1",
      [world.projectId],
    )
    expect(held).toEqual({ contacts: rows - refused - repeated, addresses: rows - refused - repeated })
    const {
      rows: [errors],
    } = await pool().query(
      "SELECT count(*)::int AS lines, count(DISTINCT line)::int AS different FROM import_errors WHERE project_id = $1",
      [world.projectId],
    )
    expect(errors).toEqual({ lines: refused, different: refused })
    const { json: page } = await api("GET /v1/projects/{projectId}/contacts", {
      key: world.apiKey,
      params: { projectId: world.project },
    })
    expect(page.page.total).toBe(rows - refused - repeated)
    figures("import, kill -9", { rows, kills, seconds: Math.round((performance.now() - startedAt) / 1000) })
  },
)

async function upload(world: World): Promise<string> {
  const lines = Array.from({ length: rows }, (_, at) => {
    if (at % every === 7) return `nobody ${at},X`
    return `reader${at % every === 9 ? at - 1 : at}@import.example,Reader ${at}`
  })
  const answer = await api("POST /v1/projects/{projectId}/contacts/import", {
    key: world.apiKey,
    params: { projectId: world.project },
    rawBody: `email,firstName\n${lines.join("\n")}\n`,
    headers: { "content-type": "text/csv" },
  })
  expect({ status: answer.status, code: answer.json.code }).toEqual({ status: 202, code: undefined })
  return answer.json.id
}

async function read(world: World, importId: string) {
  const params = { projectId: world.project, importId }
  return (await api("GET /v1/projects/{projectId}/contact-imports/{importId}", { key: world.apiKey, params })).json
}

/** Waits until so many rows are done; at the end also for the import's own end. */
async function processed(importId: string, count: number) {
  const deadline = Date.now() + 600_000
  for (;;) {
    const {
      rows: [row],
    } = await pool().query("SELECT processed, status FROM imports ORDER BY id DESC LIMIT 1")
    if (count < rows ? row.processed >= count : row.status === "completed") return
    if (!worker?.isAlive() || Date.now() > deadline)
      throw new Error(`${importId} has processed ${row.processed} rows.\n${worker?.output()}`)
    await wait(20)
  }
}
