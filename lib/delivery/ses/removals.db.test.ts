import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest"
import { startSesServer, type SesServer } from "@/e2e/support/delivery/ses-server"
import { api, newWorld, type World } from "@/e2e/support/world"
import { suppress } from "@/lib/consent/data"
import { removeDue } from "@/lib/delivery/ses/removals"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { encodeId, newId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"

let ses: SesServer
let world: World

beforeEach(async () => {
  for (const level of ["warn", "error"] as const) vi.spyOn(log, level).mockReturnValue()
  ses = await startSesServer()
  provideEnv({ SMTP_URL_EU_WEST_1: ses.url() })
  world = await newWorld()
  await pool().query("DELETE FROM ses_removals")
})
afterEach(async () => {
  vi.restoreAllMocks()
  await ses.close()
})
afterAll(closeDatabase)

async function removed(reason: "bounce" | "unsubscribe" = "bounce"): Promise<{ status: number; email: string }> {
  const email = `reader-${newId()}@lovelace.example`
  await suppress(world.projectId, { email, reason })
  const params = { projectId: encodeId("proj", world.projectId), email }
  const { status } = await api("DELETE /v1/projects/{projectId}/suppressions/{email}", { key: world.apiKey, params })
  return { status, email }
}

const waiting = async () =>
  (await pool().query("SELECT region, email, attempt, due_at > now() AS later FROM ses_removals ORDER BY email")).rows

/** As if the time until the next attempt had passed. */
async function nextAttempt(): Promise<number> {
  await pool().query("UPDATE ses_removals SET due_at = now() - interval '1 second'")
  return removeDue()
}

test("an address that a project allows again is taken off SES's list too", async () => {
  const { status, email } = await removed()
  expect(status).toBe(204)
  expect(await removeDue()).toBe(1)
  expect(ses.unsuppressed).toEqual([email])
  expect(await waiting()).toEqual([])
})

test("while SES fails, the request does not: the worker tries again, later each time, and gives up after twelve attempts", async () => {
  ses.state.suppression = [500]
  const { status, email } = await removed()
  expect(status).toBe(204)
  expect(await removeDue()).toBe(1)
  expect(await waiting()).toEqual([{ region: "eu-west-1", email, attempt: 1, later: true }])
  expect(await removeDue(), "before it is due again").toBe(0)
  for (let attempt = 2; attempt < 12; attempt++) await nextAttempt()
  expect(await waiting()).toMatchObject([{ attempt: 11 }])
  await nextAttempt()
  expect(await waiting(), "after the twelfth").toEqual([])
})

test("an address that is not on SES's list is done with", async () => {
  ses.state.suppression = [404]
  await removed()
  expect(await removeDue()).toBe(1)
  expect(await waiting()).toEqual([])
})

test("who comes back from an unsubscribe was never on SES's list, nor who is not on ours", async () => {
  await removed("unsubscribe")
  const params = { projectId: encodeId("proj", world.projectId), email: "nobody@lovelace.example" }
  const { status } = await api("DELETE /v1/projects/{projectId}/suppressions/{email}", { key: world.apiKey, params })
  expect(status).toBe(404)
  expect(await waiting()).toEqual([])
})
