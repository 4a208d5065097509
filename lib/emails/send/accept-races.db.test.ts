import { expect, test, vi } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { expectProblem } from "@/e2e/support/expect-problem"
import { withRival } from "@/e2e/support/platform/rival"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"

const mail = { from: "hello@acme.test", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }

async function newSender(): Promise<World> {
  const world = await newWorld()
  await addVerifiedDomain(world)
  expect((await send(world)).status).toBe(201)
  return world
}

const send = (world: World, more: object = {}) =>
  api("POST /v1/emails", { key: world.apiKey, body: { ...mail, ...more } })

test("a send that finds the day filled when it debits is refused, and nothing of it is stored", async () => {
  const world = await newSender()
  const taking = "UPDATE quota_days SET used = $2 WHERE organization_id = $1"
  const { rows } = await pool().query("SELECT daily_sends FROM organizations WHERE id = $1", [world.organizationId])
  const refused = await whileTaken(taking, [world.organizationId, rows[0].daily_sends], () => send(world))
  expectProblem(refused, 429, "quota.daily_exceeded")
  expect(await storedEmails(world)).toBe(1)
})

test("a batch that finds one place left when it debits stores one item, and refuses each of the others by itself", async () => {
  const world = await newSender()
  const taking = "UPDATE quota_days SET used = $2 WHERE organization_id = $1"
  const { rows } = await pool().query("SELECT daily_sends FROM organizations WHERE id = $1", [world.organizationId])
  const { json } = await whileTaken(taking, [world.organizationId, rows[0].daily_sends - 1], () =>
    api("POST /v1/emails/batch", { key: world.apiKey, body: { items: [mail, mail, mail] } }),
  )
  expect(json.results.map((item: { status: string }) => item.status).sort()).toEqual(["queued", "rejected", "rejected"])
  expect(await storedEmails(world)).toBe(2)
})

test("a send that finds the tokens of the moment taken when it debits is refused; one without cost is not", async () => {
  const world = await newSender()
  const taking =
    "UPDATE send_allowances SET tokens = 0, refilled_at = now() + interval '1 minute' WHERE project_id = $1"
  const refused = await whileTaken(taking, [world.projectId], () => send(world))
  expectProblem(refused, 429, "quota.send_rate_exceeded")
  const free = await whileTaken(taking, [world.projectId], () => send(world, { testMode: true }))
  expect(free.status).toBe(201)
  expect(await storedEmails(world)).toBe(2)
})

test("a send that waited for the allowance reckons with what it holds then", async () => {
  const world = await newSender()
  const { projectId } = world
  await pool().query("UPDATE projects SET per_second_sends = 50 WHERE id = $1", [projectId])
  await pool().query("UPDATE send_allowances SET tokens = 10 WHERE project_id = $1", [projectId])
  // Filled ahead of the clock, so that no time fills them further.
  const taking =
    "UPDATE send_allowances SET tokens = 900, refilled_at = clock_timestamp() + interval '1 hour' WHERE project_id = $1"
  await whileTaken(taking, [projectId], () => send(world))
  const { rows } = await pool().query("SELECT tokens FROM send_allowances WHERE project_id = $1", [projectId])
  expect(rows[0].tokens).toBe(899)
})

test("two batches with the same keys in opposite order both end, with one email a key", async () => {
  const world = await newSender()
  const items = Array.from({ length: 50 }, (_, at) => ({ ...mail, idempotencyKey: `key-${at}` }))
  const batch = (of: object[]) => api("POST /v1/emails/batch", { key: world.apiKey, body: { items: of } })
  const answers = await Promise.all([items, items.toReversed()].map(batch))
  const ids = answers.flatMap(({ json }) => json.results.map(({ id }: { id: string }) => id))
  expect(new Set(ids).size).toBe(50)
  expect(await storedEmails(world)).toBe(51)
})

/** `work` begins while another session has made a change, and gets its locks when that is committed. */
function whileTaken<T>(change: string, values: unknown[], work: () => Promise<T>): Promise<T> {
  return withRival(async (rival) => {
    await rival.query("BEGIN")
    await rival.query(change, values)
    const done = work()
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND query LIKE '%accept_emails%'`
    await vi.waitFor(async () => expect((await pool().query(waiting)).rowCount).toBe(1), {
      interval: 5,
      timeout: 20_000,
    })
    await rival.query("COMMIT")
    return done
  })
}

async function storedEmails({ projectId }: World): Promise<number> {
  return (await pool().query("SELECT count(*)::int AS n FROM emails WHERE project_id = $1", [projectId])).rows[0].n
}
