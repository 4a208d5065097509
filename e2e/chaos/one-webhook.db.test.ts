import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { figures } from "@/e2e/support/chaos/figures"
import { newMailer, openSink, readers, sendTo, tally, towards } from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import type { FaultServer } from "@/e2e/support/delivery/fault-server"
import type { Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import type { Receiver } from "@/e2e/support/webhooks/http-receiver"
import { deliveriesOf, newWebhook } from "@/e2e/support/webhooks/receiver"
import { endAll, receiver } from "@/e2e/support/webhooks/working"
import { runWorker } from "@/lib/worker/run"

// One webhook of one project once stopped the delivery, the events and the webhooks of everybody for as long as it existed.

const stop = new AbortController()
let sink: FaultServer
let worker: Promise<void>

beforeAll(async () => {
  sink = await openSink()
  provideEnv({ ...towards(sink), ALLOW_PRIVATE_WEBHOOKS: "127.0.0.0/8" })
  worker = runWorker(stop.signal)
})

afterAll(async () => {
  stop.abort()
  await worker
  await sink.close()
  await endAll()
})

const amplifying = [
  { type: "rename_field", from: "data", to: "a" },
  ...Array.from({ length: 11 }, (_, at) => {
    return { type: "compute_field", field: `a.f${at}`, template: "\u0001".repeat(4_000) }
  }),
  ...Array.from({ length: 8 }, (_, at) => ({ type: "compute_field", field: `g${at}`, template: "{{a}}".repeat(400) })),
]

test(
  "a webhook whose transformations amplify, and a batch of 40 emails: a neighbour's mail, events and webhooks flow as before",
  { ...measured, timeout: 120_000 },
  async () => {
    const [attacker, neighbour] = [await newMailer(), await newMailer()]
    const arrivals = await receiver()
    const filters = [{ field: "data.to", operator: "contains", value: "neighbour" }]
    await newWebhook(neighbour, arrivals.url, { events: ["email.delivered"], filters })
    const alone = await delaysOf(neighbour, arrivals)

    // Stored before such transformations were refused.
    const { id } = await newWebhook(attacker, "https://hooks.example.com/x", {
      events: ["email.sent", "email.delivered"],
    })
    await pool().query("UPDATE webhooks SET transformations = $2 WHERE id = $1", [id, JSON.stringify(amplifying)])
    const batches = size(1, 10)
    for (let nth = 0; nth < batches; nth++) await sendTo(attacker, readers(40, `batch-${nth}`))
    const beside = await delaysOf(neighbour, arrivals)

    figures("delivery and webhook beside one webhook that amplifies", {
      "most alone ms": Math.max(...alone),
      "most beside ms": Math.max(...beside),
    })
    expect(Math.max(...beside), "milliseconds from a send to its webhook").toBeLessThan(2 * Math.max(...alone) + 1_500)

    await vi.waitFor(async () => expect(await deliveriesOf(id)).toHaveLength(40 * batches * typesEach), {
      timeout: 30_000,
      interval: 100,
    })
    const faults = (await deliveriesOf(id)).map(({ status, last_error }) => `${status} ${last_error}`)
    expect(new Set(faults)).toEqual(new Set(["failed shaping_too_large"]))
    expect(tally(sink).copies, "copies too many").toBe(0)
  },
)

/** A relay that counts acceptance as delivery: both `sent` and `delivered`. */
const typesEach = 2

/** Milliseconds from a send to the arrival of its event, one after the other. */
async function delaysOf(sender: Sending, { received }: Receiver): Promise<number[]> {
  const delays: number[] = []
  for (let nth = 0; nth < size(5, 50); nth++) {
    const [before, startedAt] = [received.length, performance.now()]
    await sendTo(sender, [`neighbour-${nth}@x.example`])
    await vi.waitFor(() => expect(received.length).toBe(before + 1), { timeout: 20_000, interval: 10 })
    delays.push(Math.round(performance.now() - startedAt))
  }
  return delays
}
