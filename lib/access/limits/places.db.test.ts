import { expect, test } from "vitest"
import { api, newWorld, send } from "@/e2e/support/world"
import { exported } from "@/lib/access/limits/data"
import { exportContacts } from "@/lib/contacts/api"
import { pool } from "@/lib/platform/database/db"

const route = "GET /v1/projects/{projectId}/contacts/export"

async function worldWithContacts(count: number) {
  const world = await newWorld()
  await pool().query(
    `INSERT INTO contacts (id, project_id, email)
      SELECT gen_random_uuid(), $1, 'c' || n || '@example.com' FROM generate_series(1, $2) n`,
    [world.projectId, count],
  )
  return world
}

test("a project runs two exports at once; a third is 503 with Retry-After, and another project is not affected", async () => {
  const [world, neighbour] = [await worldWithContacts(20_000), await newWorld()]
  const start = (of = world) => api(route, { key: of.apiKey, params: { projectId: of.project } })
  const running = [await startReading(world), await startReading(world)]
  const third = await start()
  expect([third.status, third.json?.code], "the third export").toEqual([503, "service.unavailable"])
  expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0)
  expect((await start(neighbour)).status, "an export of another project").toBe(200)
  await running[0]?.cancel()
  const fourth = await startReading(world)
  await Promise.all([running[1]?.cancel(), fourth.cancel()])
})

/** An export whose client has taken the beginning alone. */
async function startReading(world: { apiKey: string; project: string }) {
  const response = await send(exportContacts, { key: world.apiKey, params: { projectId: world.project } })
  expect(response.status, "an export within the limit").toBe(200)
  const reader = response.body?.getReader()
  if (!reader) throw new Error("There is no body.")
  await reader.read()
  return reader
}

test("an export gives its place back when it ends, when it fails and when nobody reads on", async () => {
  const world = await newWorld()
  const scope = { project: { id: world.projectId } } as Parameters<typeof exported>[0]
  const places = async () =>
    (await pool().query("SELECT 1 FROM places WHERE key = $1", [`export:${world.projectId}`])).rowCount
  async function* groups(fails: boolean) {
    yield [1]
    if (fails) throw new Error("The database is gone.")
    yield [2]
  }
  const whole: number[] = []
  for await (const group of exported(scope, groups(false))) whole.push(...group)
  expect(whole).toEqual([1, 2])
  expect(await places(), "places after the end").toBe(0)

  const failing = exported(scope, groups(true))
  await failing.next()
  await expect(failing.next()).rejects.toThrow("gone")
  expect(await places(), "places after a failure").toBe(0)

  const left = exported(scope, groups(false))
  await left.next()
  expect(await places(), "places while it runs").toBe(1)
  await left.return(undefined)
  expect(await places(), "places after the client has left").toBe(0)

  const stalled = exported(scope, groups(false))
  await stalled.next()
  await pool().query("UPDATE places SET expires_at = now() - interval '1 second' WHERE key = $1", [
    `export:${world.projectId}`,
  ])
  const others = [exported(scope, groups(false)), exported(scope, groups(false))]
  for (const other of others) expect((await other.next()).done, "an export beside a stalled one").toBe(false)
  await Promise.all([stalled, ...others].map((one) => one.return(undefined)))
})
