import { randomUUID } from "node:crypto"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { freshDatabase, type TestDatabase } from "@/e2e/support/database"
import { startDebianServer, type DebianServer } from "@/e2e/support/debian-postgres"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, emailRow, newSending, relayAt, sendMail } from "@/e2e/support/delivery/sending"
import { adminCommands } from "@/lib/cli/admin-commands"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { migrate } from "@/lib/platform/database/migrations"
import { env, provideEnv } from "@/lib/platform/env/env"
import { installationMemory } from "@/lib/projects/installation/facts-store"
import { runWorker } from "@/lib/worker/run"

const embedded = env().databaseUrl
const folder = mkdtempSync(join(tmpdir(), "mailroom-backup-"))
let debian: DebianServer
let elsewhere: TestDatabase
let relay: FaultServer
beforeAll(async () => {
  chmodSync(folder, 0o711)
  debian = await startDebianServer(folder)
  await migrate(debian.url)
  elsewhere = await freshDatabase(`restored_${randomUUID().slice(0, 8)}`)
  relay = await faultServer({})
})
afterAll(async () => {
  await use(embedded)
  await relay.close()
  await debian.stop()
  await elsewhere.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function use(url: string) {
  await closeDatabase()
  provideEnv({ DATABASE_URL: url })
}

async function admin(name: string, ...args: string[]) {
  const run = await adminCommands[name]?.(args)
  return run?.()
}

async function rowCounts() {
  const { rows } = await pool().query(
    `SELECT (SELECT count(*)::int FROM emails) AS emails, (SELECT count(*)::int FROM deliveries) AS deliveries,
      (SELECT count(*)::int FROM events) AS events, (SELECT sum(length(raw)) FROM email_bodies) AS bytes`,
  )
  return rows[0]
}

test("a backup under load, moved to an external PostgreSQL 15 and back, is whole, and sends nothing before it is released and nothing twice", async () => {
  const sender = await newSending()
  const [waiting = ""] = await sendMail(sender)
  const relays = relayAt(relay.port)
  const file = join(folder, "a")
  const load = Promise.all(Array.from({ length: 20 }, () => sendMail(sender)))
  const { rows, at } = (await admin("backup", "--file", file)) as { rows: number; at: string }
  expect((await installationMemory()).backedUpAt, "the installation knows its last backup").toEqual(new Date(at))
  await load

  await use(debian.url)
  expect(await admin("restore", "--file", file)).toMatchObject({ rows, held: true })
  const moved = await rowCounts()
  await expect(admin("restore", "--file", file)).rejects.toThrow("in use")
  await admin("backup", "--file", join(folder, "b"))
  await use(elsewhere.url)
  expect(await admin("restore", "--file", join(folder, "b"))).toMatchObject({ rows, held: true })
  expect(await rowCounts()).toEqual(moved)

  const stopped = new AbortController()
  setTimeout(() => stopped.abort(), 1_000)
  await runWorker(stopped.signal)
  expect(await emailRow(waiting)).toMatchObject({ status: "queued" })

  expect(await admin("release")).toMatchObject({ waiting: moved.deliveries, released: false })
  expect(await admin("release", "--waiting", "not-sent-again")).toMatchObject({ released: true })
  await expect(admin("release")).rejects.toThrow("not held")
  await deliverDue(relays)
  expect(await emailRow(waiting)).toMatchObject({ status: "indeterminate" })
  expect(relay.messages).toHaveLength(0)
  const [fresh = ""] = await sendMail(sender)
  await deliverDue(relays)
  expect(await emailRow(fresh)).toMatchObject({ status: "delivered" })
  expect(relay.messages).toHaveLength(1)
  await relays.close()
})
