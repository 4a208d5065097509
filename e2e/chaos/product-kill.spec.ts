import { setTimeout as wait } from "node:timers/promises"
import { expect, test } from "@playwright/test"
import { figures } from "@/e2e/support/chaos/figures"
import { startOwnProduct, type OwnProduct } from "@/e2e/support/chaos/own-product"
import { size } from "@/e2e/support/chaos/size"

const { sends, kills, stops } = size({ sends: 60, kills: 2, stops: 1 }, { sends: 1_000, kills: 30, stops: 5 })
const lanes = 16

/** What the client was told, request by request. */
type Responses = { ids: Map<number, Set<string>>; lost: number; refused: Map<string, number> }

test(`${sends} keyed sends with client retry make ${sends} emails through ${kills} kills of a web process and ${stops} of PostgreSQL`, async () => {
  test.setTimeout(600_000)
  const product = await startOwnProduct({ WEB_PROCESSES: "2" })
  try {
    const responses: Responses = { ids: new Map(), lost: 0, refused: new Map() }
    const startedAt = Date.now()
    await Promise.all([sendAll(product, responses), killAll(product, responses)])
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)

    const rows = await product.query<{ id: string; key: string }>("SELECT id, idempotency_key AS key FROM emails")
    expect(rows).toHaveLength(sends)
    expect(new Set(rows.map(({ key }) => key)).size).toBe(sends)
    for (const [at, ids] of responses.ids) expect([...ids], `send ${at}`).toHaveLength(1)
    await expectAllExist(
      product,
      [...responses.ids.values()].flatMap((ids) => [...ids]),
    )
    await expectOneStory(product)
    figures("product kills", {
      kills,
      stops,
      emails: rows.length,
      "connections lost": responses.lost,
      seconds,
      ...Object.fromEntries(responses.refused),
    })
  } finally {
    await product.stop()
  }
})

/** Sends are let out in as many parts as there are blows, so that each of them hits requests under way. */
const blows = kills + stops
const part = sends / (blows + 1)
let dealt = 0

async function sendAll(product: OwnProduct, responses: Responses) {
  let next = 0
  const lane = async () => {
    while (next < sends) {
      const at = next++
      while (at >= part * (dealt + 1)) await wait(5)
      await sendUntilAccepted(product, at, responses)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** A client that does what every answer of ours says: again after a lost connection, a 5xx, or 409 on its own key. */
async function sendUntilAccepted({ baseUrl, apiKey, from }: OwnProduct, at: number, responses: Responses) {
  const body = JSON.stringify({
    from,
    to: ["ada@lovelace.example"],
    subject: `Order ${at}`,
    text: "Hi",
    idempotencyKey: `order-${at}`,
  })
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    try {
      const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", connection: "close" }
      const answer = await fetch(`${baseUrl}/v1/emails`, {
        method: "POST",
        headers,
        body,
        signal: AbortSignal.timeout(15_000),
      })
      const json = (await answer.json()) as { id: string; code?: string }
      if (answer.ok) {
        responses.ids.set(at, (responses.ids.get(at) ?? new Set()).add(json.id))
        return
      }
      const said = `${answer.status} ${json.code}`
      expect(said).toMatch(/^(5\d\d |409 email\.idempotency_conflict)/)
      responses.refused.set(said, (responses.refused.get(said) ?? 0) + 1)
    } catch (error) {
      if (error instanceof Error && error.name === "AssertionError") throw error
      responses.lost += 1
    }
    await wait(100)
  }
  throw new Error(`Send ${at} was not accepted within two minutes.`)
}

async function killAll(product: OwnProduct, responses: Responses) {
  const every = Math.floor(blows / (stops + 1))
  for (let blow = 0; blow < blows; blow++) {
    while (responses.ids.size < part * (blow + 0.5)) await wait(2)
    const stopsNow = (blow + 1) % every === 0 && (blow + 1) / every <= stops
    if (stopsNow) process.kill(await until(() => product.postgres()), "SIGQUIT")
    else process.kill(await until(() => pick(product.running("web"), blow)), "SIGKILL")
    dealt = blow + 1
  }
}

function pick(pids: readonly number[], turn: number): number | null {
  return pids[turn % pids.length] ?? null
}

async function until<T>(find: () => T | null): Promise<T> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const found = find()
    if (found !== null) return found
    if (Date.now() > deadline) throw new Error("Nothing was there to kill within a minute.")
    await wait(20)
  }
}

async function expectAllExist({ baseUrl, apiKey }: OwnProduct, ids: readonly string[]) {
  for (const id of ids) {
    const answer = await fetch(`${baseUrl}/v1/emails/${id}`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(answer.status, id).toBe(200)
  }
}

/** State changes and events are one fact: each email was queued, sent and delivered once, in a public order without gaps in each shard. */
async function expectOneStory(product: OwnProduct) {
  const left = "SELECT count(*)::int AS n FROM emails WHERE status <> 'delivered'"
  await expect
    .poll(async () => (await product.query<{ n: number }>(left))[0]?.n, { timeout: 120_000, intervals: [500] })
    .toBe(0)
  const waiting = "SELECT count(*)::int AS n FROM events WHERE seq IS NULL"
  await expect.poll(async () => (await product.query<{ n: number }>(waiting))[0]?.n, { timeout: 10_000 }).toBe(0)
  const types =
    "SELECT type, count(*)::int AS n, count(DISTINCT email_id)::int AS emails FROM events WHERE email_id IS NOT NULL GROUP BY type ORDER BY type"
  expect(await product.query(types)).toEqual(
    ["delivered", "queued", "sent"].map((type) => ({ type, n: sends, emails: sends })),
  )
  const order = `SELECT bool_and(count = max AND numbers = count AND max = last_seq) AS whole FROM dispatch_shards JOIN (
      SELECT dispatch_shard(project_id) AS shard, count(*), count(DISTINCT seq) AS numbers, max(seq) FROM events GROUP BY 1) of USING (shard)`
  expect(await product.query(order)).toEqual([{ whole: true }])
}
