import { afterEach, beforeAll, describe, expect, test } from "vitest"
import { systemEntries, takeNotices } from "@/e2e/support/access/notices"
import * as testing from "@/e2e/support/broadcasting"
import type { Sending } from "@/e2e/support/delivery/sending"
import { claimBroadcasts } from "@/lib/broadcasts/sending/data"
import { runBroadcast } from "@/lib/broadcasts/sending/worker"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"

const { addressesOf, call, countResults, create, newBroadcaster, newMembers, read, runDue } = testing

beforeAll(() => provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" }))
afterEach(() => provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" }))

const members = 900

describe("a broadcast whose results are bad", () => {
  test("pauses itself, tells the owners once with the figures, and writes to nobody else", async () => {
    const { sender, id } = await begun({ sent: 500, bounced: 26, delivered: 474 })
    await runDue()
    const stopped = await read(sender, id)
    expect(stopped).toMatchObject({ status: "paused", pausedReason: "bounces", counts: { bounced: 26 } })
    expect(stopped.counts.accepted).toBeLessThan(members)
    const [notice, ...others] = await takeNotices(sender)
    expect(others).toEqual([])
    expect(notice?.mail).toMatchObject({ kind: "broadcast-stopped", reason: "bounces", count: 26, of: 500 })
    expect(notice?.email?.text).toContain("26 of 500 emails (5.2%) bounced")
    expect(notice?.email?.text).toContain(`/broadcasts/${id}`)
    expect(await systemEntries(sender)).toMatchObject([
      { action: "broadcasts.stop", target: id, changes: { reason: "bounces", sent: 500, bounced: 26 } },
    ])
    const before = await addressesOf(id)
    await runDue()
    expect(await addressesOf(id)).toEqual(before)
  })

  test("is judged by complaints of what was delivered, too", async () => {
    const { sender, id } = await begun({ sent: 700, delivered: 600, complained: 2 })
    await runDue()
    expect(await read(sender, id)).toMatchObject({ status: "paused", pausedReason: "complaints" })
    expect((await takeNotices(sender))[0]?.email?.text).toContain("2 of 600 emails (0.3%) were marked as spam")
  })

  test("goes on when somebody resumes it, and is judged anew by what follows", async () => {
    const { sender, id } = await begun({ sent: 500, bounced: 100, delivered: 400 })
    await runDue()
    await call(sender, "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/resume", id)
    await setRate(sender, 100_000)
    await runDue()
    expect(await read(sender, id)).toMatchObject({ status: "sent", counts: { accepted: members } })
  })
})

test("a broadcast whose results are good goes on, and one with few results is not judged", async () => {
  const { sender, id } = await begun({ sent: 499, bounced: 400, delivered: 99 })
  await setRate(sender, 100_000)
  await runDue()
  expect((await read(sender, id)).status).toBe("sent")
})

test("a broadcast that is resumed while a worker is about to let it rest goes on", async () => {
  const sender = await newBroadcaster()
  const { segmentId, emails } = await newMembers(sender, 3)
  const id = await create(sender, [segmentId])
  await call(sender, "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/pause", id)
  const held = (await claimBroadcasts(10, 60_000)).find((one) => encodeId("bc", one.id) === id)
  expect(held).toMatchObject({ status: "paused" })
  await call(sender, "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/resume", id)
  if (held) await runBroadcast(held, new AbortController().signal)
  await runDue()
  expect(await read(sender, id)).toMatchObject({ status: "sent", counts: { accepted: 3 } })
  expect(await addressesOf(id)).toEqual(emails)
})

/** A broadcast that has begun at a pace that does not end, with these results so far. */
async function begun(results: Record<string, number>): Promise<{ sender: Sending; id: string }> {
  const sender = await newBroadcaster()
  await setRate(sender, 1)
  const { segmentId } = await newMembers(sender, members)
  const id = await create(sender, [segmentId])
  await countResults(sender, id, results)
  return { sender, id }
}

async function setRate({ projectId }: Sending, rate: number) {
  await pool().query("UPDATE projects SET per_second_sends = $2 WHERE id = $1", [projectId, rate])
}
