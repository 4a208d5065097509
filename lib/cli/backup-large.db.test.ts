import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { freshDatabase, type TestDatabase } from "@/e2e/support/database"
import { copyEmail } from "@/e2e/support/delivery/email-copies"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { faultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, newSending, relayAt, sendMail } from "@/e2e/support/delivery/sending"
import { adminCommands } from "@/lib/cli/admin-commands"
import { newClient } from "@/lib/platform/database/client"
import { closeDatabase } from "@/lib/platform/database/db"
import { env, provideEnv } from "@/lib/platform/env/env"
import { formatNumber } from "@/lib/platform/format"
import { dispatchAll } from "@/lib/worker/dispatcher"

const emails = size(2_000, 1_000_000)
const limitMs = size(120_000, 3_600_000)

const usual = env().databaseUrl
const folder = mkdtempSync(join(tmpdir(), "mailroom-backup-"))
let source: TestDatabase
let target: TestDatabase
beforeAll(async () => {
  const tag = randomUUID().slice(0, 8)
  source = await freshDatabase(`backup_from_${tag}`)
  target = await freshDatabase(`backup_to_${tag}`)
})
afterAll(async () => {
  await use(usual)
  await source.drop()
  await target.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function use(url: string) {
  await closeDatabase()
  provideEnv({ DATABASE_URL: url })
}

async function admin(name: string, ...args: string[]) {
  const run = await adminCommands[name]?.(args)
  return (await run?.()) as Record<string, unknown>
}

test(
  `${formatNumber(emails)} delivered emails, backed up while sends go on and restored elsewhere, are all there, and what waited is sent once where the operator says so`,
  async () => {
    await use(source.url)
    const relay = await faultServer({})
    const relays = relayAt(relay.port)
    const sender = await newSending()
    const [delivered = ""] = await sendMail(sender)
    await deliverDue(relays)
    await dispatchAll()
    const filling = performance.now()
    await copyEmail(delivered, { url: source.url, copies: emails })
    const [waiting = ""] = await sendMail(sender)

    const sending = new AbortController()
    const took: number[] = []
    const load = sendUntil(sending.signal, async () => {
      const startedAt = performance.now()
      await sendMail(sender)
      took.push(performance.now() - startedAt)
    })
    const backingUp = performance.now()
    const file = join(folder, "all")
    const { rows } = await admin("backup", "--file", file)
    const restoring = performance.now()
    sending.abort()
    await load
    expect(took.length).toBeGreaterThan(0)

    await use(target.url)
    expect(await admin("restore", "--file", file)).toMatchObject({ rows, held: true })
    const ended = performance.now()
    // What a request may take is not enough for all rows.
    const unlimited = newClient(target.url, "test", {})
    await unlimited.connect()
    const { rows: counts } = await unlimited.query(
      `SELECT count(*) FILTER (WHERE status = 'delivered')::int AS delivered, count(*) FILTER (WHERE id = $1)::int AS waiting,
        (SELECT count(*)::int FROM email_bodies b JOIN emails e ON e.project_id = b.project_id AND e.id = b.email_id WHERE e.status = 'delivered') AS bodies,
        (SELECT count(*)::int FROM deliveries WHERE status = 'delivered') AS deliveries,
        (SELECT count(*)::int FROM events WHERE type = 'delivered') AS events
      FROM emails`,
      [waiting],
    )
    await unlimited.end()
    const all = emails + 1
    expect(counts[0]).toEqual({ delivered: all, waiting: 1, bodies: all, deliveries: all, events: all })
    expect(await admin("release")).toMatchObject({ released: false })
    const { waiting: queued } = await admin("release", "--waiting", "send")
    await deliverDue(relays)
    expect(Number(queued), "with those that were sent beside the backup").toBeGreaterThanOrEqual(1)
    expect(relay.messages, "each once, and none that was sent before").toHaveLength(1 + Number(queued))
    await relays.close()
    await relay.close()
    figures(`a backup of ${formatNumber(emails)} emails`, {
      rows: Number(rows),
      MB: statSync(file).size / 1e6,
      "seconds to fill": (backingUp - filling) / 1_000,
      "seconds to back up": (restoring - backingUp) / 1_000,
      "seconds to restore": (ended - restoring) / 1_000,
      "longest send beside it, ms": Math.max(...took),
    })
  },
  limitMs,
)

/** A key sends 300 times a minute. */
const everyMs = 250

async function sendUntil(signal: AbortSignal, send: () => Promise<void>) {
  for (; !signal.aborted; await wait(everyMs)) await send()
}
