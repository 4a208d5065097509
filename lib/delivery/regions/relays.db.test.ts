import { afterAll, afterEach, expect, test } from "vitest"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { selfSignedCertificate } from "@/e2e/support/delivery/certificate"
import { startMailLab } from "@/e2e/support/delivery/mail-lab"
import { silentServers } from "@/e2e/support/delivery/silent-servers"
import { freePort } from "@/e2e/support/free-port"
import { api, newSession, newWorld } from "@/e2e/support/world"
import { headerTextMax } from "@/lib/delivery/setup/header-schema"
import { testRelay } from "@/lib/delivery/regions/relays"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"

let relay: FaultServer | undefined
afterEach(() => relay?.close())
afterAll(closeDatabase)

async function operator() {
  const world = await newWorld()
  await pool().query("UPDATE users SET operator_since = now() WHERE id = $1", [world.userId])
  return { world, cookie: await newSession(world.userId) }
}

/** Runs a test through a relay with these habits, as the operator. */
async function tested(faults: Faults, credentials = "") {
  relay = await faultServer(faults)
  provideEnv({ SMTP_URL: `smtp://${credentials}127.0.0.1:${relay.port}?tls=none` })
  return run()
}

async function run() {
  const { cookie, world } = await operator()
  const body = { region: "eu-west-1", to: "ada@lovelace.example" }
  const response = await api("POST /v1/operator/relay-tests", { cookie, body })
  return { status: response.status, json: response.json, world }
}

test("a relay test sends one signed email of the service, and answers with what was said", async () => {
  const { status, json, world } = await tested({})
  expect(status).toBe(200)
  expect(json).toMatchObject({
    region: "eu-west-1",
    relay: `127.0.0.1:${relay?.port}`,
    from: "postmaster@mailroom.test",
    to: "ada@lovelace.example",
    outcome: "accepted",
    phase: "final",
    code: 250,
    text: expect.stringContaining("queued as Q1"),
  })
  expect(json.conversation).toEqual(
    expect.arrayContaining([
      "S: 220 fault.test ESMTP",
      expect.stringMatching(/^C: MAIL FROM:<postmaster@mailroom\.test>/),
      expect.stringMatching(/^C: RCPT TO:<ada@lovelace\.example>/),
    ]),
  )
  expect(relay?.messages).toHaveLength(1)
  expect(relay?.messages[0]).toContain("DKIM-Signature: ")
  expect(relay?.messages[0]).toContain("Subject: Test of the relay of EU (Ireland)")
  const { rows } = await pool().query(
    "SELECT changes FROM audit_entries WHERE organization_id = $1 AND action = 'relay_test.started'",
    [world.organizationId],
  )
  expect(rows).toEqual([{ changes: { region: "eu-west-1", to: "ada@lovelace.example" } }])
})

test("a relay test that is refused names the step, the code and the reply, and shows no password", async () => {
  const offersAuth = { EHLO: "250-fault.test\r\n250 AUTH PLAIN" }
  const wrong = await tested({ ...offersAuth, AUTH: "535 5.7.8 authentication failed" }, "shop:not-the-password@")
  expect(wrong.json).toMatchObject({ outcome: "region_fault", phase: "auth", code: 535, enhanced: "5.7.8" })
  expect(wrong.json.conversation).toContain("C: AUTH PLAIN …")
  const secret = Buffer.from("\0shop\0not-the-password").toString("base64")
  expect(JSON.stringify(wrong.json)).not.toMatch(new RegExp(`not-the-password|${secret}`))
  await relay?.close()
  const denied = await tested({ RCPT: "554 5.7.1 relay access denied" })
  expect(denied.json).toMatchObject({
    outcome: "refused",
    phase: "rcpt",
    code: 554,
    text: expect.stringContaining("denied"),
  })
})

test("a relay that cannot be reached is an answer of 200 with the error of the connection", async () => {
  relay = await faultServer({})
  await relay.close()
  provideEnv({ SMTP_URL: `smtp://127.0.0.1:${relay.port}?tls=none` })
  const { status, json } = await run()
  expect([status, json.outcome, json.phase]).toEqual([200, "region_fault", "connect"])
  expect(json.text).toContain("ECONNREFUSED")
  expect(json.conversation).toEqual([])
})

test("a port that is blocked, which a full queue of connections stands for, ends the test in time", async () => {
  const port = await freePort()
  const silent = await silentServers(["127.0.0.10"], port)
  provideEnv({ SMTP_URL: `smtp://127.0.0.10:${port}` })
  const limits = { connectTimeoutMs: 500, greetingTimeoutMs: 500, commandTimeoutMs: 500, dataTimeoutMs: 500 }
  const ended = await testRelay("eu-west-1", "ada@lovelace.example", { ...limits, finalTimeoutMs: 500 })
  await silent.stop()
  expect(ended).toMatchObject({ outcome: "region_fault", phase: "connect", text: "no connection within 0.5 s" })
  expect(ended.conversation).toEqual([])
})

test("TLS that fails is named: at a port that expects none, and by a certificate that nobody signed", async () => {
  relay = await faultServer({})
  provideEnv({ SMTP_URL: `smtps://shop:secret@127.0.0.1:${relay.port}` })
  const { json } = await run()
  expect(json).toMatchObject({
    outcome: "region_fault",
    phase: "connect",
    text: expect.stringMatching(/wrong version/),
  })
  const lab = await startMailLab()
  await lab.server("127.0.0.2", { certificate: selfSignedCertificate() })
  provideEnv({ SMTP_URL: `smtp://shop:secret@127.0.0.2:${lab.variables.DIRECT_PORT}` })
  const untrusted = await run()
  await lab.close()
  expect(untrusted.json).toMatchObject({
    outcome: "region_fault",
    phase: "starttls",
    text: expect.stringMatching(/self-signed/),
  })
  expect(JSON.stringify(untrusted.json)).not.toContain("secret")
})

test("who does not run the installation finds no relay test, and an address with a name is refused with a pointer", async () => {
  const world = await newWorld()
  const body = { region: "eu-west-1", to: "ada@lovelace.example" }
  const cookie = await newSession(world.userId)
  expect((await api("POST /v1/operator/relay-tests", { cookie, body })).status).toBe(404)
  expect((await api("POST /v1/operator/relay-tests", { key: world.apiKey, body })).status).not.toBe(200)
  const own = await operator()
  const named = { ...body, to: "Ada <ada@lovelace.example>" }
  const refused = await api("POST /v1/operator/relay-tests", { cookie: own.cookie, body: named })
  expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, "/to"])
})

test("the headers of a test that arrived are read for an operator, up to 256 KiB; nobody else finds that", async () => {
  const route = "POST /v1/operator/header-readings"
  const { cookie } = await operator()
  const headers = `Authentication-Results: mx.example; spf=fail\nDKIM-Signature: d=acme.example; s=a\nFrom: a@acme.example\n`
  const read = await api(route, { cookie, body: { headers } })
  expect(read).toMatchObject({ status: 200, json: { code: "spf_not_allowed", server: "mx.example" } })
  const long = await api(route, { cookie, body: { headers: "a".repeat(headerTextMax + 1) } })
  expect([long.status, long.json.errors[0].pointer]).toEqual([400, "/headers"])
  const stranger = await newSession((await newWorld()).userId)
  expect((await api(route, { cookie: stranger, body: { headers } })).status).toBe(404)
})
