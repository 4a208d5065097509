import { request } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, test } from "vitest"
import { api, newWorld } from "@/e2e/support/world"
import { faultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, eventTypes, newSending, relayAt, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import type { Relays } from "@/lib/delivery/regions/relays"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { flushHits } from "@/lib/tracking/hits/hit-buffer"
import { ageEmail, judgeAll, person, trackedPaths, trackingServer, type TrackingServer } from "@/e2e/support/reader"

let sender: Sending
let smtp: Awaited<ReturnType<typeof faultServer>>
let relays: Relays
let web: TrackingServer

beforeEach(async () => {
  sender = await newSending()
  await pool().query(
    "UPDATE projects SET read_engagement = true, open_tracking = true, scroll_depth = true WHERE id = $1",
    [sender.projectId],
  )
  smtp = await faultServer({})
  relays = relayAt(smtp.port)
  web = await trackingServer()
})
afterEach(async () => {
  web.close()
  await relays.close()
  await smtp.close()
})

const long = `<body>${"<p>Uzun bir bülten, okunacak çok şey var.</p>".repeat(80)}</body>`

/** A delivered email and its images: four marks, the open image and the one that is held. */
async function delivered(body: Record<string, unknown> = {}) {
  const [emailId = ""] = await sendMail(sender, { html: long, ...body })
  await deliverDue(relays)
  await ageEmail(emailId)
  const { images } = await trackedPaths(smtp.messages.at(-1) ?? "")
  return { emailId, images }
}

const read = (emailId: string, key = sender.apiKey) =>
  api("GET /v1/metrics/emails/{id}/engagement", { key, params: { id: encodeId("email", emailId) } })

/** Holds an image open for a while, then closes it as a mail program does with its email. */
async function hold(path: string, ms: number) {
  const { port } = web.server.address() as AddressInfo
  await new Promise<void>((closed) => {
    const headers = { host: "localhost:3000", "x-client-ip": "203.0.113.9", "user-agent": person }
    const held = request({ host: "127.0.0.1", port, path, headers, agent: false }, (response) => {
      response.on("error", () => {}).resume()
      setTimeout(() => held.destroy(), ms)
    })
    held.on("error", () => {}).on("close", () => setTimeout(closed, 100))
    held.end()
  })
}

test("an email that nobody read, or whose reading is not tracked, has no measured value", async () => {
  for (const settings of [{}, { readEngagement: false, openTracking: false }]) {
    const { emailId } = await delivered({ trackingSettings: settings })
    const { status, json } = await read(emailId)
    expect(status).toBe(200)
    const { computedAt, ...rest } = json
    expect(Date.parse(computedAt)).toBeGreaterThan(0)
    expect(rest).toEqual({
      ...{ emailId: encodeId("email", emailId), subject: "Hello", readEngaged: false, shortEmail: false },
      ...{ depth25Count: 0, depth50Count: 0, depth75Count: 0, depth100Count: 0 },
    })
  }
})

test("is read for as long as its image is held open, by the clock of the reader", async () => {
  const { emailId, images } = await delivered()
  const [open = "", held = ""] = images.slice(-2)
  await web.visit(open)
  await hold(held, 2_300)
  await judgeAll()
  const { json } = await read(emailId)
  expect(json.readTimeSeconds).toBeGreaterThan(2.2)
  expect(json.readTimeSeconds).toBeLessThan(4)
  expect(json).toMatchObject({
    readCategory: "skimmed",
    readEngaged: false,
    mailClient: "Apple Mail",
    os: "iOS",
    deviceType: "mobile",
  })
  const performance = await api("GET /v1/metrics/emails/{id}", {
    key: sender.apiKey,
    params: { id: encodeId("email", emailId) },
  })
  expect(performance.json).toMatchObject({
    readCategory: "skimmed",
    readTimeSeconds: json.readTimeSeconds,
    readEngaged: false,
  })
})

test("a long reading is an event, counts for its topic, and tells how far it came", async () => {
  const topic = await api("POST /v1/projects/{projectId}/topics", {
    key: sender.apiKey,
    params: { projectId: sender.project },
    body: { name: "News", defaultSubscription: "opt_in" },
  })
  const { emailId, images } = await delivered({ topicId: topic.json.id })
  const [, half = "", , , open = "", held = ""] = images
  await web.visit(open)
  await hold(held, 1_600)
  await web.visit(half)
  await flushHits()
  await pool().query("UPDATE tracking_hits SET held_ms = 12000 WHERE email_id = $1 AND kind = 'read'", [emailId])
  await judgeAll()
  expect(await eventTypes(emailId)).toContain("read_engaged")
  expect((await read(emailId)).json).toMatchObject({
    ...{ readEngaged: true, readEngagedAt: expect.any(String), readTimeSeconds: 12, readCategory: "read" },
    ...{ maxDepthPct: 50, depth25Count: 1, depth50Count: 1, depth75Count: 0, depth50Rate: 1, depth75Rate: 0 },
  })
  const { json } = await api("GET /v1/metrics/topics/{id}", { key: sender.apiKey, params: { id: topic.json.id } })
  expect(json.avgReadTimeSeconds).toBe(12)
})

test("a short email says so and has no marks; one of another project is not found", async () => {
  const { emailId, images } = await delivered({ html: "<p>Kısa</p>" })
  expect(images).toHaveLength(2)
  expect((await read(emailId)).json.shortEmail).toBe(true)
  expect((await read(emailId, (await newWorld()).apiKey)).status).toBe(404)
})
