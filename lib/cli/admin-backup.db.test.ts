import { randomUUID } from "node:crypto"
import { chmodSync, createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip, gunzipSync, gzipSync } from "node:zlib"
import pg from "pg"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { emptyDatabase, freshDatabase, type TestDatabase } from "@/e2e/support/database"
import { startDebianServer, type DebianServer } from "@/e2e/support/debian-postgres"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { create, read } from "@/e2e/support/broadcasting"
import { deliverDue, emailRow, newSending, relayAt, sendMail } from "@/e2e/support/delivery/sending"
import { claimSystemMails, queueSystemMail } from "@/lib/access/system-mail/data"
import { adminCommands } from "@/lib/cli/admin-commands"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { differenceFrom, recreateSchema, migrate, readDatabaseFiles } from "@/lib/platform/database/migrations"
import { env, provideEnv } from "@/lib/platform/env/env"
import { backUp, linesOf } from "@/lib/platform/postgres/backup"
import { installationMemory } from "@/lib/projects/installation/store"
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

test("a restore is refused while a process of Mailroom is connected, which would send what is to be held", async () => {
  await use(embedded)
  await newSending()
  const file = join(folder, "running")
  await admin("backup", "--file", file)
  const target = await freshDatabase(`running_${randomUUID().slice(0, 8)}`)
  await use(target.url)
  await pool().query("SELECT 1")
  await expect(admin("restore", "--file", file)).rejects.toMatchObject({ code: "restore.running" })
  const { rows } = await pool().query("SELECT count(*)::int AS organizations FROM organizations")
  expect(rows, "nothing is restored").toEqual([{ organizations: 0 }])
  await closeDatabase()
  expect(await admin("restore", "--file", file), "once it has stopped").toMatchObject({ held: true })
  await use(embedded)
  await target.drop()
})

test("what a held installation accepts is sent once it is released, whatever becomes of what the backup had", async () => {
  await use(embedded)
  const relays = relayAt(relay.port)
  const sender = await newSending()
  const [waiting = ""] = await sendMail(sender)
  const broadcasting = { earlier: await create(sender, ["ada@x.example"]), since: "" }
  await queueSystemMail({ kind: "sign-in-link", to: "earlier@x.example" }, inAnHour())
  const file = join(folder, "accepting")
  await admin("backup", "--file", file)
  const target = await freshDatabase(`accepting_${randomUUID().slice(0, 8)}`)
  await use(target.url)
  await admin("restore", "--file", file)
  const [fresh = ""] = await sendMail(sender)
  broadcasting.since = await create(sender, ["ada@x.example"])
  await queueSystemMail({ kind: "sign-in-link", to: "since@x.example" }, inAnHour())
  await admin("release", "--waiting", "not-sent-again")
  expect((await read(sender, broadcasting.earlier)).status, "a broadcast of the backup").toBe("paused")
  expect((await read(sender, broadcasting.since)).status, "a broadcast since").toBe("preparing")
  const { length } = relay.messages
  await deliverDue(relays)
  expect(await emailRow(waiting), "an email of the backup").toMatchObject({ status: "indeterminate" })
  expect(await emailRow(fresh), "an email since").toMatchObject({ status: "delivered" })
  expect(relay.messages.length - length, "messages at the relay").toBe(1)
  const systemMails = await claimSystemMails(10, 1_000)
  expect(systemMails.map(({ mail }) => "to" in mail && mail.to)).toEqual(["since@x.example"])
  await relays.close()
  await use(embedded)
  await target.drop()
})

const inAnHour = () => new Date(Date.now() + 3_600_000)

test("a line of a backup ends at a line feed alone, and not at a separator that the text of an email may have", async () => {
  const bytes = Buffer.from('{"text":"one\u2028two\u2029three\u0085four\rfive"}\n{"end":1}\n')
  const lines: string[] = []
  for await (const line of linesOf(Readable.from(Array.from(bytes, (byte) => Buffer.of(byte))))) lines.push(line)
  expect(lines).toEqual(['{"text":"one\u2028two\u2029three\u0085four\rfive"}', '{"end":1}'])
})

test("a file that cannot be read or written is an error that the command answers with", async () => {
  await use(embedded)
  const missing = join(folder, "missing", "file")
  await expect(admin("restore", "--file", missing)).rejects.toThrow("ENOENT")
  await expect(admin("backup", "--file", missing)).rejects.toThrow("ENOENT")
})

test("emails with large attachments are backed up and restored a few mebibytes at a time", async () => {
  const source = await freshDatabase(`heavy_${randomUUID().slice(0, 8)}`)
  const target = await freshDatabase(`heavier_${randomUUID().slice(0, 8)}`)
  await use(source.url)
  const { projectId } = await newSending()
  await pool().query(
    `INSERT INTO email_contents (id, project_id, attachments, files, in_use)
      SELECT gen_random_uuid(), $1, '[]', convert_to(repeat('a', 2000000), 'UTF8'), true FROM generate_series(1, 12)`,
    [projectId],
  )
  const file = join(folder, "heavy")
  const written: number[] = []
  await writeBackup(source.url, file, (bytes) => written.push(bytes))
  expect(Math.max(...written) / 2 ** 20, "MiB written at once").toBeLessThan(9)

  await use(target.url)
  const query = vi.spyOn(pg.Client.prototype, "query")
  expect(await admin("restore", "--file", file)).toMatchObject({ held: true })
  const inserted = query.mock.calls.map(([, values]) => String((values as unknown[] | undefined)?.[0] ?? "").length)
  query.mockRestore()
  expect(Math.max(...inserted), "at least a whole row at once").toBeGreaterThan(4_000_000)
  expect(Math.max(...inserted) / 2 ** 20, "MiB inserted at once").toBeLessThan(9)
  const { rows } = await pool().query(
    "SELECT count(*)::int AS contents, sum(length(files))::int AS bytes FROM email_contents",
  )
  expect(rows).toEqual([{ contents: 12, bytes: 24_000_000 }])
  await use(embedded)
  await Promise.all([source.drop(), target.drop()])
})

test("a backup of an earlier version is restored, and its rows are changed as the migrations since then would have changed them there", async () => {
  const { migrations } = readDatabaseFiles()
  const earlier = await emptyDatabase(`earlier_${randomUUID().slice(0, 8)}`)
  const later = await freshDatabase(`later_${randomUUID().slice(0, 8)}`)
  await use(earlier.url)
  const before = migrations.filter(({ name }) => name < "0035_operators")
  await migrate(earlier.url, { migrations: before, functions: [] })
  await pool().query("INSERT INTO organizations (id, name) VALUES (gen_random_uuid(), 'Analytical')")
  await pool().query(
    `INSERT INTO users (id, email, created_at) VALUES (gen_random_uuid(), 'first@a.test', '2026-01-01'), (gen_random_uuid(), 'second@a.test', now())`,
  )
  const file = join(folder, "earlier")
  const cut = join(folder, "cut")
  await writeBackup(earlier.url, file)
  writeFileSync(
    cut,
    gzipSync(
      gunzipSync(readFileSync(file))
        .toString()
        .replace(/\{"end":\d+\}\n$/, ""),
    ),
  )

  await expect(recreateSchema(earlier.url, []), "what is in use is never made anew").rejects.toThrow("in use")
  await use(later.url)
  await expect(admin("restore", "--file", cut), "what is not whole changes nothing").rejects.toThrow("not whole")
  expect(await differenceFrom(later.url), "and leaves an empty database of this version").toEqual(same)
  expect(await admin("restore", "--file", file)).toMatchObject({ held: true })
  expect(await differenceFrom(later.url)).toEqual(same)
  const { rows } = await pool().query("SELECT email, operator_since IS NOT NULL AS operates FROM users ORDER BY email")
  expect(rows).toEqual([
    { email: "first@a.test", operates: true },
    { email: "second@a.test", operates: false },
  ])
  await admin("release", "--waiting", "not-sent-again")
  const [fresh = ""] = await sendMail(await newSending())
  expect(await emailRow(fresh)).toMatchObject({ status: "queued" })
  await use(embedded)
  await Promise.all([earlier.drop(), later.drop()])
})

test("a backup of a later version is refused by the name of what this version does not know", async () => {
  const later = await emptyDatabase(`newest_${randomUUID().slice(0, 8)}`)
  const { migrations, functions } = readDatabaseFiles()
  const next = { name: "9999_next", sql: "CREATE TABLE next (id int)" }
  await migrate(later.url, { migrations: [...migrations, next], functions })
  const file = join(folder, "later")
  await writeBackup(later.url, file)
  await use(elsewhere.url)
  await pool().query("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
  await migrate(elsewhere.url)
  await expect(admin("restore", "--file", file)).rejects.toThrow(
    "The backup has the migration 9999_next, which this version does not know: restore it with the version that made it, or a later one.",
  )
  await use(embedded)
  await later.drop()
})

const same = { missing: [], unknown: [] }

/** As that version's command writes it, which knows no column of later ones. */
async function writeBackup(url: string, file: string, wrote: (bytes: number) => void = () => undefined) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const lines = new Transform({
    transform(chunk: Buffer, _, pass) {
      wrote(chunk.length)
      pass(null, chunk)
    },
  })
  const done = pipeline(lines, createGzip(), createWriteStream(file))
  await backUp(client, lines)
  lines.end()
  await done
  await client.end()
}
