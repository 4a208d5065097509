import { afterEach, beforeEach, expect, test } from "vitest"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, deliveryRows, newSending, relayAt, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { ageEmail, judgeAll, person, trackedPaths, trackingServer, type TrackingServer } from "@/e2e/support/reader"
import { api } from "@/e2e/support/world"
import { newWebhook } from "@/e2e/support/webhooks/receiver"
import { endAll, receiver, settled, work } from "@/e2e/support/webhooks/working"
import { apiDocument } from "@/lib/api/openapi"
import { type ReadDelivery, recordComplaint } from "@/lib/delivery/queue/feedback/data"
import { createDelayNotices } from "@/lib/delivery/queue/waits/data"
import type { Relays } from "@/lib/delivery/regions/relays"
import { addPastEvents } from "@/lib/emails/data"
import { pool, transaction } from "@/lib/platform/database/db"
import type { Route } from "@/lib/platform/http/endpoint"
import { newId } from "@/lib/platform/ids"
import { recordUnsubscribe } from "@/lib/tracking/data"
import { judgeHit, type Hit } from "@/lib/tracking/hits/rules"
import { dispatchAll } from "@/lib/worker/dispatcher"
import { webhookEventSchemas, testPayload } from "@/lib/webhooks/payload"
import { allEvents } from "@/lib/webhooks/rules"

let sender: Sending
let server: FaultServer
let relays: Relays
let web: TrackingServer

beforeEach(async () => {
  sender = await newSending()
  web = await trackingServer()
  server = await faultServer({
    RCPT: (socket, count) => ["250 2.1.5 ok", "550 5.1.1 no such user", "451 4.7.1 greylisted"][Math.min(count, 3) - 1],
  })
  relays = relayAt(server.port)
})
afterEach(async () => {
  await endAll()
  web.close()
  await relays.close()
  await server.close()
})

const call = (route: Route, params: Record<string, string> = {}, body?: unknown) =>
  api(route, { key: sender.apiKey, params: { projectId: sender.project, ...params }, body })

/** Everything that can happen to emails, by the code that makes it happen. */
async function emailEvents() {
  const html = '<p><a href="https://shop.example/orders/7">Your order</a></p>'
  const trackingSettings = { openTracking: true, clickTracking: true }
  const [read = ""] = await sendMail(sender, { html, trackingSettings })
  await deliverDue(relays)
  await ageEmail(read)
  const { links, images } = await trackedPaths(server.messages.at(-1) ?? "")
  for (const path of [...images, ...links]) await web.visit(path, { userAgent: person })
  await judgeAll()
  const [delivery] = await deliveryRows(read)
  await recordUnsubscribe(delivery.id, "one-click")
  await transaction((client) => recordComplaint(client, delivery.id))

  await sendMail(sender, { to: ["nobody@lovelace.example"] })
  await deliverDue(relays)
  const [late = ""] = await sendMail(sender, { to: ["late@lovelace.example"] })
  await deliverDue(relays)
  await pool().query("UPDATE emails SET created_at = created_at - interval '21 minutes' WHERE id = $1", [late])
  await pool().query(
    "UPDATE deliveries SET first_attempt_at = first_attempt_at - interval '21 minutes' WHERE email_id = $1",
    [late],
  )
  await createDelayNotices()()
  await pool().query("UPDATE emails SET created_at = created_at - interval '80 hours' WHERE id = $1", [late])
  await pool().query("UPDATE deliveries SET due_at = now() - interval '1 second' WHERE email_id = $1", [late])
  await deliverDue(relays)

  await call("POST /v1/projects/{projectId}/suppressions", {}, { email: "gone@lovelace.example" })
  await sendMail(sender, { to: ["gone@lovelace.example"] })
  await call("DELETE /v1/projects/{projectId}/suppressions/{email}", { email: "gone@lovelace.example" })
  await addPastEvents(pool(), [
    { ...eventOf(read, delivery.id), type: "read_engaged", data: readingOf() },
    // Nothing of today's product rejects: the type is of the contract.
    { ...eventOf(read, delivery.id), type: "rejected", data: { to: "ada@lovelace.example", subject: "Hello" } },
  ])
}

const eventOf = (emailId: string, deliveryId: string) => ({
  ...{ id: newId(), projectId: sender.projectId, emailId, deliveryId, occurredAt: null },
})

function readingOf(): Record<string, string> {
  const sentAt = new Date("2026-11-22T10:00:00Z")
  const hit = (kind: Hit["kind"], second: number, heldMs: number | null) => {
    const at = new Date(sentAt.getTime() + second * 1_000)
    return { id: kind, kind, number: 0, client: "phone", userAgent: person, head: false, heldMs, at, isJudged: false }
  }
  const delivery: ReadDelivery = {
    ...{ id: "d", projectId: "p", emailId: "e", topicId: null, subject: "Hello", sentAt, status: "delivered" },
    ...{ address: "ada@lovelace.example", canonical: "ada@lovelace.example", emailStatus: "delivered" },
  }
  const engagement = { humanEvents: 0, humanClicks: 0, machineEvents: 0, readings: [], readMs: null, readAt: null }
  const due = [hit("open", 60, null), hit("read", 61, 14_000)]
  const { events } = judgeHit({
    attemptedAt: [],
    ...{ delivery, due, around: due, urls: [] },
    engagement: { ...engagement, engagedAt: null, userAgent: null },
  })
  return events.find(({ type }) => type === "read_engaged")?.data ?? {}
}

async function audienceAndDomainEvents() {
  const contacts = "/v1/projects/{projectId}/contacts"
  const { json: contact } = await call(`POST ${contacts}`, {}, { email: "alan@turing.example", firstName: "Alan" })
  await call(`PATCH ${contacts}/{contactId}`, { contactId: contact.id }, { phone: "+44 20 7946 0000" })
  await call(`DELETE ${contacts}/{contactId}`, { contactId: contact.id })
  const domains = "/v1/projects/{projectId}/domains"
  const { json: domain } = await call(`POST ${domains}`, {}, { domain: `new-${sender.domain}`, region: "eu-west-1" })
  for (const status of ["verified", "degraded", "failed"])
    await pool().query("UPDATE domains SET status = $2 WHERE project_id = $1 AND name = $3", [
      ...[sender.projectId, status, `new-${sender.domain}`],
    ])
  await call(`DELETE ${domains}/{domainId}`, { domainId: domain.id })
}

test("one event of each type is delivered as the document describes its body, with no field besides", async () => {
  const { url, received } = await receiver()
  const { id } = await newWebhook(sender, url, { events: allEvents })
  await emailEvents()
  await audienceAndDomainEvents()
  await dispatchAll()
  work()
  await settled(id)
  // A test goes only to public addresses: its body as it is sent.
  const tested = testPayload({ eventId: newId(), projectId: sender.projectId, now: new Date() })
  const bodies = [...received.map(({ body }) => body), JSON.stringify(tested)].map(
    (body) => JSON.parse(body) as { type: string },
  )
  // Received email has a test of its own.
  const expected = allEvents.filter((type) => type !== "email.received")
  expect([...new Set(bodies.map(({ type }) => type))].sort()).toEqual(expected.sort())
  const schemas = new Map(webhookEventSchemas.map(({ type, schema }) => [type, schema]))
  for (const body of bodies) expect([body, schemas.get(body.type)?.safeParse(body).error]).toEqual([body, undefined])
  const { webhooks } = apiDocument() as { webhooks: Record<string, unknown> }
  expect(Object.keys(webhooks).sort()).toEqual([...allEvents].sort())
})
