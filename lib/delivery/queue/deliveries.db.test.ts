import { randomBytes } from "node:crypto"
import { authenticate } from "mailauth"
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import {
  attemptRows,
  deliverDue,
  deliveryRows,
  emailRow,
  eventRows,
  eventTypes,
  newSending,
  relayAt,
  sendMail,
  suppressedAddresses,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { deliveryOfVerp } from "@/lib/delivery/message/proven-ids"
import { deliveryOfUnsubscribeAddress } from "@/lib/delivery/message/unsubscribe"
import { hmac } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { env, provideEnv } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"

let sender: Sending
let server: FaultServer
let relays: Relays

beforeAll(async () => {
  sender = await newSending()
})

afterEach(async () => {
  await relays.close()
  await server.close()
})

async function relay(faults: Faults = {}, parameters?: string) {
  server = await faultServer(faults)
  relays = relayAt(server.port, parameters)
}

/** Answers one recipient with this line and accepts the others. */
function refusing(address: string, reply: string): Faults {
  return { RCPT: () => (server.received.at(-1)?.includes(`<${address}>`) ? reply : "250 2.1.5 ok") }
}

describe("a mail that the next hop accepts", () => {
  test("is delivered with a signature that an independent verifier accepts, and has its events", async () => {
    await relay()
    const [id = ""] = await sendMail(sender, { html: "<p>Grüße</p>", cc: [] })
    await deliverDue(relays)

    expect(await emailRow(id)).toMatchObject({ status: "delivered", reason: null, sent_at: expect.any(Date) })
    expect(await eventTypes(id)).toEqual(["queued", "sent", "delivered"])
    const [delivery] = await deliveryRows(id)
    expect(delivery).toMatchObject({ status: "delivered", attempt: 1, attempt_count: 1, unfinished: 0, due_at: null })
    const from = server.received.find((line) => line.startsWith("MAIL FROM"))
    const [, local = "", host] = /<([^@]+)@([^>]+)>/.exec(from ?? "") ?? []
    expect(host).toBe(sender.mailFromDomain)
    expect(deliveryOfVerp(local, hmac)).toBe(delivery.id)

    const raw = Buffer.from((server.messages[0] ?? "").replaceAll("\r\n..", "\r\n."), "latin1")
    const { rows } = await pool().query("SELECT raw, composed_at FROM email_bodies WHERE email_id = $1", [id])
    expect(rows[0].raw.equals(raw)).toBe(true)
    const { dkim } = await authenticate(raw, {
      resolver: published(sender),
      disableArc: true,
      disableBimi: true,
      disableDmarc: true,
    })
    expect(dkim.results[0]).toMatchObject({ signingDomain: sender.domain, status: { result: "pass" } })
    const [attempt] = await attemptRows(id)
    expect(attempt).toMatchObject({ outcome: "accepted", phase: "final", code: 250, delivery_id: delivery.id })
    expect(attempt.conversation).toMatch(/C: MAIL FROM/)
  })

  test.each(["never", "dsn"] as const)(
    "stays sent where delivered=%s, and asks for reports only with dsn",
    async (delivered) => {
      await relay({ EHLO: "250-fault.test\r\n250 DSN" }, "delivered=never")
      const [id = ""] = await sendMail(sender)
      await deliverDue({ ...relays, for: (...asked) => ({ ...relays.for(...asked), delivered }) })
      expect(server.received.some((line) => line.includes("NOTIFY=SUCCESS"))).toBe(delivered === "dsn")
      expect(await emailRow(id)).toMatchObject({ status: "sent" })
      expect(await eventTypes(id)).toEqual(["queued", "sent"])
    },
  )

  test("carries the unsubscribe link of its one recipient, and no one-click header without https", async () => {
    await relay()
    await sendMail(sender, { trackingSettings: { unsubscribeTracking: true } })
    await deliverDue(relays)
    expect(server.messages[0]).toMatch(/^List-Unsubscribe: <http:\/\/localhost:3000\/u\/[\w-]{44}>\r$/m)
    expect(server.messages[0]).not.toContain("List-Unsubscribe-Post")
  })

  test("names beside the link an address at the feedback host of its region, once the listener has a port", async () => {
    await relay()
    provideEnv({ INBOUND_PORT: "2526" })
    onTestFinished(() => provideEnv({ INBOUND_PORT: undefined }))
    const [id = ""] = await sendMail(sender, { trackingSettings: { unsubscribeTracking: true } })
    await deliverDue(relays)
    const [, local = "", host] = /<mailto:([^@]+)@([^?]+)\?subject=unsubscribe>/.exec(server.messages[0] ?? "") ?? []
    expect(host, "the host, which no region's provider has").toBe(`feedback.eu-west-1.${env().serviceDomain}`)
    expect(await deliveryRows(id)).toMatchObject([{ id: deliveryOfUnsubscribeAddress(local, hmac) }])
  })

  test("carries a Feedback-ID that its signature covers", async () => {
    await relay()
    await sendMail(sender, { sendTimeCategory: "notification" })
    await deliverDue(relays)
    const [message = ""] = server.messages
    expect(message).toMatch(new RegExp(`^Feedback-ID: notification:proj_\\w{26}:${sender.domain}:mailroom\r$`, "m"))
    expect(/^DKIM-Signature:(?:.*\r\n[ \t])*.*/m.exec(message)?.[0].replace(/\s/g, "")).toMatch(/[:=]feedback-id[:;]/)
  })

  test("carries the sender's own unsubscribe headers, signed, where we add none", async () => {
    await relay()
    const headers = {
      "List-Unsubscribe": "<https://acme.example/leave/1>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    await sendMail(sender, { headers })
    await deliverDue(relays)
    const [message = ""] = server.messages
    for (const [name, value] of Object.entries(headers)) expect(message).toContain(`${name}: ${value}\r\n`)
    expect(/^DKIM-Signature:(?:.*\r\n[ \t])*.*/m.exec(message)?.[0].replace(/\s/g, "")).toContain(
      "list-unsubscribe:list-unsubscribe-post",
    )
  })

  test("is sent to each recipient separately, with the same bytes and without its bcc", async () => {
    await relay()
    const [id = ""] = await sendMail(sender, {
      to: ["a@x.example", "b@x.example"],
      cc: ["c@x.example"],
      bcc: ["d@x.example"],
    })
    await deliverDue(relays)
    expect(new Set(server.messages).size).toBe(1)
    expect(server.messages).toHaveLength(4)
    expect(server.messages[0]).not.toContain("d@x.example")
    expect(await emailRow(id)).toMatchObject({ status: "delivered" })
  })
})

test("large messages arrive whole, a few at a time", async () => {
  await relay()
  const content = randomBytes(400_000).toString("base64")
  const attachments = [{ filename: "large.bin", content, contentType: "application/octet-stream" }]
  const ids = await sendMail(sender, { to: Array.from({ length: 5 }, (_, at) => `l${at}@x.example`), attachments })
  await deliverDue(relays)
  for (const id of ids) expect(await emailRow(id)).toMatchObject({ status: "delivered" })
  const received = server.messages.map((message) => message.replaceAll("\r\n", ""))
  expect(received.filter((message) => message.includes(content))).toHaveLength(5)
})

test("test mode composes and signs, and sends nothing", async () => {
  await relay()
  const [id = ""] = await sendMail(sender, { testMode: true })
  await deliverDue(relays)
  expect(await emailRow(id)).toMatchObject({ status: "test" })
  expect(await eventTypes(id)).toEqual(["queued", "test"])
  expect(server.connections()).toBe(0)
})

describe("a permanent refusal", () => {
  test("of an unknown address bounces at once and suppresses it with the evidence", async () => {
    await relay(refusing("gone@x.example", "550 5.1.1 no such user"))
    const [id = ""] = await sendMail(sender, { to: ["gone@x.example"] })
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({
      status: "bounced",
      reason: "bounced",
      reason_facts: { bounceType: "hard" },
    })
    const bounced = (await eventRows(id)).at(-1)
    expect(bounced).toEqual({
      type: "bounced",
      data: {
        to: "gone@x.example",
        subject: "Hello",
        bounceType: "hard",
        bounceCode: "5.1.1",
        diagnostic: expect.stringContaining("no such user"),
      },
    })
    const { rows } = await pool().query("SELECT * FROM suppressions WHERE email = 'gone@x.example'")
    expect(rows[0]).toMatchObject({
      reason: "bounce",
      email_id: id,
      evidence: expect.stringContaining("550"),
      event_id: expect.any(String),
    })
    expect(await attemptRows(id)).toHaveLength(1)
  })

  test("for a policy bounces and suppresses nobody", async () => {
    await relay(refusing("shy@x.example", "550 5.7.1 blocked by policy"))
    const [id = ""] = await sendMail(sender, { to: ["shy@x.example"] })
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({ status: "bounced" })
    expect(await suppressedAddresses(sender)).not.toContain("shy@x.example")
  })

  test("of one recipient does not affect the others, who get one copy each", async () => {
    await relay(refusing("gone2@x.example", "550 5.1.1 no such user"))
    const [id = ""] = await sendMail(sender, { to: ["ok1@x.example"], cc: ["gone2@x.example", "ok2@x.example"] })
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({ status: "delivered" })
    expect(server.messages).toHaveLength(2)
    expect((await deliveryRows(id)).map(({ status }) => status).sort()).toEqual(["bounced", "delivered", "delivered"])
  })

  test("suppresses after three soft bounces in a month without a delivery between", async () => {
    await relay(refusing("full@x.example", "550 5.2.2 mailbox full"))
    for (const expected of [false, false, true]) {
      await sendMail(sender, { to: ["full@x.example"] })
      await deliverDue(relays)
      expect((await suppressedAddresses(sender)).includes("full@x.example")).toBe(expected)
    }
  })
})

test("a recipient suppressed after admission gets nothing, and the others get theirs", async () => {
  await relay()
  const [id = ""] = await sendMail(sender, { to: ["late@x.example"], cc: ["fine@x.example"] })
  const [alone = ""] = await sendMail(sender, { to: ["late@x.example"] })
  await pool().query(
    "INSERT INTO suppressions (id, project_id, email, reason) VALUES ($1, $2, 'late@x.example', 'manual')",
    [newId(), sender.projectId],
  )
  await deliverDue(relays)
  expect(server.received.filter((line) => line.startsWith("RCPT"))).toEqual([expect.stringContaining("fine@x.example")])
  expect(await emailRow(id)).toMatchObject({ status: "delivered" })
  expect(await emailRow(alone)).toMatchObject({ status: "suppressed" })
  expect(await eventTypes(alone)).toEqual(["queued", "suppressed"])
})

function published({ selector, domain, publicKey }: Sending) {
  return async (name: string, type: string) => {
    if (type === "TXT" && name === `${selector}._domainkey.${domain}`) return [[`v=DKIM1; k=rsa; p=${publicKey}`]]
    throw Object.assign(new Error("none"), { code: "ENOTFOUND" })
  }
}

test("a sandbox that starts a moment later than the worker costs no attempt", async () => {
  await relay()
  await relays.close()
  provideEnv({ SMTP_URL: "", SANDBOX_SMTP_PORT: "1" })
  relays = createRelays()
  const [id = ""] = await sendMail(sender)
  await deliverDue(relays)
  const [delivery] = await deliveryRows(id)
  expect(delivery).toMatchObject({ attempt_count: 0, status: "sending" })
  expect(delivery.due_at - Date.now()).toBeLessThan(4_000)
})
