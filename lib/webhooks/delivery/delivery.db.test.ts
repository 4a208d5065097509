import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { verified } from "@/e2e/support/webhooks/http-receiver"
import { deliveriesOf, dispatched, newWebhook, type StoredDelivery } from "@/e2e/support/webhooks/receiver"
import { storedFailureText } from "@/lib/webhooks/delivery/outcome"
import { endAll, receiver, settled, work } from "@/e2e/support/webhooks/working"

let world: World
beforeEach(async () => {
  world = await newWorld()
})
afterEach(endAll)

const change = (webhookId: string, body: object) =>
  api("PATCH /v1/projects/{projectId}/webhooks/{endpointId}", {
    key: world.apiKey,
    params: { projectId: world.project, endpointId: encodeId("whk", webhookId) },
    body,
  })

describe("an event", () => {
  test("is delivered to every webhook that subscribes to it and whose filters it passes, signed and transformed", async () => {
    const { url, received } = await receiver()
    const plain = await newWebhook(world, url)
    const changed = await newWebhook(world, url, {
      filters: [{ field: "data.to", operator: "contains", value: "@lovelace.example" }],
      transformations: [{ type: "compute_field", field: "text", template: "{{type}} {{data.to}}" }],
    })
    await newWebhook(world, url, { events: ["email.opened"] })
    await newWebhook(world, url, { filters: [{ field: "data.to", operator: "eq", value: "alan@turing.example" }] })
    const off = await newWebhook(world, url)
    await change(off.id, { enabled: false })
    const [eventId = ""] = await dispatched(world, 1)
    work()
    await Promise.all([settled(plain.id), settled(changed.id)])
    expect(received).toHaveLength(2)
    const text = received.find(({ body }) => body.includes('"text"'))
    const bare = received.find((one) => one !== text)
    if (!text || !bare) throw new Error("A delivery is missing.")
    const payload = verified(plain.secret, bare)
    expect(payload).toEqual({
      id: encodeId("evt", eventId),
      type: "email.delivered",
      timestamp: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
      projectId: world.project,
      data: { to: "ada@lovelace.example", emailId: expect.stringMatching(/^email_/) },
    })
    expect(verified(changed.secret, text)).toEqual({ ...payload, text: "email.delivered ada@lovelace.example" })
    expect(received.map(({ id }) => id)).toEqual([payload.id, payload.id])
    expect(bare.headers).toMatchObject({ "content-type": "application/json", "user-agent": "Mailroom-Webhooks/1" })
    expect(await deliveriesOf(plain.id)).toMatchObject([
      {
        status: "success",
        attempt_count: 1,
        waitSeconds: null,
        last_status_code: 200,
        response_snippet: "ok",
        last_error: null,
      },
    ])
  })

  test("of another project, and of a kind that nobody can subscribe to, is delivered to nobody", async () => {
    const { url } = await receiver()
    const { id } = await newWebhook(world, url)
    await dispatched(await newWorld(), 3)
    await dispatched(world, 3, "queued")
    expect(await deliveriesOf(id)).toEqual([])
  })

  test("is signed by both secrets for 24 hours after a rotation, and by the new one alone thereafter", async () => {
    const { url, received } = await receiver()
    const { id, secret: former } = await newWebhook(world, url)
    const current = `whsec_${Buffer.from("the second secret of this test").toString("base64")}`
    await change(id, { secret: current })
    await dispatched(world, 1)
    work()
    await settled(id)
    for (const secret of [current, former]) verified(secret, received[0] ?? expect.fail())
    expect(received[0]?.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/)
    await pool().query("UPDATE webhooks SET former_secret_until = now() WHERE id = $1", [id])
    await dispatched(world, 1)
    await vi.waitFor(() => expect(received).toHaveLength(2), 5_000)
    verified(current, received[1] ?? expect.fail())
    expect(() => verified(former, received[1] ?? expect.fail())).toThrow()
  })
})

const textOf = (row?: StoredDelivery) => storedFailureText(row?.last_error ?? "", row?.last_error_facts)

describe("a failed attempt", () => {
  test("is retried after some 5 seconds with the same id and body and a new time, until the schedule ends", async () => {
    const { url, received } = await receiver((_, response) => response.writeHead(503).end("<b>busy</b>"))
    const { id, secret } = await newWebhook(world, url)
    await dispatched(world, 1)
    work()
    const [first] = await settled(id)
    expect(first).toMatchObject({ status: "pending", last_status_code: 503, last_error: "answered" })
    expect(first?.last_error_facts).toEqual({ status: 503 })
    expect(first?.response_snippet).toBe("<b>busy</b>")
    expect(first?.waitSeconds).toBeGreaterThan(3)
    expect(first?.waitSeconds).toBeLessThanOrEqual(6)
    for (let attempts = 2; attempts <= 10; attempts++) {
      await pool().query("UPDATE webhook_deliveries SET due_at = now() - interval '1 second' WHERE webhook_id = $1", [
        id,
      ])
      await vi.waitFor(async () => expect((await deliveriesOf(id))[0]?.attempt_count).toBe(attempts), 5_000)
    }
    expect(await deliveriesOf(id)).toMatchObject([{ status: "failed", attempt_count: 10, waitSeconds: null }])
    expect(new Set(received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1)
    for (const one of received) verified(secret, one)
    const { rows } = await pool().query("SELECT failing_since IS NOT NULL AS failing FROM webhooks WHERE id = $1", [id])
    expect(rows).toEqual([{ failing: true }])
  })

  test("is forgotten at the next success", async () => {
    let status = 500
    const { url } = await receiver((_, response) => response.writeHead(status).end())
    const { id } = await newWebhook(world, url)
    const failing = async () =>
      (await pool().query("SELECT failing_since FROM webhooks WHERE id = $1", [id])).rows[0].failing_since
    await dispatched(world, 3)
    work()
    await settled(id)
    const since = await failing()
    expect(since).not.toBeNull()
    status = 200
    await dispatched(world, 1)
    await settled(id)
    expect(await failing()).toBeNull()
  })

  test("is a redirect, a silent address and a private one, each with its sentence", async () => {
    const { url, received } = await receiver((_, response) =>
      response.writeHead(302, { location: "http://127.0.0.1/admin" }).end(),
    )
    const targets = [url, "http://127.0.0.1:1090/x", "https://rebound.example.com/x", "https://169.254.169.254/latest"]
    const webhooks = await Promise.all(targets.map((target) => newWebhook(world, target)))
    await dispatched(world, 1)
    work({ resolve: async () => ["10.0.0.1"] })
    const errors = (await Promise.all(webhooks.map(({ id }) => settled(id)))).map(([row]) => textOf(row))
    expect(errors).toEqual([
      "The endpoint answered 302.",
      "The request failed: connect ECONNREFUSED 127.0.0.1:1090",
      "The host resolves to 10.0.0.1: the address is not public.",
      "The URL must not name 169.254.169.254: the address is not public.",
    ])
    expect(received).toHaveLength(1)
  })
})

test("a webhook whose secret cannot be opened delays no other, and says what to do", async () => {
  const { url, received } = await receiver()
  const [broken, sound] = [await newWebhook(world, url), await newWebhook(world, url)]
  await pool().query("UPDATE webhooks SET secret = 'nonsense' WHERE id = $1", [broken.id])
  await dispatched(world, 1)
  const error = vi.spyOn(log, "error").mockImplementation(() => undefined)
  work()
  await settled(sound.id)
  const [row] = await settled(broken.id)
  expect(textOf(row)).toBe("The secret of the webhook cannot be read. Rotate it.")
  expect(received).toHaveLength(1)
  expect((await change(broken.id, { secret: "a secret that can be read" })).status).toBe(200)
  await dispatched(world, 1)
  await vi.waitFor(() => expect(received).toHaveLength(3), 5_000)
  expect(error).toHaveBeenCalled()
  error.mockRestore()
})
