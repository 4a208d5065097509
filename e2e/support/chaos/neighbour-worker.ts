import { api } from "@/e2e/support/world"
import { createDeliveryClaim } from "@/lib/delivery/queue/claims/data"
import { closeDatabase } from "@/lib/platform/database/db"

// A process that sends small mails of several projects, and claims, while another one accepts something large: it
// prints how long each took in milliseconds.
const senders = JSON.parse(process.env.NEIGHBOURS ?? "[]") as { key: string; from: string }[]
const stopped = new Promise<void>((resolve) => process.once("SIGTERM", () => resolve()))
let over = false
void stopped.then(() => (over = true))

async function timesOf(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  while (!over) {
    const startedAt = performance.now()
    await call()
    times.push(performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return times
}

const calls = [
  ...senders.map(({ key, from }) => async () => {
    const body = { from, to: ["ada@lovelace.example"], subject: "Hello", text: "Hi", testMode: true }
    const { status } = await api("POST /v1/emails", { key, body })
    if (status !== 201) throw new Error(`A small send was answered ${status}.`)
  }),
  () => createDeliveryClaim()({ region: "us-east-1", limit: 10, leaseMs: 1_000 }),
]
for (const call of [...calls, ...calls]) await call()
process.stdout.write("ready\n")
const times = await Promise.all(calls.map(timesOf))
process.stdout.write(JSON.stringify(times.flat()))
await closeDatabase()
