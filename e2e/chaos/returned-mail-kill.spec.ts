import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { expect, test } from "@playwright/test"
import { figures } from "@/e2e/support/chaos/figures"
import { startOwnProduct, type OwnProduct } from "@/e2e/support/chaos/own-product"
import { size } from "@/e2e/support/chaos/size"
import { freePort, takePort } from "@/e2e/support/free-port"
import { connected, mailOn, type Dialogue } from "@/e2e/support/inbound/dialogue"
import { bounce } from "@/e2e/support/inbound/returned"
import { verpFor } from "@/lib/delivery/message/proven-ids"
import { hmac } from "@/lib/platform/crypto"
import { provideEnv } from "@/lib/platform/env/env"

const { mails, kills, stops } = size({ mails: 200, kills: 2, stops: 1 }, { mails: 5_000, kills: 20, stops: 3 })
const lanes = 8
const recipientsOfOne = 50

type Sent = { id: string; recipient: string }

test(`G37: of ${mails} returned mails from a sender that tries again, through ${kills} kills of the mail process and ${stops} of PostgreSQL, whose port another program takes, every one that was answered 250 is stored, and none is recorded twice`, async () => {
  test.setTimeout(1_200_000)
  const port = await freePort()
  const product = await startOwnProduct({ INBOUND_PORT: String(port) })
  try {
    // Only the key is needed here: it makes the return paths.
    const key = readFileSync(join(product.dataDir, "secret-key"), "utf8").trim()
    provideEnv({ SECRET_KEY: key, DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" })
    const sent = await newDelivered(product)
    const startedAt = Date.now()
    const sending = { accepted: [] as string[], refused: 0, lost: 0 }
    await Promise.all([returnAll(port, sent, sending), killAll(product, () => sending.accepted.length)])
    const seconds = Math.round((Date.now() - startedAt) / 1_000)

    expect(new Set(sending.accepted).size).toBe(mails)
    const stored = "SELECT count(*)::int AS rows, count(DISTINCT delivery_id)::int AS deliveries FROM inbound_messages"
    expect(await product.query(stored)).toEqual([{ rows: mails, deliveries: mails }])
    const unread = "SELECT count(*)::int AS n FROM inbound_messages WHERE due_at IS NOT NULL"
    await expect
      .poll(async () => (await product.query<{ n: number }>(unread))[0]?.n, { timeout: 180_000, intervals: [500] })
      .toBe(0)
    await expectEachOnce(product)
    figures("returned mail, kill -9", {
      mails,
      kills,
      stops,
      seconds,
      ...{ refused: sending.refused, lost: sending.lost },
    })
  } finally {
    await product.stop()
  }
})

/** Deliveries as if their servers had taken the mail, each to another recipient. */
async function newDelivered({ baseUrl, apiKey, from, query }: OwnProduct): Promise<Sent[]> {
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
  for (let at = 0; at < mails; at += recipientsOfOne) {
    const to = Array.from(
      { length: Math.min(recipientsOfOne, mails - at) },
      (_, nth) => `r${at + nth}@lovelace.example`,
    )
    const answer = await fetch(`${baseUrl}/v1/emails`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ from, to, subject: `Order ${at}`, text: "Hi", scheduledAt }),
    })
    expect(answer.status).toBe(201)
  }
  for (const table of ["deliveries", "emails"]) await query(`UPDATE ${table} SET status = 'delivered', due_at = NULL`)
  return query<Sent>("SELECT id, address AS recipient FROM deliveries")
}

/** As mail servers do: many mails over one connection, and each again until it is taken. */
async function returnAll(port: number, sent: Sent[], sending: { accepted: string[]; refused: number; lost: number }) {
  const waiting = [...sent]
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      let dialogue: Dialogue | undefined
      for (let one = waiting.pop(); one; one = waiting.pop()) {
        const returnPath = `${verpFor(one.id, hmac)}@send.chaos.test`
        dialogue ??= await connected(port)
        const raw = bounce({ returnPath, recipient: one.recipient, mark: one.id })
        const answer = await mailOn(dialogue, returnPath, raw)
        if (answer.startsWith("250 2.0.0 Stored")) {
          sending.accepted.push(one.id)
          continue
        }
        waiting.unshift(one)
        if (answer === "") {
          sending.lost += 1
          dialogue.end()
          dialogue = undefined
        } else {
          expect(answer).toMatch(/^4\d\d /)
          sending.refused += 1
          await wait(50)
        }
      }
      dialogue?.end()
    }),
  )
}

async function killAll(product: OwnProduct, accepted: () => number) {
  const blows = kills + stops
  const every = Math.floor(blows / stops)
  for (let blow = 1; blow <= blows; blow++) {
    while (accepted() < Math.floor((mails / (blows + 1)) * blow)) await wait(5)
    if (blow % every === 0 && blow / every <= stops) {
      const port = await portOf(product)
      process.kill(await until(() => product.postgres()), "SIGQUIT")
      const giveUp = await takePort(port)
      // Its server is back elsewhere.
      await until(() => product.postgres())
      giveUp()
    } else process.kill(await until(() => product.running("mail")[0]), "SIGKILL")
  }
}

async function portOf({ query }: OwnProduct): Promise<number> {
  const [row] = await query<{ port: number }>("SELECT inet_server_port() AS port")
  return row?.port ?? 0
}

async function until<T>(find: () => T | null | undefined): Promise<T> {
  const deadline = Date.now() + 120_000
  for (;;) {
    const found = find()
    if (found !== null && found !== undefined) return found
    if (Date.now() > deadline) throw new Error("Nothing was there to kill within two minutes.")
    await wait(20)
  }
}

/** One bounce, one event and one suppression for each delivery. */
async function expectEachOnce({ query }: OwnProduct) {
  const outcomes = "SELECT outcome, count(*)::int AS n FROM inbound_messages GROUP BY 1"
  expect(await query(outcomes)).toEqual([{ outcome: "bounced", n: mails }])
  const events =
    "SELECT count(*)::int AS n, count(DISTINCT delivery_id)::int AS deliveries FROM events WHERE type = 'bounced'"
  expect(await query(events)).toEqual([{ n: mails, deliveries: mails }])
  expect(await query("SELECT count(*)::int AS n FROM deliveries WHERE status <> 'bounced'")).toEqual([{ n: 0 }])
  expect(await query("SELECT count(*)::int AS n FROM suppressions")).toEqual([{ n: mails }])
}
