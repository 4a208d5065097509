import pg from "pg"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { openDatabaseProxy, type DatabaseFault, type DatabaseProxy } from "@/e2e/support/chaos/database-proxy"
import { figures } from "@/e2e/support/chaos/figures"
import * as mailing from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import { runDeliveries } from "@/lib/delivery/queue/worker"
import type { Relays } from "@/lib/delivery/regions/relays"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { relayAt, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { systemIo } from "@/lib/regions/io"

const directUrl = process.env.DATABASE_URL ?? ""
const leaseMs = 1_000
/** Small mails beside one large one, which is read right before it is sent. */
const mails = 4

let proxy: DatabaseProxy
let server: FaultServer
let relays: Relays
let sender: Sending
const stop = new AbortController()
let running: Promise<void>

beforeAll(async () => {
  for (const level of ["error", "warn"] as const) vi.spyOn(log, level).mockReturnValue()
  proxy = await openDatabaseProxy(directUrl)
  await closeDatabase()
  provideEnv({ DATABASE_URL: proxy.url })
  server = await faultServer({})
  relays = relayAt(server.port)
  sender = await mailing.newMailer()
  await pool().query("UPDATE projects SET ambiguous_policy = 'hold' WHERE id = $1", [sender.projectId])
  running = runDeliveries({ region: "eu-west-1", relays, io: systemIo(), signal: stop.signal, leaseMs, intervalMs: 20 })
})

afterAll(async () => {
  stop.abort()
  await running
  await relays.close()
  await server.close()
  await closeDatabase()
  await proxy.close()
  provideEnv({ DATABASE_URL: directUrl })
})

/** The prepared statements of one claim, in their order. */
const steps = [
  "delivery.claim",
  "delivery.find_messages",
  "delivery.find_suppressed",
  "domains.find_sender",
  "delivery.find_body",
  "delivery.store_raw",
  "delivery.mark_data",
  "delivery.accepted",
]
const faults = size<DatabaseFault[]>(
  [{ kind: "lost before" }, { kind: "lost after" }],
  [{ kind: "lost before" }, { kind: "lost after" }, { kind: "late", ms: 3_000 }],
)
const rounds = size(1, 5)

test(
  `a connection lost at each of ${steps.length} steps of a claim loses no mail that is held rather than resent`,
  async () => {
    let round = 0
    let unknown = 0
    for (const step of steps) {
      for (const fault of faults) {
        for (let time = 0; time < rounds; time++) {
          const name = `step-${++round}-`
          // Who signs is known for a second.
          if (step === "domains.find_sender") await new Promise((resolve) => setTimeout(resolve, 1_050))
          proxy.once(step, fault)
          await send(name)
          unknown += await settled(name)
          expect(proxy.happened(), step).toBe(true)
        }
      }
    }
    figures("hold", {
      steps: steps.length,
      faults: round,
      mails: round * (mails + 1),
      "unknown, all with their data sent": unknown,
    })
  },
  size(90_000, 600_000),
)

const tables = size(
  ["email_bodies"],
  [
    "projects",
    "emails",
    "email_bodies",
    "deliveries",
    "suppressions",
    "domains",
    "dkim_keys",
    "delivery_attempts",
    "events",
    "delivery_allowances",
  ],
)

test(
  `a lock of 2.5 seconds on ${tables.join(", ")} loses none either`,
  async () => {
    for (const table of tables) {
      const name = `lock-${table.replaceAll("_", "-")}`
      await withLock(table, name)
      await settled(name)
    }
  },
  size(60_000, 300_000),
)

async function send(name: string) {
  server.messages.length = 0
  await sendMail(sender, { to: mailing.readers(mails, name) })
  await sendMail(sender, { to: [`large-${name}@x.example`], text: "large ".repeat(20_000) })
}

/** Each mail has left exactly once, and ended as delivered, or as unknown where the server had its data; answers how many are unknown. */
async function settled(name: string): Promise<number> {
  await vi.waitFor(async () => expect(await statusesOf(name), name).toHaveLength(mails + 1), {
    timeout: 20_000,
    interval: 20,
  })
  expect(mailing.tally(server), name).toMatchObject({ mails: mails + 1, copies: 0 })
  return (await statusesOf(name)).filter((status) => status === "indeterminate").length
}

async function statusesOf(name: string): Promise<string[]> {
  // No worker holds what was waiting for the database.
  await pool()
    .query(
      "UPDATE deliveries SET due_at = now() - interval '1 second' WHERE unfinished = 0 AND due_at > now() + interval '1 second'",
    )
    .catch(() => {})
  const { rows } = await pool()
    .query<{ status: string }>(
      "SELECT status FROM deliveries WHERE address LIKE $1 AND status IN ('delivered', 'indeterminate')",
      [`%${name}%`],
    )
    .catch(() => ({ rows: [] }))
  return rows.map(({ status }) => status)
}

/** Holds the table while the mail of this name, accepted before, is claimed and sent. */
async function withLock(table: string, name: string) {
  const client = new pg.Client({ connectionString: directUrl })
  await client.connect()
  await pace(0, "1 hour")
  await send(name)
  await client.query("BEGIN")
  await pace(100_000, "0 seconds")
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  await client.query("COMMIT")
  await client.end()
}

/** The next SMTP deliveries, and from when on they are allowed. */
async function pace(tokens: number, ahead: string) {
  await pool().query(
    `INSERT INTO delivery_allowances (project_id, tokens, refilled_at) VALUES ($1, $2, now() + $3::interval)
      ON CONFLICT (project_id) DO UPDATE SET tokens = excluded.tokens, refilled_at = excluded.refilled_at`,
    [sender.projectId, tokens, ahead],
  )
}
