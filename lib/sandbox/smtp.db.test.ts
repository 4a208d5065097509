import { generateKeyPairSync } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { newWorld, api, type World } from "@/e2e/support/world"
import { compose, type ComposeInput } from "@/lib/delivery/message/compose"
import { sign } from "@/lib/delivery/message/dkim"
import { createSmtpPool } from "@/lib/delivery/smtp/client"
import type { Transport } from "@/lib/delivery/transports/transport"
import { verpFor } from "@/lib/delivery/message/proven-ids"
import { hmac } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { regionSettings } from "@/lib/regions/settings"
import { newId } from "@/lib/platform/ids"
import { receiverResolver } from "@/lib/sandbox/judge"
import { openSandboxSmtp, type SandboxSmtp } from "@/lib/sandbox/smtp"
import { createZoneServer, type ZoneServer, type ZoneRecord } from "@/lib/sandbox/zone"

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 })
const key = pair.publicKey.export({ type: "spki", format: "der" }).toString("base64")
const published: Record<string, ZoneRecord[]> = {
  "acme.test": [],
  "mr1a._domainkey.acme.test": [{ type: "TXT", value: `v=DKIM1; k=rsa; p=${key}` }],
  "send.acme.test": [{ type: "TXT", value: "v=spf1 ip4:127.0.0.1 -all" }],
  "_dmarc.acme.test": [{ type: "TXT", value: "v=DMARC1; p=reject" }],
}

let zone: ZoneServer
let smtp: SandboxSmtp
let client: Transport
let world: World

beforeAll(async () => {
  zone = await createZoneServer({ port: 0, zones: ["test"], lookup: async (name) => published[name] ?? null })
  smtp = await openSandboxSmtp({
    port: 0,
    serviceDomain: "mailroom.test",
    resolver: receiverResolver({ ...env(), ...regionSettings(), dnsServers: [], sandboxDnsPort: zone.port }),
  })
  client = createSmtpPool(
    { host: "127.0.0.1", port: smtp.port, tls: "none", maxConnections: 2 },
    { ehloName: "eu-west-1.mailroom.test" },
  )
  world = await newSender()
})
afterAll(async () => {
  await client.close()
  await smtp.close()
  await zone.close()
})

async function newSender(): Promise<World> {
  const made = await newWorld()
  await pool().query(
    `INSERT INTO domains (id, project_id, name, region, mail_from_domain, tracking_domain, status, records)
      VALUES ($1, $2, 'acme.test', 'eu-west-1', $3, 'links.acme.test', 'verified', '{}')`,
    [newId(), made.projectId, `${made.projectId}.acme.test`],
  )
  return made
}

async function newDelivery(to = "ada@lovelace.example") {
  const { json } = await api("POST /v1/emails", {
    key: world.apiKey,
    body: { from: "hi@acme.test", to, subject: "Hi", text: "Hi" },
  })
  const [delivery] = (
    await api("GET /v1/projects/{projectId}/emails/{emailId}/deliveries", {
      key: world.apiKey,
      params: { projectId: world.project, emailId: json.id },
    })
  ).json.data
  const { rows } = await pool().query("SELECT id FROM deliveries WHERE project_id = $1 ORDER BY id DESC LIMIT 1", [
    world.projectId,
  ])
  return {
    emailId: json.id as string,
    to: delivery.address as string,
    returnPath: `${verpFor(rows[0].id, hmac)}@send.acme.test`,
  }
}

async function signed(changes: Partial<ComposeInput> = {}): Promise<Buffer> {
  const raw = await compose({
    messageId: "<one@acme.test>",
    date: new Date("2026-11-21T08:00:00Z"),
    from: { name: "Größe", address: "hi@acme.test" },
    to: [{ address: "ada@lovelace.example" }],
    cc: [],
    subject: "Grüße an alle",
    text: "Hello\r\n.dots\r\n",
    html: '<p>Hello</p><img src="cid:logo@acme"><img src="https://acme.test/x.png">',
    attachments: [
      {
        filename: "logo.png",
        contentType: "image/png",
        content: Buffer.from("png"),
        contentId: "logo@acme",
        disposition: "inline",
      },
      { filename: "größe.pdf", contentType: "application/pdf", content: Buffer.alloc(2000), disposition: "attachment" },
    ],
    headers: [],
    ...changes,
  })
  return sign(raw, { domain: "acme.test", selector: "mr1a", key: pair.privateKey })
}

const list = (of: World, query = {}) =>
  api("GET /v1/projects/{projectId}/sandbox/messages", { key: of.apiKey, params: { projectId: of.project }, query })
const read = (of: World, messageId: string) =>
  api("GET /v1/projects/{projectId}/sandbox/messages/{messageId}", {
    key: of.apiKey,
    params: { projectId: of.project, messageId },
  })

describe("the sandbox mail server", () => {
  test("a mail signed by us lies in its project's mailbox with DKIM, SPF and DMARC pass", async () => {
    const { emailId, to, returnPath } = await newDelivery()
    const message = await signed()
    const result = await client.send({ from: returnPath.toUpperCase(), to, message })
    expect(result).toMatchObject({ outcome: "accepted", code: 250 })

    const [item] = (await list(world)).json.data
    expect(item).toMatchObject({ emailId, to, subject: "Grüße an alle", dkim: "pass", spf: "pass", dmarc: "pass" })
    expect(item.from).toContain("Größe")
    const { status, json } = await read(world, item.id)
    expect(status).toBe(200)
    expect(json.verdicts).toMatchObject({
      dkim: { result: "pass", domain: "acme.test", selector: "mr1a" },
      spf: { result: "pass", domain: "send.acme.test" },
      dmarc: { result: "pass", domain: "acme.test" },
    })
    expect(json.raw).toBe(message.toString())
    expect(json.size).toBe(message.length)
    expect(json.text).toContain(".dots")
    expect(json.html).toContain(`src="data:image/png;base64,${Buffer.from("png").toString("base64")}"`)
    expect(json.html).toContain("https://acme.test/x.png")
    expect(json.attachments).toEqual([
      { filename: "logo.png", contentType: "image/png", size: 3 },
      { filename: "größe.pdf", contentType: "application/pdf", size: 2000 },
    ])
    expect(json.headers).toContainEqual({ name: "Message-ID", value: "<one@acme.test>" })
  })

  test("a changed byte is seen as a failed signature", async () => {
    const { to, returnPath } = await newDelivery()
    const message = Buffer.from((await signed()).toString("latin1").replace(/^Date: Sat/m, "Date: Sun"), "latin1")
    await client.send({ from: returnPath, to, message })
    expect((await list(world)).json.data[0]).toMatchObject({ dkim: "fail", spf: "pass" })
  })

  test("a mail without one of our return paths is taken and shown to nobody", async () => {
    const count = async () => (await pool().query("SELECT count(*)::int AS n FROM sandbox_messages")).rows[0].n
    const before = await count()
    const message = await signed()
    const forged = `${verpFor(newId(), (_, text) => Buffer.from(text.padEnd(32)))}@send.acme.test`
    for (const from of ["", "someone@else.test", forged, `${verpFor(newId(), hmac)}@send.acme.test`]) {
      expect(await client.send({ from, to: "ada@lovelace.example", message })).toMatchObject({ outcome: "accepted" })
    }
    expect(await count()).toBe(before)
  })

  test("another project's message is 404, like one that does not exist", async () => {
    const { to, returnPath } = await newDelivery()
    await client.send({ from: returnPath, to, message: await signed() })
    const [item] = (await list(world)).json.data
    const other = await newWorld()
    expect((await list(other)).json).toMatchObject({ data: [], page: { total: 0 } })
    for (const messageId of [item.id, "msg_01k9q3f7c2e8m9v4x6y8z0a1b3", "x"]) {
      expect(await read(other, messageId)).toMatchObject({ status: 404, json: { code: "sandbox_message.not_found" } })
    }
  })

  test("the simulator refuses bounced@ at RCPT, with and without a label, asks delayed@ to wait and takes delivered@", async () => {
    const { returnPath } = await newDelivery()
    const message = await signed()
    const send = (to: string) => client.send({ from: returnPath, to, message })
    for (const to of [
      "bounced@simulator.mailroom.test",
      "Bounced+a@SIMULATOR.mailroom.test",
      "nobody@simulator.mailroom.test",
    ]) {
      expect(await send(to)).toMatchObject({ outcome: "refused", phase: "rcpt", code: 550, enhanced: "5.1.1" })
    }
    for (const to of ["delayed@simulator.mailroom.test", "delayed+a@simulator.mailroom.test"]) {
      expect(await send(to)).toMatchObject({ outcome: "deferred", phase: "rcpt", code: 451, enhanced: "4.7.0" })
    }
    expect(await send("delivered+a@simulator.mailroom.test")).toMatchObject({ outcome: "accepted" })
    expect(await send("bounced@lovelace.example")).toMatchObject({ outcome: "accepted" })
    expect((await list(world, { size: 2 })).json.data.map(({ to }: { to: string }) => to)).toEqual([
      "bounced@lovelace.example",
      "delivered+a@simulator.mailroom.test",
    ])
  })

  test("a message over 25 MiB is refused and the connection goes on", async () => {
    const { to, returnPath } = await newDelivery()
    const line = `${"x".repeat(76)}\r\n`
    const message = Buffer.from(`Subject: big\r\n\r\n${line.repeat(340_000)}`)
    expect(await client.send({ from: returnPath, to, message })).toMatchObject({
      outcome: expect.stringMatching(/refused|deferred/),
      code: 552,
    })
    expect(await client.send({ from: returnPath, to, message: await signed() })).toMatchObject({ outcome: "accepted" })
  })
})
