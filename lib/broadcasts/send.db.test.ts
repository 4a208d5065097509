import { afterEach, describe, expect, test, vi } from "vitest"
import { api } from "@/e2e/support/world"
import { claimBroadcasts } from "@/lib/broadcasts/sending/data"
import { runBroadcast, runBroadcasts } from "@/lib/broadcasts/sending/worker"
import * as testing from "@/e2e/support/broadcasting"
import { pool } from "@/lib/platform/database/db"
import type { Route } from "@/lib/platform/http/endpoint"
import { decodeId, newId } from "@/lib/platform/ids"
import { addContacts, newSegment } from "@/e2e/support/segments/audience"

const { addressesOf, addMembers, call, contactId, create, newBroadcaster, newMembers, read, runDue } = testing

test("everybody in a segment gets one email, which belongs to the broadcast and carries the link to unsubscribe", async () => {
  const sender = await newBroadcaster()
  const { segmentId, emails } = await newMembers(sender, 250)
  const id = await create(sender, [segmentId], { html: "<p>Hello</p>", tags: { issue: "7" } })
  expect(await read(sender, id)).toMatchObject({ status: "preparing", counts: { accepted: 0 } })
  await runDue()
  expect(await read(sender, id)).toMatchObject({
    ...{ status: "sent", startedAt: expect.any(String), endedAt: expect.any(String) },
    counts: { recipients: 250, accepted: 250, excluded: { unsubscribed: 0, suppressed: 0, topicOptOut: 0, left: 0 } },
  })
  expect(await addressesOf(id)).toEqual(emails)

  const listed = await api("GET /v1/projects/{projectId}/emails", {
    ...{ key: sender.apiKey, params: { projectId: sender.project }, query: { broadcastId: id, size: 1 } },
  })
  expect(listed.json.page.total).toBe(250)
  expect(listed.json.data[0]).toMatchObject({ broadcastId: id, trackingSettings: { unsubscribeTracking: true } })
  const { json: email } = await api("GET /v1/projects/{projectId}/emails/{emailId}", {
    ...{ key: sender.apiKey, params: { projectId: sender.project, emailId: listed.json.data[0].id } },
  })
  expect(email).toMatchObject({ broadcastId: id, text: "Hello", html: "<p>Hello</p>", tags: { issue: "7" } })
})

test("the content of all emails is stored once", async () => {
  const sender = await newBroadcaster()
  const { segmentId } = await newMembers(sender, 20)
  const file = { filename: "a.txt", content: Buffer.from("file").toString("base64"), contentType: "text/plain" }
  await create(sender, [segmentId], { attachments: [file] })
  await runDue()
  const { rows } = await pool().query(
    `SELECT (SELECT count(*)::int FROM email_contents WHERE project_id = $1) AS contents,
      (SELECT count(*)::int FROM email_bodies WHERE project_id = $1 AND (text IS NOT NULL OR attachments IS NOT NULL)) AS bodies`,
    [sender.projectId],
  )
  expect(rows).toEqual([{ contents: 1, bodies: 0 }])
})

test("the union of segments, topics, contacts and addresses gets it, each address once", async () => {
  const sender = await newBroadcaster()
  const one = await newMembers(sender, 5, "one")
  const two = await newMembers(sender, 5, "two")
  await addMembers(sender, two.segmentId, one.ids.slice(0, 3))
  const topicId = await newTopic(sender)
  await prefer(sender, topicId, one.ids[4], "opt_in")
  await prefer(sender, topicId, two.ids[4], "opt_in")
  const [alone = ""] = await addContacts(sender, [{ email: "alone@x.example" }])
  const to = [
    ...[one.segmentId, two.segmentId, topicId, contactId(alone), contactId(one.ids[0])],
    ...["Plain <plain@x.example>", "PLAIN@x.example", "two-00001@x.example"],
  ]
  const id = await create(sender, to)
  await runDue()
  expect(await addressesOf(id)).toEqual(["alone@x.example", ...one.emails, "plain@x.example", ...two.emails].sort())
  expect(await read(sender, id)).toMatchObject({ status: "sent", counts: { recipients: 12, accepted: 12 } })
  const { rows } = await pool().query("SELECT idempotency_key AS key FROM emails WHERE broadcast_id = $1", [
    decodeId("bc", id),
  ])
  const keys = rows.map(({ key }) => key)
  expect(keys).toContain(`broadcast:${id}:${contactId(one.ids[1])}`)
  expect(keys).toContain(`broadcast:${id}:plain@x.example`)
})

test("whoever is unsubscribed, suppressed or out of the topic is left out and counted by the first reason", async () => {
  const sender = await newBroadcaster()
  const { segmentId, ids, emails } = await newMembers(sender, 8)
  const topicId = await newTopic(sender)
  await pool().query("UPDATE contacts SET unsubscribed = true WHERE id = $1", [ids[0]])
  await suppress(sender, emails[0], "bounce")
  await suppress(sender, emails[1], "unsubscribe")
  await suppress(sender, emails[2], "complaint")
  await prefer(sender, topicId, ids[3], "opt_out")
  const id = await create(sender, [segmentId, "gone@x.example", "new@x.example"], { topicId })
  await suppress(sender, "gone@x.example", "manual")
  await runDue()
  expect(await addressesOf(id)).toEqual(["new@x.example", ...emails.slice(4)].sort())
  expect((await read(sender, id)).counts).toMatchObject({
    ...{ recipients: 10, accepted: 5 },
    excluded: { unsubscribed: 2, suppressed: 2, topicOptOut: 1, left: 0 },
  })
})

test("whoever leaves before their turn is counted as having left, and whoever joins in time gets it", async () => {
  const sender = await newBroadcaster()
  const { segmentId, ids, emails } = await newMembers(sender, 6)
  const id = await create(sender, [segmentId])
  const [held] = await claimBroadcasts(10, 60_000)
  if (!held) throw new Error("The broadcast was not due.")
  // Begun, but nobody met yet.
  await runBroadcast(held, AbortSignal.abort())
  expect(await read(sender, id)).toMatchObject({ status: "sending", counts: { recipients: 6, accepted: 0 } })
  await pool().query("DELETE FROM segment_members WHERE contact_id = ANY ($1)", [[ids[1], ids[2]]])
  const [late = ""] = await addContacts(sender, [{ email: "z-late@x.example" }])
  await addMembers(sender, segmentId, [late])
  await runDue()
  expect(await addressesOf(id)).toEqual([emails[0], ...emails.slice(3), "z-late@x.example"])
  expect((await read(sender, id)).counts).toMatchObject({ recipients: 7, accepted: 5, excluded: { left: 2 } })
})

test("a worker that died after it accepted, before it noted so, leaves nobody out and writes to nobody twice", async () => {
  const sender = await newBroadcaster()
  const { segmentId, ids, emails } = await newMembers(sender, 30)
  const id = await create(sender, [segmentId])
  await runDue()
  // As the crash leaves it: the emails exist, the walk has not moved. One member has left the list of recipients since.
  await pool().query(
    "UPDATE broadcasts SET status = 'sending', position = 0, cursor = $2, accepted = 10, due_at = now() - interval '1 second' WHERE id = $1",
    [decodeId("bc", id), ids[9]],
  )
  await suppress(sender, emails[20], "manual")
  await runDue()
  expect(await addressesOf(id)).toEqual(emails)
  expect((await read(sender, id)).counts).toMatchObject({ accepted: 30, excluded: { suppressed: 0, left: 0 } })
})

test("a segment that is being built is waited for, and the broadcast says so", async () => {
  const sender = await newBroadcaster()
  const { segmentId } = await newMembers(sender, 2)
  const passed = (value: number) =>
    pool().query("UPDATE segments SET filter_version = $2 WHERE id = $1", [decodeId("seg", segmentId), value])
  await passed(1)
  const id = await create(sender, [segmentId])
  await runDue()
  expect(await read(sender, id)).toMatchObject({ status: "preparing", waiting: { reason: "segment_building" } })
  await passed(0)
  await comeDue(id)
  await runDue()
  const sent = await read(sender, id)
  expect(sent).toMatchObject({ status: "sent", counts: { accepted: 2 } })
  expect(sent.waiting).toBeUndefined()
})

test("a segment whose filter names one that is being built is waited for", async () => {
  const sender = await newBroadcaster()
  const { segmentId: inner } = await newMembers(sender, 2)
  const outer = await newSegment(sender, { all: [{ field: "segment", segmentId: inner, operator: "in" }] })
  await pool().query("UPDATE segments SET filter_version = passed_version + 1 WHERE id = $1", [decodeId("seg", inner)])
  const id = await create(sender, [outer])
  await runDue()
  expect(await read(sender, id)).toMatchObject({ status: "preparing", waiting: { reason: "segment_building" } })
  await pool().query("UPDATE segments SET filter_version = passed_version WHERE id = $1", [decodeId("seg", inner)])
  await comeDue(id)
  await runDue()
  expect(await read(sender, id)).toMatchObject({ status: "sent", counts: { accepted: 2 } })
})

test("a used-up quota is waited for, the broadcast says until when, and goes on where it was", async () => {
  const sender = await newBroadcaster()
  const { segmentId, emails } = await newMembers(sender, 10)
  await pool().query("UPDATE organizations SET daily_sends = 4 WHERE id = $1", [sender.organizationId])
  const id = await create(sender, [segmentId])
  await runDue()
  const waiting = await read(sender, id)
  expect(waiting).toMatchObject({ status: "sending", counts: { accepted: 4 }, waiting: { reason: "daily_quota" } })
  expect(waiting.waiting.until).toMatch(/T(?:00:00:0|23:59:5)/)
  await pool().query("UPDATE organizations SET daily_sends = 1000 WHERE id = $1", [sender.organizationId])
  await comeDue(id)
  await runDue()
  expect(await addressesOf(id)).toEqual(emails)
  expect((await read(sender, id)).status).toBe("sent")
})

test("one that is sending while its project is deleted goes on by itself where it was once the project is restored", async () => {
  const sender = await newBroadcaster()
  const { segmentId, emails } = await newMembers(sender, 3)
  const id = await create(sender, [segmentId])
  const [held] = await claimBroadcasts(10, 60_000)
  if (!held) throw new Error("The broadcast was not due.")
  await pool().query("UPDATE projects SET deleted_at = now() WHERE id = $1", [sender.projectId])
  await runBroadcast(held, new AbortController().signal)
  await runDue()
  await pool().query("UPDATE projects SET deleted_at = NULL WHERE id = $1", [sender.projectId])
  expect((await read(sender, id)).status).toMatch(/^(preparing|sending)$/)
  await runDue()
  expect(await addressesOf(id)).toEqual(emails)
  expect((await read(sender, id)).status).toBe("sent")
})

test("a suspended project, and a domain that is no longer verified, pause it with the reason until it is resumed", async () => {
  const sender = await newBroadcaster()
  const { segmentId, emails } = await newMembers(sender, 3)
  const id = await create(sender, [segmentId])
  const resume = () => call(sender, "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/resume", id)
  await pool().query("UPDATE projects SET suspended_at = now() WHERE id = $1", [sender.projectId])
  await runDue()
  expect(await read(sender, id)).toMatchObject({ status: "paused", pausedReason: "project_suspended" })
  expect((await resume()).json.code).toBe("project.suspended")
  await pool().query("UPDATE projects SET suspended_at = NULL WHERE id = $1", [sender.projectId])
  expect((await resume()).json.status).toBe("preparing")

  await pool().query("UPDATE domains SET status = 'failed' WHERE id = $1", [sender.domainId])
  await runDue()
  expect(await read(sender, id)).toMatchObject({ status: "paused", pausedReason: "domain_not_verified" })
  expect((await resume()).json.code).toBe("email.from_domain_not_verified")
  await pool().query("UPDATE domains SET status = 'verified' WHERE id = $1", [sender.domainId])
  await resume()
  await runDue()
  expect(await addressesOf(id)).toEqual(emails)
})

describe("what was deleted before its time", () => {
  const remove = (sender: Sender, path: { topicId: string } | { segmentId: string }) => {
    const kind = "topicId" in path ? "topics/{topicId}" : "segments/{segmentId}"
    const params = { projectId: sender.project, ...path }
    return api(`DELETE /v1/projects/{projectId}/${kind}` as Route, { key: sender.apiKey, params })
  }
  const later = { scheduledAt: new Date(Date.now() + 3600_000).toISOString() }

  test("its topic pauses a broadcast: nobody who left the topic gets it, scheduled or sent from a draft", async () => {
    const sender = await newBroadcaster()
    const { segmentId, ids } = await newMembers(sender, 2)
    const topicId = await newTopic(sender)
    await prefer(sender, topicId, ids[0], "opt_out")
    const scheduled = await create(sender, [segmentId, "new@x.example"], { topicId, ...later })
    const draft = await create(sender, [contactId(ids[0])], { topicId, draft: true })
    expect((await remove(sender, { topicId })).status).toBe(204)
    await comeDue(scheduled)
    await call(sender, "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/send", draft)
    await runDue()
    for (const id of [scheduled, draft]) {
      expect(await read(sender, id)).toMatchObject({ status: "paused", pausedReason: "topic_deleted" })
      expect(await addressesOf(id), "addresses that got an email").toEqual([])
    }
  })

  test("all its segments and topics pause a broadcast with the reason; with one left it is sent", async () => {
    const sender = await newBroadcaster()
    const [one, other] = [await newMembers(sender, 2, "one"), await newMembers(sender, 2, "other")]
    const topicId = await newTopic(sender)
    const gone = await create(sender, [one.segmentId, topicId], later)
    const left = await create(sender, [one.segmentId, other.segmentId], later)
    for (const path of [{ topicId }, { segmentId: one.segmentId }]) {
      expect((await remove(sender, path)).status).toBe(204)
    }
    for (const id of [gone, left]) await comeDue(id)
    await runDue()
    expect(await read(sender, gone)).toMatchObject({ status: "paused", pausedReason: "audience_deleted" })
    expect(await read(sender, left)).toMatchObject({ status: "sent", counts: { accepted: 2 } })
    expect(await addressesOf(left)).toEqual(other.emails)
  })
})

test("a scheduled broadcast is sent when its time has come, and no sooner", async () => {
  const sender = await newBroadcaster()
  const { segmentId } = await newMembers(sender, 2)
  const id = await create(sender, [segmentId], { scheduledAt: new Date(Date.now() + 3600_000).toISOString() })
  await runDue()
  expect(await read(sender, id)).toMatchObject({ status: "scheduled", counts: { accepted: 0 } })
  await comeDue(id)
  await runDue()
  expect(await read(sender, id)).toMatchObject({ status: "sent", counts: { accepted: 2 } })
})

test("a scheduled broadcast that missed its time by more than 72 hours is paused with the reason, and sent once it is resumed", async () => {
  const sender = await newBroadcaster()
  const { segmentId, emails } = await newMembers(sender, 2)
  const scheduledAt = new Date(Date.now() + 3600_000).toISOString()
  const [late, missed] = [
    await create(sender, [segmentId], { scheduledAt }),
    await create(sender, [segmentId], { scheduledAt }),
  ]
  await pool().query("UPDATE projects SET deleted_at = now() WHERE id = $1", [sender.projectId])
  await passTime(late, "71 hours")
  await passTime(missed, "73 hours")
  await runDue()
  await pool().query("UPDATE projects SET deleted_at = NULL WHERE id = $1", [sender.projectId])
  await runDue()
  expect(await read(sender, late)).toMatchObject({ status: "sent", counts: { accepted: 2 } })
  expect(await read(sender, missed)).toMatchObject({ status: "paused", pausedReason: "schedule_missed" })
  expect(await addressesOf(missed)).toEqual([])
  const { rows } = await pool().query(
    "SELECT target FROM audit_entries WHERE project_id = $1 AND action = 'broadcasts.stop'",
    [sender.projectId],
  )
  expect(rows, "stops in the audit log").toEqual([{ target: missed }])
  await call(sender, "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/resume", missed)
  await runDue()
  const resumed = await read(sender, missed)
  expect(resumed).toMatchObject({ status: "sent", counts: { accepted: 2 } })
  expect(resumed).not.toHaveProperty("pausedReason")
  expect(await addressesOf(missed)).toEqual(emails)
})

test("a broadcast of a project with the highest rate that can be set is sent", async () => {
  const sender = await newBroadcaster()
  await pool().query("UPDATE projects SET per_second_sends = 2147483647 WHERE id = $1", [sender.projectId])
  const { segmentId } = await newMembers(sender, 2)
  const id = await create(sender, [segmentId])
  await runDue()
  expect(await read(sender, id)).toMatchObject({ status: "sent", counts: { accepted: 2 } })
})

test("pausing stops a broadcast under way, resuming goes on where it was, cancelling ends it with what it has counted", async () => {
  const sender = await newBroadcaster()
  await pool().query("UPDATE projects SET per_second_sends = 1 WHERE id = $1", [sender.projectId])
  const { segmentId, emails } = await newMembers(sender, 40)
  const id = await create(sender, [segmentId])
  const step = (name: "pause" | "resume" | "cancel") =>
    call(sender, `POST /v1/projects/{projectId}/broadcasts/{broadcastId}/${name}`, id)

  const running = runDue()
  await accepted(id, 10)
  expect((await step("pause")).json).toMatchObject({ status: "paused", pausedReason: "requested" })
  await running
  const paused = await read(sender, id)
  expect(paused.counts.accepted).toBe((await addressesOf(id)).length)
  expect(paused.counts.accepted).toBeLessThan(40)
  await runDue()
  expect((await read(sender, id)).counts.accepted).toBe(paused.counts.accepted)

  // The queue is empty again, so the walk has room.
  await pool().query("UPDATE deliveries SET status = 'sent', due_at = NULL WHERE project_id = $1", [sender.projectId])
  expect((await step("resume")).json.status).toBe("preparing")
  const again = runDue()
  await accepted(id, paused.counts.accepted + 1)
  expect((await step("cancel")).json).toMatchObject({ status: "cancelled", endedAt: expect.any(String) })
  await again
  const ended = await read(sender, id)
  const got = await addressesOf(id)
  expect(got).toEqual(emails.slice(0, got.length))
  expect(ended).toMatchObject({ status: "cancelled", counts: { accepted: got.length, excluded: { left: 0 } } })
  expect((await step("resume")).json.code).toBe("broadcast.status_conflict")
})

describe("mail that waits for a destination or a region in trouble", () => {
  afterEach(async () => void (await pool().query("DELETE FROM region_outages")))

  test("keeps nobody else from getting a broadcast, though it is more than the queue of the project may hold", async () => {
    const sender = await newBroadcaster()
    await pool().query("UPDATE projects SET per_second_sends = 10 WHERE id = $1", [sender.projectId])
    await holdDestination("away.example")
    const { segmentId } = await newMembers(sender, 10)
    const held = Array.from({ length: 40 }, (_, at) => `reader-${at}@away.example`)
    const id = await create(sender, [segmentId, ...held])
    await runDue()
    expect(await read(sender, id)).toMatchObject({ status: "sent", counts: { accepted: 50 } })
  })

  test("of a region that is down keeps nobody from getting a broadcast by another region", async () => {
    const sender = await newBroadcaster()
    await pool().query("UPDATE projects SET per_second_sends = 10 WHERE id = $1", [sender.projectId])
    await create(sender, addressesNamed("waiting", 15))
    await runDue()
    await pool().query(
      `UPDATE deliveries SET region = 'us-east-1', queue_id = (SELECT id FROM delivery_queues
        WHERE region = 'us-east-1' AND kind = 'general') WHERE project_id = $1`,
      [sender.projectId],
    )
    await pool().query(
      "INSERT INTO region_outages (route, phase, diagnostic, next_probe_at) VALUES ('us-east-1', 'connect', 'x', now())",
    )
    const id = await create(sender, addressesNamed("healthy", 15))
    await runDue()
    expect(await read(sender, id)).toMatchObject({ status: "sent", counts: { accepted: 15 } })
  })

  test("is at most 2,000 emails, behind which other mail to there waits; the broadcast says so and goes on when they leave", async () => {
    const sender = await newBroadcaster()
    const queue = await holdDestination("away-for-long.example")
    const { segmentId, ids } = await newMembers(sender, 2_010)
    await pool().query("UPDATE contacts SET email = replace(email, '@x.', '@away-for-long.') WHERE id = ANY ($1)", [
      ids,
    ])
    const id = await create(sender, [segmentId])
    await runDue()
    expect(await read(sender, id)).toMatchObject({
      ...{ status: "sending", counts: { accepted: 2_000 } },
      waiting: { reason: "delivery_held" },
    })
    await pool().query("UPDATE delivery_queues SET pause = NULL WHERE id = $1", [queue])
    await comeDue(id)
    await runDue()
    expect(await read(sender, id)).toMatchObject({ status: "sent", counts: { accepted: 2_010 } })
  })
})

test("the emails of one broadcast never fill the queue that other email waits in", async () => {
  const sender = await newBroadcaster()
  await pool().query("UPDATE projects SET per_second_sends = 10 WHERE id = $1", [sender.projectId])
  const { segmentId } = await newMembers(sender, 100)
  const id = await create(sender, [segmentId])
  const stop = new AbortController()
  const running = runDue(stop.signal)
  await accepted(id, 20)
  // Nothing is sent here, so two seconds of the rate are all that it may queue.
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect((await addressesOf(id)).length).toBe(20)
  stop.abort()
  await running
})

test("the broadcasts of an organization that have no room in its queue keep nobody else's from starting", async () => {
  const crowd = await newBroadcaster()
  await pool().query("UPDATE projects SET per_second_sends = 1 WHERE id = $1", [crowd.projectId])
  const { segmentId } = await newMembers(crowd, 100)
  const crowded = await Promise.all(Array.from({ length: 6 }, () => create(crowd, [segmentId])))
  const stop = new AbortController()
  const running = runBroadcasts({ signal: stop.signal, leaseMs: 60_000 })
  // Nothing is sent here, so the queue stays full.
  await vi.waitFor(async () => expect((await queuedOf(crowd)).length).toBeGreaterThanOrEqual(10), { timeout: 20_000 })

  const other = await newBroadcaster()
  const { segmentId: few, emails } = await newMembers(other, 5)
  const id = await create(other, [few])
  await vi.waitFor(async () => expect((await read(other, id)).status).toBe("sent"), { timeout: 8_000 })
  expect(await addressesOf(id)).toEqual(emails)
  expect((await Promise.all(crowded.map((one) => read(crowd, one)))).map(({ status }) => status)).not.toContain("sent")
  stop.abort()
  await running
})

test("a broadcast beside other waiting email takes its share of the rate in every turn", async () => {
  const sender = await newBroadcaster()
  await pool().query("UPDATE projects SET per_second_sends = 8 WHERE id = $1", [sender.projectId])
  const { segmentId } = await newMembers(sender, 50)
  const { status } = await api("POST /v1/emails", {
    key: sender.apiKey,
    body: testing.mailOf(sender, ["waiting@x.example"]),
  })
  expect(status).toBe(201)
  const id = await create(sender, [segmentId])
  const stop = new AbortController()
  const running = runDue(stop.signal)
  await accepted(id, 6)
  stop.abort()
  await running
})

const addressesNamed = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name}-${at}@x.example`)

/** Mail to this domain is put into a queue that is paused, which it answers. */
async function holdDestination(domain: string): Promise<number> {
  const { rows } = await pool().query<{ id: number }>(
    `WITH made AS (INSERT INTO destinations (key, hosts) VALUES ($1, ARRAY[$1]) RETURNING id),
        noted AS (INSERT INTO destination_domains (domain, destination_id) SELECT $1, id FROM made)
      INSERT INTO delivery_queues (region, kind, destination_id, pause, paused_until)
        SELECT 'eu-west-1', 'destination', id, 'away', now() + interval '1 hour' FROM made RETURNING id`,
    [domain],
  )
  return rows[0]?.id ?? 0
}

const queuedOf = async ({ projectId }: Sender) =>
  (await pool().query("SELECT FROM deliveries WHERE project_id = $1 AND status = 'queued'", [projectId])).rows

async function accepted(id: string, count: number) {
  await vi.waitFor(async () => expect((await addressesOf(id)).length).toBeGreaterThanOrEqual(count), {
    ...{ timeout: 20_000, interval: 20 },
  })
}

async function comeDue(id: string) {
  await pool().query("UPDATE broadcasts SET due_at = now() - interval '1 second' WHERE id = $1", [decodeId("bc", id)])
}

/** Its scheduled time was so long ago. */
async function passTime(id: string, ago: string) {
  await pool().query(
    "UPDATE broadcasts SET scheduled_at = now() - $2::interval, due_at = now() - $2::interval WHERE id = $1",
    [decodeId("bc", id), ago],
  )
}

type Sender = Awaited<ReturnType<typeof newBroadcaster>>

async function newTopic(sender: Sender): Promise<string> {
  const { json } = await api("POST /v1/projects/{projectId}/topics", {
    ...{ key: sender.apiKey, params: { projectId: sender.project } },
    body: { name: `Topic ${newId()}`, defaultSubscription: "opt_in" },
  })
  return json.id
}

async function prefer(sender: Sender, topicId: string, contact: string | undefined, subscription: string) {
  await pool().query(
    "INSERT INTO topic_preferences (project_id, topic_id, contact_id, subscription) VALUES ($1, $2, $3, $4)",
    [sender.projectId, decodeId("top", topicId), contact, subscription],
  )
}

async function suppress(sender: Sender, email: string | undefined, reason: string) {
  await pool().query("INSERT INTO suppressions (id, project_id, email, reason) VALUES ($1, $2, $3, $4)", [
    ...[newId(), sender.projectId, email, reason],
  ])
}
