import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { expectProblem } from "@/e2e/support/expect-problem"
import { withRival } from "@/e2e/support/platform/rival"
import {
  encrypted,
  newSubmitter,
  openLab,
  plainToken,
  signedIn,
  submit,
  type Lab,
} from "@/e2e/support/submission/clients"
import { expectWithin } from "@/e2e/support/within"
import { api, newSession, request, type World } from "@/e2e/support/world"
import { listDomains } from "@/lib/domains/api"
import { serve } from "@/lib/api/serve"
import { flushRequests } from "@/lib/api-keys/usage/record"
import { sha256 } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { decodeId, newId } from "@/lib/platform/ids"
import { keepOpen, redeemToken } from "@/lib/stream/data"

const [createRoute, changeRoute] = [
  "POST /v1/projects/{projectId}/api-keys",
  "PATCH /v1/projects/{projectId}/api-keys/{keyId}",
] as const
const permissions = ["emails:send", "emails:read", "domains:read", "projects:read"]

let world: World
let cookie: string
beforeEach(async () => {
  world = await newSubmitter()
  cookie = await newSession(world.userId)
  await addDomain("shop.test")
})

async function addDomain(name: string) {
  await pool().query(
    `INSERT INTO domains (id, project_id, name, region, mail_from_domain, tracking_domain, status, records)
      VALUES ($1, $2, $3, 'eu-west-1', $4, $5, 'verified', '{}')`,
    [newId(), world.projectId, name, `bounce.${world.projectId}.${name}`, `links.${name}`],
  )
}

const create = (restrictions: object) =>
  api(createRoute, {
    cookie,
    params: { projectId: world.project },
    body: { name: "Shop", permissions, ...restrictions },
  })

const change = (keyId: string, body: object) =>
  api(changeRoute, { cookie, params: { projectId: world.project, keyId }, body })

const get = (keyId: string) =>
  api("GET /v1/projects/{projectId}/api-keys/{keyId}", { cookie, params: { projectId: world.project, keyId } })

const from = (ip: string) => ({ "x-client-ip": ip })

/** What a read with the key from this address is answered. */
const askFrom = async (key: string, ip: string) =>
  (await api("GET /v1/projects/{projectId}/domains", { key, params: { projectId: world.project }, headers: from(ip) }))
    .status

const email = (sender: string) => ({ from: sender, to: ["ada@lovelace.example"], subject: "Hi", text: "Hi" })

const sendAs = (key: string, sender: string) => api("POST /v1/emails", { key, body: email(sender) })

describe("a key that is restricted to addresses", () => {
  test("works from those, whatever form they come in, and from no other; its lists are shown in one form", async () => {
    const { status, json } = await create({
      allowedAddresses: ["203.0.113.77/24", "198.51.100.7", "2001:DB8:1::9/48", "::ffff:192.0.2.1", "198.51.100.7/32"],
    })
    expect(status).toBe(201)
    const stored = ["203.0.113.0/24", "198.51.100.7", "2001:db8:1::/48", "192.0.2.1"]
    expect(json).toMatchObject({ allowedAddresses: stored })
    expect(json).not.toHaveProperty("allowedDomains")
    expect((await get(json.id)).json.allowedAddresses).toEqual(stored)
    const inside = [
      "203.0.113.0",
      "203.0.113.255",
      "198.51.100.7",
      "::ffff:198.51.100.7",
      "2001:db8:1:ffff::1",
      "192.0.2.1",
    ]
    for (const ip of inside) expect(await askFrom(json.apiKey, ip), ip).toBe(200)
    const outside = ["203.0.112.255", "203.0.114.0", "198.51.100.8", "2001:db8:2::1", "::1", "unknown"]
    for (const ip of outside) expect(await askFrom(json.apiKey, ip), ip).toBe(403)
  })

  test("tells who uses it elsewhere no more than that, and its request log has it", async () => {
    const { json: key } = await create({ allowedAddresses: ["203.0.113.9"] })
    const call = { key: key.apiKey, params: { projectId: world.project }, headers: from("192.0.2.66") }
    const answer = await serve(listDomains).GET(request("GET /v1/projects/{projectId}/domains", call))
    const problem = (await answer.json()) as { detail: string }
    expectProblem({ status: answer.status, json: problem }, 403, "auth.address_not_allowed")
    expect(problem.detail).toBe("This API key may not be used from this address.")
    expect(JSON.stringify(problem)).not.toContain("203.0.113.9")
    await flushRequests()
    const { rows } = await pool().query(
      "SELECT status_code, problem_code, ip FROM api_key_requests WHERE project_id = $1",
      [world.projectId],
    )
    expect(rows).toEqual([{ status_code: 403, problem_code: "auth.address_not_allowed", ip: "192.0.2.66" }])
    // Before the project and the permission are looked at.
    const elsewhere = { ...call, params: { projectId: "proj_01k9q3f7c2e8m9v4x6y8z0a1b3" } }
    const other = await api("GET /v1/projects/{projectId}/domains", elsewhere)
    expectProblem(other, 403, "auth.address_not_allowed")
  })

  test("opens no stream elsewhere; a change ends the streams that it had, and not those after it", async () => {
    const { json: key } = await create({ allowedAddresses: ["203.0.113.9"] })
    const issue = (ip: string) =>
      api("POST /v1/emails/{projectId}/stream/token", {
        key: key.apiKey,
        params: { projectId: world.project },
        headers: from(ip),
      })
    expectProblem(await issue("203.0.113.10"), 403, "auth.address_not_allowed")
    const open = await issue("203.0.113.9")
    const hash = sha256(open.json.token as string)
    expect(await redeemToken(hash)).not.toBeNull()
    expect((await keepOpen([hash])).size).toBe(1)
    expect((await change(key.id, { allowedAddresses: ["203.0.113.10"] })).status).toBe(200)
    expect((await keepOpen([hash])).size).toBe(0)
    await wait(2_100)
    const next = sha256((await issue("203.0.113.10")).json.token as string)
    expect(await redeemToken(next)).not.toBeNull()
    expect((await keepOpen([hash, next])).size).toBe(1)
  })
})

describe("a key that is restricted to domains", () => {
  test("sends from those and from no other, and is told which field it is", async () => {
    const { json: key } = await create({ allowedDomains: ["ACME.test", "acme.test"] })
    expect(key.allowedDomains).toEqual(["acme.test"])
    expect((await sendAs(key.apiKey, "Acme <hello@Acme.test>")).status).toBe(201)
    const refused = await sendAs(key.apiKey, "hello@shop.test")
    expectProblem(refused, 403, "auth.sender_not_allowed")
    expect(refused.json.errors).toEqual([{ pointer: "/from", detail: "The API key may not send from shop.test." }])
    // A subdomain is a domain of its own here.
    await addDomain("news.acme.test")
    expectProblem(await sendAs(key.apiKey, "hello@news.acme.test"), 403, "auth.sender_not_allowed")
  })

  test("refuses the one item of a batch that is from another domain", async () => {
    const { json: key } = await create({ allowedDomains: ["acme.test"] })
    const items = [email("a@acme.test"), email("b@shop.test"), email("c@acme.test")]
    const { status, json } = await api("POST /v1/emails/batch", { key: key.apiKey, body: { items } })
    expect(status).toBe(200)
    expect(json.results.map((one: { status: string }) => one.status)).toEqual(["queued", "rejected", "queued"])
    expect(json.results[1].problem).toMatchObject({
      code: "auth.sender_not_allowed",
      errors: [{ pointer: "/items/1/from" }],
    })
  })

  test("sends no broadcast from another domain, neither a new one nor a draft, nor goes on with one", async () => {
    const { json: key } = await create({ allowedDomains: ["acme.test"] })
    const params = { projectId: world.project }
    const broadcast = (sender: string, draft: boolean, by: object) =>
      api("POST /v1/projects/{projectId}/broadcasts", { ...by, params, body: { ...email(sender), draft } })
    expectProblem(await broadcast("hello@shop.test", false, { key: key.apiKey }), 403, "auth.sender_not_allowed")
    expect((await broadcast("hello@acme.test", false, { key: key.apiKey })).status).toBe(202)
    const { json: draft } = await broadcast("hello@shop.test", true, { key: key.apiKey })
    for (const step of ["send", "resume"] as const) {
      const route = `POST /v1/projects/{projectId}/broadcasts/{broadcastId}/${step}` as const
      const answer = await api(route, { key: key.apiKey, params: { ...params, broadcastId: draft.id } })
      expectProblem(answer, 403, "auth.sender_not_allowed")
    }
    // Nor does it change one that a person has scheduled.
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    const body = { ...email("hello@shop.test"), scheduledAt }
    const { status, json } = await api("POST /v1/projects/{projectId}/broadcasts", { cookie, params, body })
    expect({ status, state: json.status }).toEqual({ status: 202, state: "scheduled" })
    const edited = await api("PATCH /v1/projects/{projectId}/broadcasts/{broadcastId}", {
      key: key.apiKey,
      params: { ...params, broadcastId: json.id },
      body: { subject: "Other" },
    })
    expectProblem(edited, 403, "auth.sender_not_allowed")
  })

  test("sends no draft whose sender is changed to another domain while it is being sent", async () => {
    const { json: key } = await create({ allowedDomains: ["acme.test"] })
    const params = { projectId: world.project }
    const made = await api("POST /v1/projects/{projectId}/broadcasts", {
      ...{ cookie, params, body: { ...email("hello@acme.test"), draft: true } },
    })
    const broadcast = { ...params, broadcastId: made.json.id }
    const answer = await withRival(async (rival) => {
      await rival.query("BEGIN")
      const id = decodeId("bc", made.json.id)
      await rival.query("UPDATE broadcasts SET from_header = 'hello@shop.test' WHERE id = $1", [id])
      const sent = api("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/send", {
        ...{ key: key.apiKey, params: broadcast },
      })
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE '%broadcasts%'`
      await vi.waitFor(async () => expect((await pool().query(waiting)).rowCount).toBe(1), { timeout: 20_000 })
      await rival.query("COMMIT")
      return sent
    })
    expectProblem(answer, 403, "auth.sender_not_allowed")
    const { json } = await api("GET /v1/projects/{projectId}/broadcasts/{broadcastId}", { cookie, params: broadcast })
    expect({ status: json.status, from: json.from }).toEqual({ status: "draft", from: "hello@shop.test" })
  })

  test("may do no more once its domain is deleted, and has it again when it is added again", async () => {
    const { json: key } = await create({ allowedDomains: ["acme.test"] })
    await pool().query("DELETE FROM domains WHERE project_id = $1 AND name = 'acme.test'", [world.projectId])
    expectProblem(await sendAs(key.apiKey, "hello@shop.test"), 403, "auth.sender_not_allowed")
    expectProblem(await sendAs(key.apiKey, "hello@acme.test"), 422, "email.from_domain_not_verified")
    expect((await get(key.id)).json.allowedDomains).toEqual(["acme.test"])
    // What it has it may keep, with another one.
    expect((await change(key.id, { allowedDomains: ["acme.test", "shop.test"] })).status).toBe(200)
    await expectWithin(1_200, async () => (await sendAs(key.apiKey, "hello@shop.test")).status, 201)
  })
})

describe("by SMTP", () => {
  let lab: Lab
  beforeAll(async () => {
    lab = await openLab()
  })
  afterAll(() => lab.close())
  const message = (sender: string) => `From: ${sender}\nTo: ada@lovelace.example\nSubject: Hello\n\nHi\n`

  test("a key signs in from its addresses alone, and a change reaches sessions that are open", async () => {
    const { json: key } = await create({ allowedAddresses: ["127.0.0.9"] })
    const stranger = await encrypted(lab, { from: "127.0.0.10" })
    const refused = await stranger.say(`AUTH PLAIN ${plainToken(key.apiKey)}`)
    expect(refused).toMatch(/^535 5\.7\.8 auth\.address_not_allowed: This API key may not be used from this address\./)
    stranger.end()
    const dialogue = await signedIn(lab, key.apiKey, { from: "127.0.0.9" })
    expect(await submit(dialogue, ["ada@lovelace.example"], message("a@acme.test"))).toMatch(/^250 /)
    await change(key.id, { allowedAddresses: ["127.0.0.11"] })
    await wait(1_100)
    const late = await submit(dialogue, ["ada@lovelace.example"], message("a@acme.test"))
    expect(late).toMatch(/^535 5\.7\.8 auth\.address_not_allowed/)
    dialogue.end()
  })

  test("a message from another domain is refused, and the session goes on", async () => {
    const { json: key } = await create({ allowedDomains: ["acme.test"] })
    const dialogue = await signedIn(lab, key.apiKey)
    const refused = await submit(dialogue, ["ada@lovelace.example"], message("a@shop.test"))
    expect(refused).toMatch(/^550 5\.7\.1 auth\.sender_not_allowed: \/from The API key may not send from shop\.test\./)
    expect(await submit(dialogue, ["ada@lovelace.example"], message("a@acme.test"))).toMatch(/^250 /)
    dialogue.end()
  })
})

describe("the lists", () => {
  test("a change takes effect within a second, null removes a list, and what is left out stays", async () => {
    const { json: key } = await create({})
    expect(await askFrom(key.apiKey, "192.0.2.1")).toBe(200)
    const { json } = await change(key.id, { allowedAddresses: ["203.0.113.9"], allowedDomains: ["acme.test"] })
    expect(json).toMatchObject({ allowedAddresses: ["203.0.113.9"], allowedDomains: ["acme.test"] })
    await expectWithin(1_200, () => askFrom(key.apiKey, "192.0.2.1"), 403)
    const widened = (await change(key.id, { allowedAddresses: null })).json
    expect(widened).not.toHaveProperty("allowedAddresses")
    expect(widened).toMatchObject({ allowedDomains: ["acme.test"] })
    await expectWithin(1_200, () => askFrom(key.apiKey, "192.0.2.1"), 200)
    expect((await change(key.id, { permissions })).json).toMatchObject({ allowedDomains: ["acme.test"] })

    const { rows } = await pool().query<{ changes: object }>(
      "SELECT changes FROM audit_entries WHERE organization_id = $1 AND action = 'api_key.updated' ORDER BY id",
      [world.organizationId],
    )
    expect(rows.map(({ changes }) => changes)).toEqual([
      {
        allowedAddresses: { before: [], after: ["203.0.113.9"] },
        allowedDomains: { before: [], after: ["acme.test"] },
        targetName: "Shop",
      },
      { allowedAddresses: { before: ["203.0.113.9"], after: [] }, targetName: "Shop" },
    ])
  })

  test("changed, change when the key was last updated", async () => {
    const { json: key } = await create({})
    const updated = [(await get(key.id)).json.updatedAt]
    for (const body of [{ allowedAddresses: ["203.0.113.9"] }, { allowedDomains: ["acme.test"] }, { name: "Kiosk" }]) {
      await wait(5)
      updated.push((await change(key.id, body)).json.updatedAt)
    }
    expect(new Set(updated).size).toBe(4)
    expect(updated).toEqual(updated.toSorted())
  })

  test("go over to the key that replaces one", async () => {
    const limits = { allowedAddresses: ["203.0.113.9"], allowedDomains: ["acme.test"] }
    const { json: key } = await create(limits)
    const { json: next } = await api("POST /v1/projects/{projectId}/api-keys/{keyId}/rotate", {
      cookie,
      params: { projectId: world.project, keyId: key.id },
      body: { overlapHours: 0 },
    })
    expect(next).toMatchObject(limits)
    expect(await askFrom(next.apiKey, "203.0.113.9")).toBe(200)
    expect(await askFrom(next.apiKey, "203.0.113.10")).toBe(403)
  })

  test("hold 1 to 20 valid entries, domains of the project", async () => {
    const twenty = Array.from({ length: 20 }, (_, index) => `10.0.${index}.0/24`)
    expect((await create({ allowedAddresses: twenty })).status).toBe(201)
    const { json: key } = await create({})
    for (const limits of [
      ...[{ allowedAddresses: [] }, { allowedDomains: [] }, { allowedAddresses: [...twenty, "10.1.0.0/16"] }],
      ...[{ allowedAddresses: ["10.0.0.0/33"] }, { allowedAddresses: ["acme.test"] }, { allowedAddresses: "10.0.0.1" }],
      ...[{ allowedDomains: ["other.test"] }, { allowedDomains: ["*.acme.test"] }, { allowedDomains: ["a@acme.test"] }],
    ]) {
      expectProblem(await create(limits), 400, "request.invalid")
      expectProblem(await change(key.id, limits), 400, "request.invalid")
    }
    const { json } = await create({ allowedDomains: ["acme.test", "other.test"] })
    expect(json.errors).toEqual([
      { pointer: "/allowedDomains/1", detail: "other.test is not a domain of this project." },
    ])
  })

  test("take a recent sign-in to change", async () => {
    const { json: key } = await create({ allowedAddresses: ["203.0.113.9"] })
    await pool().query("UPDATE sessions SET confirmed_at = now() - interval '16 minutes' WHERE user_id = $1", [
      world.userId,
    ])
    expectProblem(await change(key.id, { allowedAddresses: null }), 403, "auth.confirmation_required")
    expect((await get(key.id)).json.allowedAddresses).toEqual(["203.0.113.9"])
  })
})
