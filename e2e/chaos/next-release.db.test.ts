import { expect, test, vi } from "vitest"
import * as mailing from "@/e2e/support/chaos/mailing"
import { addBelongings } from "@/e2e/support/examples"
import { api, newSession } from "@/e2e/support/world"
import { migrate, readDatabaseFiles, release } from "@/lib/platform/database/migrations"
import { pool } from "@/lib/platform/database/db"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { env, provideEnv } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { tables } from "@/e2e/support/platform/any-row"
import { runWorker } from "@/lib/worker/run"

test("a host that runs goes on while the next release adds a column to every table, and one of its own version starts there", async () => {
  log.level = "silent"
  const failed = vi.spyOn(log, "error").mockReturnValue()
  const sender = await mailing.newMailer()
  await addBelongings(sender, await newSession(sender.userId))
  const sink = await mailing.openSink()
  provideEnv(mailing.towards(sink))
  const stop = new AbortController()
  const worker = runWorker(stop.signal)
  // Statements that its connections have prepared meet other tables afterwards.
  await mailing.sendTo(sender, mailing.readers(3, "before"))
  await mailing.received(sink, 3)

  const { migrations, functions } = readDatabaseFiles()
  const columns = [...(await tables()).keys()].map((table) => `ALTER TABLE "${table}" ADD COLUMN of_next_release text;`)
  const next = { name: "9999_next_release", sql: columns.join("\n") }
  expect(
    await migrate(env().databaseUrl, { migrations: [...migrations, next], functions, release: release + 1 }),
  ).toEqual([next.name])
  expect(await migrate(env().databaseUrl)).toEqual([])

  await mailing.sendTo(sender, mailing.readers(3, "after"))
  const params = { projectId: sender.project }
  const body = { email: "new@lovelace.example" }
  expect((await api("POST /v1/projects/{projectId}/contacts", { key: sender.apiKey, params, body })).status).toBe(201)
  for (const route of ["domains", "contacts", "webhooks", "segments", "broadcasts", "emails"] as const) {
    const { status } = await api(`GET /v1/projects/{projectId}/${route}`, { key: sender.apiKey, params })
    expect(status, route).toBe(200)
  }
  await mailing.received(sink, 6)
  await vi.waitFor(
    async () => {
      const { rows } = await pool().query("SELECT count(*)::int AS n FROM events WHERE seq IS NULL")
      expect(rows).toEqual([{ n: 0 }])
    },
    { timeout: 10_000 },
  )
  stop.abort()
  await worker
  await sink.close()
  // So many tables at once are locked for longer than a statement may wait: those are tried again.
  const defects = (failed.mock.calls as unknown as [{ err?: unknown }][]).filter(([{ err }]) => !isUnavailable(err))
  expect(defects).toEqual([])
}, 60_000)
