import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type MailLab, startMailLab } from "@/e2e/support/delivery/mail-lab"
import { emailRow, newSending, type Sending, sendMail } from "@/e2e/support/delivery/sending"
import { runDeliveries } from "@/lib/delivery/queue/worker"
import { createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { systemIo } from "@/lib/regions/io"

let lab: MailLab
let relays: Relays
let crowd: Sending
let neighbour: Sending
/** Enough for all mails of the crowd. */
const places = 100
const stop = new AbortController()
let running: Promise<void>

beforeAll(async () => {
  lab = await startMailLab()
  provideEnv(lab.variables)
  relays = createRelays()
  ;[crowd, neighbour] = [await newSending(), await newSending()]
  running = runDeliveries({
    ...{ region: "eu-west-1", relays, io: systemIo(), signal: stop.signal, drainMs: 100 },
    concurrency: places,
  })
})

afterAll(async () => {
  stop.abort()
  await running
  await relays.close()
  await lab.close()
})

test("96 mails of a project to 12 domains whose servers take the data and stay silent hold up nobody else's", async () => {
  await lab.server("127.0.7.1")
  lab.domain("healthy.example", [["mx.healthy.example", 10, "127.0.7.1"]])
  for (let at = 0; at < 12; at++) {
    const [domain, address] = [`silent${at}.example`, `127.0.8.${at + 1}`]
    await lab.faulty(address, { DOT: "" })
    lab.domain(domain, [[`mx.${domain}`, 10, address]])
    await sendMail(crowd, { to: Array.from({ length: 8 }, (_, nth) => `reader${nth}@${domain}`) })
  }
  await expect.poll(() => heldOf(crowd), { timeout: 20_000 }).toBeGreaterThanOrEqual(40)
  // More and more of it is known to be slow: half of the places, and what is claimed before that is known.
  await wait(3_000)
  expect(await heldOf(crowd)).toBeLessThan(96)

  const [id = ""] = await sendMail(neighbour, { to: ["ada@healthy.example"] })
  await expect.poll(async () => (await emailRow(id)).status, { timeout: 10_000 }).toBe("delivered")
})

async function heldOf({ projectId }: Sending): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    "SELECT count(*)::int FROM deliveries WHERE project_id = $1 AND unfinished > 0",
    [projectId],
  )
  return rows[0]?.count ?? 0
}
