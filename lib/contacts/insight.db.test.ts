import { beforeAll, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { api, newKey, newWorld, type World } from "@/e2e/support/world"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { pool } from "@/lib/platform/database/db"
import type { Dns, DnsAnswer } from "@/lib/platform/dns/dns"
import { decodeId, newId } from "@/lib/platform/ids"

let world: World
beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
})

const one = "/v1/projects/{projectId}/contacts/{contactId}" as const
const params = (more: Record<string, string> = {}) => ({ projectId: world.project, ...more })
let serial = 0

async function addContact(email = `reader${++serial}@example.com`) {
  const { apiKey } = await newKey(world.projectId)
  const { json } = await api("POST /v1/projects/{projectId}/contacts", {
    key: apiKey,
    params: params(),
    body: { email },
  })
  return { contactId: json.id as string, email }
}

async function send(to: string, events: { type: string; data?: object; daysAgo?: number }[]) {
  const body = { from: "Acme <hello@acme.test>", to, subject: "Hello", text: "Hi" }
  const { json } = await api("POST /v1/emails", { key: world.apiKey, body })
  const emailId = decodeId("email", json.id)
  const { rows } = await pool().query("UPDATE deliveries SET sent_at = now() WHERE email_id = $1 RETURNING id", [
    emailId,
  ])
  for (const { type, data = {}, daysAgo = 0 } of events) {
    await pool().query(
      `INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at)
        VALUES ($1, $2, $3, $4, $5, $6, now() - make_interval(days => $7))`,
      [newId(), world.projectId, emailId, rows[0].id, type, data, daysAgo],
    )
  }
}

test("a score needs mail, follows what people do and not what machines do, and is stored when refreshed", async () => {
  const { contactId, email } = await addContact()
  const get = () => api(`GET ${one}/engagement`, { key: world.apiKey, params: params({ contactId }) })
  const refresh = () => api(`POST ${one}/engagement/refresh`, { key: world.apiKey, params: params({ contactId }) })
  expect({ getStatus: (await get()).status, refreshStatus: (await refresh()).status }).toEqual({
    getStatus: 204,
    refreshStatus: 204,
  })
  for (let mail = 0; mail < 3; mail++)
    await send(email, [{ type: "delivered" }, { type: "opened", data: { machine: "true" } }])
  expect((await get()).json).toMatchObject({ object: "engagement_score", score: 0, tier: "cold" })
  for (let mail = 0; mail < 3; mail++)
    await send(email, [{ type: "delivered" }, { type: "opened" }, { type: "clicked" }])
  expect((await get()).json.score).toBe(0)
  const fresh = (await refresh()).json
  expect(fresh).toMatchObject({ score: 70, tier: "warm" })
  expect((await get()).json).toEqual(fresh)
  await send(email, [{ type: "delivered" }, { type: "complained" }])
  expect((await refresh()).json).toMatchObject({ score: 0, tier: "cold" })
})

test("email that a relay accepted and reports nothing further of makes nobody new for ever", async () => {
  const { contactId, email } = await addContact()
  for (let mail = 0; mail < 3; mail++) await send(email, [{ type: "sent", data: { deliveryReported: "false" } }])
  const refreshed = () => api(`POST ${one}/engagement/refresh`, { key: world.apiKey, params: params({ contactId }) })
  expect((await refreshed()).json).toMatchObject({ score: 0, tier: "cold" })
  await send(email, [{ type: "sent", data: { deliveryReported: "false" } }, { type: "opened" }])
  expect((await refreshed()).json).toMatchObject({ score: 15 })
})

test("the activity is the last ten things of every kind, newest first", async () => {
  const { contactId, email } = await addContact()
  const { json: topic } = await api("POST /v1/projects/{projectId}/topics", {
    key: world.apiKey,
    params: params(),
    body: { name: "News", defaultSubscription: "opt_out" },
  })
  const read = async () => (await api(`GET ${one}/activity`, { key: world.apiKey, params: params({ contactId }) })).json
  const types = async () => (await read()).map(({ type }: { type: string }) => type)
  expect(await types()).toEqual(["contact_created"])
  await send(email, [{ type: "sent" }, { type: "delivered" }])
  const change = (subscription: string) =>
    api(`PATCH ${one}/topics`, {
      key: world.apiKey,
      params: params({ contactId }),
      body: { topics: [{ id: topic.id, subscription }] },
    })
  await change("opt_in")
  await change("opt_out")
  await api(`PATCH ${one}`, { key: world.apiKey, params: params({ contactId }), body: { unsubscribed: true } })
  expect((await types()).sort()).toEqual([
    "contact_created",
    "email_delivered",
    "email_sent",
    "suppression_added",
    "topic_subscribed",
    "topic_unsubscribed",
  ])
  const entries = await read()
  expect(entries[0]).toMatchObject({ type: "suppression_added", referenceName: "unsubscribe", object: "activity" })
  expect(entries.find(({ type }: { type: string }) => type === "topic_subscribed")).toMatchObject({
    referenceId: topic.id,
    referenceName: "News",
    metadata: { topicId: topic.id },
  })
  expect(entries.find(({ type }: { type: string }) => type === "email_sent").referenceName).toBe("Hello")
  for (let mail = 0; mail < 4; mail++) await send(email, [{ type: "sent" }, { type: "delivered" }, { type: "bounced" }])
  expect(await read()).toHaveLength(10)
})

test("a bounce that was taken back costs no score and is no activity, until the next one of the same email", async () => {
  const { contactId, email } = await addContact()
  const takenBack = { type: "delivery_delayed", data: { reason: "bounce_taken_back" } }
  const read = async () => {
    const [score, activity] = await Promise.all([
      api(`POST ${one}/engagement/refresh`, { key: world.apiKey, params: params({ contactId }) }),
      api(`GET ${one}/activity`, { key: world.apiKey, params: params({ contactId }) }),
    ])
    const types = activity.json.map(({ type }: { type: string }) => type)
    return { ...score.json, bounces: types.filter((type: string) => type === "email_bounced").length }
  }
  await send(email, [{ type: "bounced" }, takenBack, { type: "delivered" }])
  expect(await read()).toMatchObject({ score: 0, tier: "new", bounces: 0 })
  await send(email, [{ type: "bounced", daysAgo: 2 }, { ...takenBack, daysAgo: 1 }, { type: "bounced" }])
  expect(await read()).toMatchObject({ score: 0, tier: "cold", bounces: 1 })
})

const answer =
  <T>(outcome: object) =>
  async () =>
    ({ askedServers: [], ...outcome }) as unknown as DnsAnswer<T>
const dnsOf = (mx: object, addresses: object = { kind: "missing", reason: "no-data" }): Dns => ({
  txt: answer(mx),
  cname: answer(mx),
  ns: answer(mx),
  mx: answer(mx),
  addresses: answer(addresses),
})

test("an address is judged by its domain and kind, and a lookup that fails is not kept", async () => {
  const found = { kind: "found", values: [{ exchange: "mx.example.com", priority: 10 }] }
  for (const [email, dns, status, reason] of [
    ["ada@takes-mail.example", dnsOf(found), "valid", undefined],
    ["info@takes-mail.example", dnsOf(found), "risky", /^role/],
    ["x@sub.mailinator.com", dnsOf(found), "risky", /^disposable/],
    ["ada@gone.example", dnsOf({ kind: "missing", reason: "no-name" }), "invalid", /^no_domain/],
    ["ada@null-mx.example", dnsOf({ kind: "found", values: [{ exchange: "", priority: 0 }] }), "invalid", /^null_mx/],
    ["ada@no-mx.example", dnsOf({ kind: "missing", reason: "no-data" }), "invalid", /^no_mx/],
    [
      "ada@only-a.example",
      dnsOf({ kind: "missing", reason: "no-data" }, { kind: "found", values: ["192.0.2.1"] }),
      "valid",
      undefined,
    ],
    ["ada@silent.example", dnsOf({ kind: "error", reason: "timeout" }), "unknown", /^dns/],
  ] as const) {
    const { contactId } = await addContact(email)
    const check = async (world2: Dns) =>
      (
        await api(`GET ${one}/email-validation`, {
          key: world.apiKey,
          params: params({ contactId }),
          io: { dns: world2 },
        })
      ).json
    const first = await check(dns)
    expect(first.status, email).toEqual(status)
    if (reason) expect(first.reason).toMatch(reason)
    if (status === "unknown") expect(first).not.toHaveProperty("validatedAt")
    const again = await check(dnsOf(found))
    expect(again.status, email).toEqual(status === "unknown" ? "valid" : status)
  }
})

test("name servers that never answer hold a check up for 3 s at most", measured, async () => {
  const { contactId } = await addContact("ada@drops.example")
  const never = () => new Promise<never>(() => undefined)
  const dns = { txt: never, mx: never, cname: never, ns: never, addresses: never }
  const startedAt = performance.now()
  const { json } = await api(`GET ${one}/email-validation`, {
    key: world.apiKey,
    params: params({ contactId }),
    io: { dns },
  })
  expect(json.status).toBe("unknown")
  expect(performance.now() - startedAt).toBeLessThan(4_000)
})

test("a recorded result replaces ours and is audited", async () => {
  const { contactId } = await addContact("ada@recorded.example")
  const record = (body: unknown) =>
    api(`POST ${one}/email-validation`, { key: world.apiKey, params: params({ contactId }), body })
  expect((await record({ status: "risky", reason: "accept-all" })).status).toBe(204)
  const { json } = await api(`GET ${one}/email-validation`, { key: world.apiKey, params: params({ contactId }) })
  expect(json).toEqual({
    object: "email_validation",
    status: "risky",
    reason: "accept-all",
    validatedAt: expect.any(String),
  })
  expect((await record({ status: "fine" })).json.errors[0].pointer).toBe("/status")
  const { rows } = await pool().query("SELECT action, changes FROM audit_entries WHERE target = $1", [contactId])
  expect(rows).toEqual([
    { action: "contact.validation_recorded", changes: { status: ["unknown", "risky"], reason: "accept-all" } },
  ])
})
