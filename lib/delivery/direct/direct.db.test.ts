import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { selfSignedCertificate } from "@/e2e/support/delivery/certificate"
import { type MailLab, startMailLab } from "@/e2e/support/delivery/mail-lab"
import {
  attemptRows,
  deliverDue,
  deliveryRows,
  emailRow,
  eventTypes,
  newSending,
  passWait,
  probeNow,
  type Sending,
  sendMail,
  suppressedAddresses,
} from "@/e2e/support/delivery/sending"
import { api } from "@/e2e/support/world"
import { createDirectTransport } from "@/lib/delivery/direct/transport"
import { createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { pool } from "@/lib/platform/database/db"
import { env, provideEnv } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import { regionSettings } from "@/lib/regions/settings"

let lab: MailLab
let sender: Sending
let relays: Relays

beforeAll(async () => {
  lab = await startMailLab()
  provideEnv(lab.variables)
  sender = await newSending()
})

/** Nothing is remembered of the servers of other tests. */
beforeEach(async () => {
  await pool().query("DELETE FROM delivery_workers")
  relays = createRelays()
})

afterAll(() => lab.close())

describe("a region that sends directly", () => {
  it("delivers to the server that the domain prefers, and says that it is delivered", async () => {
    const [preferred, other] = [await lab.server("127.0.0.11"), await lab.server("127.0.0.12")]
    lab.domain("order.example", [
      ["mx2.order.example", 20, "127.0.0.12"],
      ["mx1.order.example", 10, "127.0.0.11"],
    ])
    const id = await sendTo("ada@order.example")
    expect(await ended(id)).toEqual({
      status: "delivered",
      outcome: "accepted",
      host: "mx1.order.example",
      level: "none",
    })
    expect(await eventTypes(id)).toEqual(["queued", "sent", "delivered"])
    expect(preferred.taken).toEqual([{ to: "ada@order.example", tls: false }])
    expect(other.connections()).toBe(0)
  })

  it("encrypts where the server offers it, whatever its certificate", async () => {
    const server = await lab.server("127.0.0.13", { certificate: selfSignedCertificate() })
    lab.domain("tls.example", [["mx.tls.example", 10, "127.0.0.13"]])
    const id = await sendTo("ada@tls.example")
    expect(await ended(id)).toMatchObject({ status: "delivered", host: "mx.tls.example", level: "encrypted" })
    expect(server.taken).toEqual([{ to: "ada@tls.example", tls: true }])
    const { json } = await api("GET /v1/projects/{projectId}/emails/{emailId}/deliveries", {
      key: sender.apiKey,
      params: { projectId: encodeId("proj", sender.projectId), emailId: encodeId("email", id) },
    })
    expect(json.data).toMatchObject([
      {
        attempts: [
          {
            remote: expect.stringMatching(/^mx\.tls\.example 127\.0\.0\.13:/),
            tlsLevel: "encrypted",
            source: "127.0.0.1",
          },
        ],
      },
    ])
  })

  it("sends without TLS on a new connection where the handshake fails, and remembers that of the server", async () => {
    let handshakes = 0
    const server = await lab.faulty("127.0.0.14", {
      EHLO: "250-fault.test\r\n250-STARTTLS\r\n250 PIPELINING",
      STARTTLS: (socket) => {
        handshakes += 1
        socket.end("220 go ahead\r\nnot a handshake\r\n")
      },
    })
    lab.domain("broken-tls.example", [["mx.broken-tls.example", 10, "127.0.0.14"]])
    const [first, second] = [await sendTo("ada@broken-tls.example"), await sendTo("bob@broken-tls.example")]
    expect(await ended(first)).toMatchObject({ status: "delivered", host: "mx.broken-tls.example", level: "none" })
    expect(await ended(second)).toMatchObject({ status: "delivered", level: "none" })
    expect(handshakes).toBe(1)
    expect(server.connections()).toBe(3)
  })

  it("sends to the domain itself where it has an address and no MX", async () => {
    const server = await lab.server("127.0.0.15")
    lab.dns.answer("implicit.example", "A", ["127.0.0.15"])
    const id = await sendTo("ada@implicit.example")
    expect(await ended(id)).toMatchObject({ status: "delivered", host: "implicit.example" })
    expect(server.taken).toHaveLength(1)
  })

  it("follows an alias of the domain and one of its server", async () => {
    const server = await lab.server("127.0.0.16")
    lab.dns.answer("alias.example", "CNAME", ["target.example"])
    lab.domain("target.example", [["mx.target.example", 10]])
    lab.dns.answer("mx.target.example", "CNAME", ["host.target.example"])
    lab.dns.answer("host.target.example", "A", ["127.0.0.16"])
    const id = await sendTo("ada@alias.example")
    expect(await ended(id)).toMatchObject({ status: "delivered", host: "mx.target.example" })
    expect(server.taken).toHaveLength(1)
  })

  it.each([
    ["says that it receives no mail", "null.example", () => lab.domain("null.example", [[".", 0]])],
    ["does not exist", "missing.example", () => {}],
    ["has neither an MX nor an address", "text.example", () => lab.dns.answer("text.example", "TXT", ["v=spf1 -all"])],
  ])("bounces mail for a domain that %s at once, and suppresses the address", async (_, domain, publish) => {
    publish()
    const id = await sendTo(`ada@${domain}`)
    expect(await ended(id)).toMatchObject({ status: "bounced", outcome: "refused", host: domain })
    expect(await deliveryRows(id)).toMatchObject([{ bounce_type: "hard", bounce_code: "5.1.2" }])
    expect(await suppressedAddresses(sender)).toContain(`ada@${domain}`)
  })

  it("lets mail wait for a domain whose DNS fails, and sends it once it answers", async () => {
    const server = await lab.server("127.0.0.17")
    lab.domain("servfail.example", [["mx.servfail.example", 10, "127.0.0.17"]])
    lab.dns.fault("servfail.example", "SERVFAIL")
    const id = await sendTo("ada@servfail.example")
    expect(await ended(id)).toMatchObject({ status: "sending", outcome: "deferred", host: "servfail.example" })
    expect(await deliveryRows(id)).toMatchObject([
      { bounce_type: null, diagnostic: expect.stringContaining("could not be looked up") },
    ])
    lab.dns.heal("servfail.example")
    await again(id)
    expect(await ended(id)).toMatchObject({ status: "delivered", host: "mx.servfail.example" })
    expect(server.taken).toHaveLength(1)
  })

  it("T101: never dials a private address or one of this machine, and bounces softly where there is no other", async () => {
    const own = await lab.faulty("127.0.0.1", {})
    lab.domain("private.example", [["mx.private.example", 10, "10.0.0.1"]])
    lab.domain("own.example", [["mx.own.example", 10, "127.0.0.1"]])
    for (const domain of ["private.example", "own.example"]) {
      const id = await sendTo(`ada@${domain}`)
      expect(await ended(id)).toMatchObject({ status: "bounced", outcome: "refused" })
      expect(await deliveryRows(id)).toMatchObject([
        {
          bounce_type: "soft",
          bounce_code: "5.4.4",
          diagnostic: expect.stringContaining("points to a private address"),
        },
      ])
      expect(await suppressedAddresses(sender)).not.toContain(`ada@${domain}`)
    }
    expect(own.connections()).toBe(0)
  })

  it("T101: goes on to a public server where the preferred one is private", async () => {
    const server = await lab.server("127.0.0.18")
    lab.domain("mixed.example", [
      ["inside.mixed.example", 10, "192.168.0.1"],
      ["mx.mixed.example", 20, "127.0.0.18"],
    ])
    const id = await sendTo("ada@mixed.example")
    expect(await ended(id)).toMatchObject({ status: "delivered", host: "mx.mixed.example" })
    expect(server.taken).toHaveLength(1)
  })

  it.each([
    ["refuses the session with 554", "127.0.0.21", { GREETING: "554 5.7.1 not you" }],
    ["answers 421 to the greeting", "127.0.0.22", { GREETING: "421 4.7.0 try again later" }],
    ["ends the connection", "127.0.0.23", { EHLO: (socket: { destroy(): void }) => socket.destroy() }],
    ["demands authentication", "127.0.0.24", { MAIL: "530 5.7.0 authenticate first" }],
  ])("tries the second server where the first one %s", async (_, address, faults) => {
    const first = await lab.faulty(address, faults)
    const second = await lab.server(address.replace(".0.2", ".0.3"))
    const domain = `second-${address.slice(-1)}.example`
    lab.domain(domain, [
      [`mx1.${domain}`, 10, address],
      [`mx2.${domain}`, 20, address.replace(".0.2", ".0.3")],
    ])
    const id = await sendTo(`ada@${domain}`)
    expect(await ended(id)).toMatchObject({ status: "delivered", host: `mx2.${domain}` })
    expect(first.connections()).toBe(1)
    expect(second.taken).toHaveLength(1)
    const [attempt] = await attemptRows(id)
    expect(attempt.conversation).toContain(`— mx1.${domain} ${address}`)
  })

  it("lets mail wait where no server opens a session, without a fault of the region or of the recipient", async () => {
    await lab.faulty("127.0.0.41", { GREETING: "554 5.7.1 blocked" })
    lab.domain("away.example", [
      ["mx1.away.example", 10, "127.0.0.41"],
      ["mx2.away.example", 20, "127.0.0.42"],
    ])
    const id = await sendTo("ada@away.example")
    expect(await ended(id)).toMatchObject({ status: "sending", outcome: "deferred", host: "mx2.away.example" })
    expect(await deliveryRows(id)).toMatchObject([{ bounce_type: null, attempt_count: 0 }])
    expect(await emailRow(id)).toMatchObject({
      reason: "destination",
      reason_facts: { name: "mx1.away.example", why: "away", until: expect.any(String) },
    })
    expect(await outages()).toEqual([])
  })

  it("tries the other server first for a minute after one has failed", async () => {
    const second = await lab.server("127.0.0.44")
    const first = await lab.faulty("127.0.0.43", { GREETING: "421 4.3.2 closing" })
    lab.domain("lately.example", [
      ["mx1.lately.example", 10, "127.0.0.43"],
      ["mx2.lately.example", 20, "127.0.0.44"],
    ])
    for (const name of ["ada", "bob", "cleo"]) {
      const id = await sendTo(`${name}@lately.example`)
      expect(await ended(id)).toMatchObject({ status: "delivered", host: "mx2.lately.example" })
    }
    expect(first.connections()).toBe(1)
    expect(second.taken).toHaveLength(3)
  })

  it("asks for TLS each time where a handshake failed once and the server takes no mail without it", async () => {
    let handshakes = 0
    await lab.faulty("127.0.0.215", {
      EHLO: "250-fault.test\r\n250-STARTTLS\r\n250 PIPELINING",
      STARTTLS: (socket) => {
        handshakes += 1
        socket.end("220 go ahead\r\nnot a handshake\r\n")
      },
      MAIL: "530 5.7.0 Must issue a STARTTLS command first",
    })
    lab.domain("only-tls.example", [["mx.only-tls.example", 10, "127.0.0.215"]])
    const id = await sendTo("ada@only-tls.example")
    expect(await ended(id)).toMatchObject({ status: "sending", outcome: "deferred" })
    await again(id)
    await ended(id)
    expect(handshakes).toBe(2)
  })

  it("retries mail that is greylisted at the same server", async () => {
    let asked = 0
    const server = await lab.server("127.0.0.45", {
      refuses: () => (asked++ === 0 ? { code: 451, text: "4.7.1 Greylisted, try again later" } : undefined),
    })
    const other = await lab.server("127.0.0.46")
    lab.domain("grey.example", [
      ["mx1.grey.example", 10, "127.0.0.45"],
      ["mx2.grey.example", 20, "127.0.0.46"],
    ])
    const id = await sendTo("ada@grey.example")
    expect(await ended(id)).toMatchObject({ status: "sending", outcome: "deferred", host: "mx1.grey.example" })
    await again(id)
    expect(await ended(id)).toMatchObject({ status: "delivered", host: "mx1.grey.example" })
    expect(await attemptRows(id)).toHaveLength(2)
    expect(server.taken).toHaveLength(1)
    expect(other.connections()).toBe(0)
  })

  it("bounces an unknown recipient by the server's own words, without asking another server", async () => {
    await lab.server("127.0.0.47", { refuses: () => ({ code: 550, text: "5.1.1 User unknown" }) })
    const other = await lab.server("127.0.0.48")
    lab.domain("unknown.example", [
      ["mx1.unknown.example", 10, "127.0.0.47"],
      ["mx2.unknown.example", 20, "127.0.0.48"],
    ])
    const id = await sendTo("ada@unknown.example")
    expect(await ended(id)).toMatchObject({ status: "bounced", outcome: "refused", host: "mx1.unknown.example" })
    expect(await deliveryRows(id)).toMatchObject([{ bounce_type: "hard", bounce_code: "5.1.1" }])
    expect(other.connections()).toBe(0)
  })

  it("takes the same refusal by servers of several domains for what it is, not for a fault of the region", async () => {
    for (const at of [1, 2, 3, 4]) {
      await lab.server(`127.0.0.5${at}`, { refuses: () => ({ code: 550, text: "5.7.1 Service refused" }) })
      lab.domain(`policy-${at}.example`, [[`mx.policy-${at}.example`, 10, `127.0.0.5${at}`]])
      expect(await ended(await sendTo(`ada@policy-${at}.example`))).toMatchObject({ status: "bounced" })
    }
    expect(await outages()).toEqual([])
  })

  it("sends mail of several domains over one connection to the server that they share", async () => {
    const server = await lab.server("127.0.0.60")
    lab.domain("one.example", [["mx.shared.example", 10, "127.0.0.60"]])
    lab.domain("two.example", [["mx.shared.example", 10, "127.0.0.60"]])
    for (const to of ["ada@one.example", "ada@two.example"])
      expect(await ended(await sendTo(to))).toMatchObject({ status: "delivered", host: "mx.shared.example" })
    expect(server.connections()).toBe(1)
  })

  it("is down while its resolvers are silent: no attempt is charged, and mail leaves once they answer", async () => {
    const server = await lab.server("127.0.0.62")
    lab.domain("resolver.example", [["mx.resolver.example", 10, "127.0.0.62"]])
    const resolver = { host: "127.0.0.1", port: 1 }
    let nowMs = 0
    relays = createRelays((profile) => {
      if (profile.transport !== "direct") throw new Error("All regions are direct here.")
      const { serviceDomain } = env()
      const options = { ...profile, ...regionSettings().direct, serviceDomain }
      return createDirectTransport({ ...options, resolvers: [resolver], silentMs: 0, now: () => nowMs })
    })
    const id = await sendTo("ada@resolver.example")
    expect(await ended(id)).toMatchObject({ status: "sending", outcome: "region_fault" })
    expect(await deliveryRows(id)).toMatchObject([{ attempt_count: 0, reason: "region_down" }])
    expect(await outages()).toMatchObject([
      { route: "eu-west-1", diagnostic: "The DNS resolver 127.0.0.1:1 does not answer." },
    ])
    await probeNow(relays)
    expect(await outages()).toHaveLength(1)

    resolver.port = lab.dns.port
    await probeNow(relays)
    expect(await outages()).toEqual([])
    nowMs += 6_000
    await deliverDue(relays)
    expect(await ended(id)).toMatchObject({ status: "delivered", host: "mx.resolver.example" })
    expect(await deliveryRows(id)).toMatchObject([{ attempt_count: 1 }])
    expect(server.taken).toHaveLength(1)
  })

  it("greets with the name of the region, unless the operator gave another one", async () => {
    const server = await lab.faulty("127.0.0.61", {})
    lab.domain("greeting.example", [["mx.greeting.example", 10, "127.0.0.61"]])
    await sendTo("ada@greeting.example")
    expect(server.received).toContain("EHLO out.eu-west-1.mailroom.test")
  })
})

async function sendTo(to: string): Promise<string> {
  const [id = ""] = await sendMail(sender, { to: [to] })
  await deliverDue(relays)
  return id
}

/** The next attempt, by a worker that has just started. */
async function again(id: string): Promise<void> {
  await passWait(id)
  await relays.close()
  relays = createRelays()
  await deliverDue(relays)
}

/** How an email stands, and what its last attempt met. */
async function ended(id: string) {
  const { status } = await emailRow(id)
  const last = (await attemptRows(id)).at(-1)
  return { status, outcome: last?.outcome, host: last?.remote.split(" ")[0], level: last?.tls_level }
}

async function outages(): Promise<unknown[]> {
  return (await pool().query("SELECT * FROM region_outages")).rows
}
