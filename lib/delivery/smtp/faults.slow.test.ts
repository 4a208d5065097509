import { createServer, type AddressInfo, type Socket } from "node:net"
import { TLSSocket } from "node:tls"
import { afterEach, describe, expect, it } from "vitest"
import type { LookUp } from "@/lib/delivery/smtp/addresses"
import { createSmtpPool, type SmtpPoolOptions } from "@/lib/delivery/smtp/client"
import { selfSignedCertificate } from "@/e2e/support/delivery/certificate"
import { faultServer, type Faults } from "@/e2e/support/delivery/fault-server"
import type { SmtpTarget } from "@/lib/regions/settings"

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const hangUp = (socket: Socket) => void socket.destroy()
const silence = ""
const once = (first: (socket: Socket) => void, then: string) => (socket: Socket, count: number) =>
  count === 1 ? void first(socket) : then

async function against(faults: Faults, options: Partial<SmtpPoolOptions> = {}, target: Partial<SmtpTarget> = {}) {
  const server = await faultServer(faults)
  const pool = createSmtpPool(
    { host: "127.0.0.1", port: server.port, tls: "none", maxConnections: 1, ...target },
    { ehloName: "mta.mailroom.test", ...options },
  )
  closers.push(server.close, pool.close)
  return { server, pool }
}

const mail = { from: "verp@send.acme.test", to: "zoe@b.test", message: Buffer.from("Subject: a\r\n\r\nhello\r\n") }
const big = { ...mail, message: Buffer.from(`Subject: a\r\n\r\n${"line of text\r\n".repeat(1_000_000)}`) }

describe("a server that", () => {
  it.each<[string, Faults, object]>([
    ["greets with 421", { GREETING: "421 4.3.2 busy" }, { outcome: "region_fault", phase: "greeting", code: 421 }],
    ["greets with 554", { GREETING: "554 5.7.1 go away" }, { outcome: "region_fault", phase: "greeting", code: 554 }],
    ["hangs up at once", { GREETING: hangUp }, { outcome: "region_fault", phase: "greeting" }],
    ["refuses EHLO", { EHLO: "550 bad name" }, { outcome: "region_fault", phase: "ehlo", code: 550 }],
    ["hangs up at EHLO", { EHLO: hangUp }, { outcome: "region_fault", phase: "ehlo" }],
    [
      "defers the sender",
      { MAIL: "451 4.7.1 later" },
      { outcome: "deferred", phase: "mail", code: 451, enhanced: "4.7.1" },
    ],
    [
      "refuses the sender",
      { MAIL: "550 5.1.8 no" },
      { outcome: "refused", phase: "mail", code: 550, enhanced: "5.1.8" },
    ],
    ["demands authentication", { MAIL: "530 5.7.0 first" }, { outcome: "region_fault", phase: "mail", code: 530 }],
    ["defers the recipient", { RCPT: "450 4.2.0 grey" }, { outcome: "deferred", phase: "rcpt", code: 450 }],
    ["says 552 to the recipient", { RCPT: "552 too many" }, { outcome: "deferred", phase: "rcpt", code: 552 }],
    ["hangs up at the recipient", { RCPT: hangUp }, { outcome: "deferred", phase: "rcpt" }],
    ["refuses DATA", { DATA: "554 5.5.1 no" }, { outcome: "refused", phase: "data", code: 554 }],
    ["says 421 to DATA", { DATA: "421 4.3.2 closing" }, { outcome: "deferred", phase: "data", code: 421 }],
    ["hangs up at DATA", { DATA: hangUp }, { outcome: "deferred", phase: "data" }],
    ["defers the message", { DOT: "452 4.3.1 full" }, { outcome: "deferred", phase: "final", code: 452 }],
    ["refuses the message", { DOT: "550 5.7.1 spam" }, { outcome: "refused", phase: "final", code: 550 }],
    ["hangs up after the final dot", { DOT: hangUp }, { outcome: "ambiguous", phase: "final" }],
    ["answers nonsense to the final dot", { DOT: "hello" }, { outcome: "ambiguous", phase: "final" }],
    ["answers 354 to the final dot", { DOT: "354 more" }, { outcome: "ambiguous", phase: "final" }],
    ["answers 354 to MAIL", { MAIL: "354 go on" }, { outcome: "deferred", phase: "mail" }],
    ["speaks no SMTP", { GREETING: "HTTP/1.1 400 Bad Request" }, { outcome: "region_fault", phase: "greeting" }],
    ["changes the code within an answer", { EHLO: "250-a\r\n550 b" }, { outcome: "region_fault", phase: "ehlo" }],
  ])("%s", async (_, faults, expected) => {
    for (const ehlo of ["250-fault.test\r\n250 PIPELINING", "250 fault.test"]) {
      const { pool } = await against({ EHLO: ehlo, ...faults })
      expect(await pool.send(mail)).toMatchObject(expected)
    }
  })

  it("is not there", async () => {
    const { server, pool } = await against({})
    await server.close()
    expect(await pool.send(mail)).toMatchObject({ outcome: "region_fault", phase: "connect" })
  })

  it.each<[string, Faults, object]>([
    ["greeting", { GREETING: silence }, { outcome: "region_fault", phase: "greeting" }],
    ["EHLO", { EHLO: silence }, { outcome: "region_fault", phase: "ehlo" }],
    ["MAIL", { MAIL: silence }, { outcome: "deferred", phase: "mail" }],
    ["DATA", { DATA: silence }, { outcome: "deferred", phase: "data" }],
    [
      "a half answer",
      { EHLO: (socket) => void socket.write("250-fault.test\r\n250 PIPE") },
      { outcome: "region_fault", phase: "ehlo" },
    ],
    ["the final dot", { DOT: silence }, { outcome: "ambiguous", phase: "final" }],
  ])("falls silent at %s", async (_, faults, expected) => {
    // What answers does so within half a second even on a busy machine.
    const timeouts = { greetingTimeoutMs: 500, commandTimeoutMs: 500, finalTimeoutMs: 500 }
    const { pool } = await against(faults, timeouts)
    expect(await pool.send(mail)).toMatchObject({ ...expected, text: expect.stringContaining("no answer") })
  })

  it("answers in single octets", async () => {
    const trickle = (text: string) => (socket: Socket) => {
      const octets = [...`${text}\r\n`]
      const next = () => {
        const octet = octets.shift()
        if (octet !== undefined) socket.write(octet, () => setImmediate(next))
      }
      next()
    }
    const { pool } = await against({ GREETING: trickle("220 slow"), DOT: trickle("250-2.0.0 a\r\n250 2.0.0 b") })
    expect(await pool.send(mail)).toMatchObject({ outcome: "accepted" })
  })

  it.each(["500 command unrecognized", "502 5.5.1 not implemented"])(
    "answers EHLO with %s is greeted with HELO",
    async (reply) => {
      const { server, pool } = await against({ EHLO: reply, HELO: "250-fault.test\r\n250 PIPELINING" })
      expect(await pool.send(mail)).toMatchObject({ outcome: "accepted" })
      expect(await pool.send(mail)).toMatchObject({ outcome: "accepted" })
      expect(server.received.map((line) => line.split(" ", 1)[0])).toEqual([
        "EHLO",
        "HELO",
        ...["MAIL", "RCPT", "DATA"],
        ...["MAIL", "RCPT", "DATA"],
      ])
      // Without extensions none of their parameters is used.
      expect(server.received[2]).toBe(`MAIL FROM:<${mail.from}>`)
    },
  )

  it("refuses HELO too, or has no encryption where it is required, is the region's fault", async () => {
    const { pool } = await against({ EHLO: "502 no", HELO: "550 not you" })
    expect(await pool.send(mail)).toMatchObject({ outcome: "region_fault", phase: "ehlo", code: 550 })
    const required = await against({ EHLO: "500 what" }, {}, { tls: "required" })
    expect(await required.pool.send(mail)).toMatchObject({ outcome: "region_fault", phase: "starttls" })
  })

  const long = "z".repeat(200_000)
  it.each<[string, string, object]>([
    ["250 in one line", `250 2.0.0 ${long}`, { outcome: "accepted", code: 250 }],
    ["250 in many lines", `${"250-2.0.0 more\r\n".repeat(12_000)}250 2.0.0 end`, { outcome: "accepted", code: 250 }],
    ["550 in one line", `550 5.7.1 ${long}`, { outcome: "refused", code: 550, enhanced: "5.7.1" }],
    ["451 in many lines", `451-${"y".repeat(3_000)}\r\n451 ${long}`, { outcome: "deferred", code: 451 }],
  ])("says %s after the final dot is taken at its first line, and one copy is sent", async (_, reply, expected) => {
    const { server, pool } = await against({ DOT: reply })
    const attempt = await pool.send(mail)
    expect(attempt).toMatchObject({ ...expected, phase: "final" })
    expect(attempt.text.length).toBeLessThanOrEqual(1_000)
    expect(await pool.send(mail)).toMatchObject(expected)
    expect(server.messages).toHaveLength(2)
    expect(server.connections()).toBe(1)
  })

  it("says so much to the recipient is still understood", async () => {
    const { server, pool } = await against({ RCPT: `250 2.1.5 ${long}` })
    expect(await pool.send(mail)).toMatchObject({ outcome: "accepted" })
    expect(server.messages).toHaveLength(1)
  })

  it.each(["250-no end\r\n", "z"])(
    "never ends its 250 after the final dot (%j) has accepted the mail, and is hung up on",
    async (more) => {
      const { server, pool } = await against({
        DOT: (socket) => (socket.write("250-2.0.0 "), flood(socket, more.repeat(4_000))),
      })
      expect(await pool.send(mail)).toMatchObject({ outcome: "accepted", code: 250 })
      expect(server.messages).toHaveLength(1)
    },
  )

  it.each<[string, Faults]>([
    ["banner line", { GREETING: (socket) => flood(socket, "x".repeat(65_536)) }],
    ["EHLO answer", { EHLO: (socket) => flood(socket, "250-more of this\r\n".repeat(4_000)) }],
    ["row of answers", { MAIL: (socket) => flood(socket, "250 ok\r\n".repeat(8_000)) }],
  ])("floods us with an endless %s, is hung up on and not read to the end", async (_, faults) => {
    const { pool } = await against(faults)
    const attempt = await pool.send(mail)
    expect(attempt).toMatchObject({ outcome: faults.MAIL ? "deferred" : "region_fault" })
    expect(attempt.conversation.join("\n").length).toBeLessThan(64 * 1024)
  })
})

describe("a name with two addresses", () => {
  /** Servers with these faults, and a pool that sends to their common name. */
  async function againstBoth(first: Faults, second: Faults, target: Partial<SmtpTarget> = {}) {
    const one = await faultServer(first, 0, "127.0.0.2")
    const other = await faultServer(second, one.port, "127.0.0.3")
    const pool = createSmtpPool(
      { host: "relay.test", port: one.port, tls: "none", maxConnections: 1, ...target },
      {
        ehloName: "mta.mailroom.test",
        mailsPerConnectionMax: 1,
        lookUp: (host) => Promise.resolve(host === "relay.test" ? ["127.0.0.2", "127.0.0.3"] : []),
      },
    )
    closers.push(one.close, other.close, pool.close)
    return { one, other, pool }
  }

  it.each<[string, Faults]>([
    ["greets with 421", { GREETING: "421 4.3.2 out of service" }],
    ["hangs up", { GREETING: hangUp }],
    ["refuses EHLO", { EHLO: "550 no" }],
  ])("sends over the second where the first %s, and asks that one last for a while", async (_, faults) => {
    const { one, other, pool } = await againstBoth(faults, {})
    expect(await pool.send(mail)).toMatchObject({
      outcome: "accepted",
      remote: expect.stringMatching(/^relay\.test 127\.0\.0\.3:/),
      conversation: expect.arrayContaining([expect.stringMatching(/^— 127\.0\.0\.2: /)]),
    })
    expect(await pool.send(mail)).toMatchObject({ outcome: "accepted" })
    expect([one.connections(), other.connections()], "connections of each").toEqual([1, 2])
  })

  it("is the region's fault where neither takes a session, for the reason of the first", async () => {
    const { one, other, pool } = await againstBoth({}, {})
    await Promise.all([one.close(), other.close()])
    expect(await pool.send(mail)).toMatchObject({
      ...{ outcome: "region_fault", phase: "connect", text: `connect ECONNREFUSED 127.0.0.2:${one.port}` },
    })
  })

  it("sends over the second where the first cannot tell whether the password is right", async () => {
    const login = { EHLO: "250-fault.test\r\n250 AUTH PLAIN" }
    const away = { ...login, AUTH: "454 4.7.0 Temporary authentication failure" }
    const right = { ...login, AUTH: "235 2.7.0 welcome" }
    const { pool } = await againstBoth(away, right, { user: "ada", password: "richtig" })
    expect(await pool.send(mail)).toMatchObject({ outcome: "accepted", remote: expect.stringContaining("127.0.0.3") })
  })

  it("takes a refused password from the first, and does not try it again at the second", async () => {
    const login = { EHLO: "250-fault.test\r\n250 AUTH PLAIN", AUTH: "535 5.7.8 wrong" }
    const { other, pool } = await againstBoth(login, login, { user: "ada", password: "falsch" })
    expect(await pool.send(mail)).toMatchObject({ outcome: "region_fault", phase: "auth", code: 535 })
    expect(other.connections()).toBe(0)
  })
})

it("a name with many addresses of a network that is not there is reached by its address of the other", async () => {
  const server = await faultServer({}, 0, "127.0.0.2")
  const away = Array.from({ length: 8 }, (_, at) => `2001:db8::${at + 1}`)
  const lookUp: LookUp = () => Promise.resolve([...away, "127.0.0.2"])
  const target = { host: "relay.test", port: server.port, tls: "none" as const, maxConnections: 1 }
  const pool = createSmtpPool(target, { ehloName: "mta.mailroom.test", mailsPerConnectionMax: 1, lookUp })
  closers.push(server.close, pool.close)
  expect(await pool.send(mail)).toMatchObject({ outcome: "accepted" })
})

it.each<[string, LookUp, string]>([
  ["has no address", () => Promise.resolve([]), "relay.test has no address"],
  [
    "is unknown",
    () => Promise.reject(new Error("getaddrinfo ENOTFOUND relay.test")),
    "getaddrinfo ENOTFOUND relay.test",
  ],
  ["cannot be looked up in time", () => new Promise(() => {}), "no address of relay.test within 0.3 s"],
])("a name that %s is the region's fault", async (_, lookUp, text) => {
  const { pool } = await against({}, { lookUp, connectTimeoutMs: 300 }, { host: "relay.test" })
  expect(await pool.send(mail)).toMatchObject({ outcome: "region_fault", phase: "connect", text })
})

describe("one mail's trouble", () => {
  it("with 421 in DATA stays its own: the next goes over a new connection", async () => {
    const { server, pool } = await against({ DATA: once((socket) => socket.end("421 closing\r\n"), "354 go on") })
    const attempts = await Promise.all([pool.send(mail), pool.send({ ...mail, to: "bob@b.test" })])
    expect(attempts).toMatchObject([{ outcome: "deferred", code: 421 }, { outcome: "accepted" }])
    expect(server.messages).toHaveLength(1)
    expect(server.connections()).toBe(2)
  })

  it("with a connection dropped in DATA stays its own", async () => {
    const { server, pool } = await against({ DATA: once(hangUp, "354 go on") })
    const attempts = await Promise.all([pool.send(mail), pool.send({ ...mail, to: "bob@b.test" })])
    expect(attempts).toMatchObject([{ outcome: "deferred", phase: "data" }, { outcome: "accepted" }])
    expect(server.messages).toHaveLength(1)
  })

  it("with a refused recipient costs one RSET, and three of five refused are three mails", async () => {
    const { server, pool } = await against({
      RCPT: (_, count) => (count <= 3 ? "452 4.2.2 full" : "250 ok"),
      DATA: (_, count) => (count <= 3 ? "503 no recipient" : "354 go on"),
    })
    const attempts = await Promise.all([1, 2, 3, 4, 5].map((n) => pool.send({ ...mail, to: `u${n}@b.test` })))
    expect(attempts.map(({ outcome }) => outcome)).toEqual(["deferred", "deferred", "deferred", "accepted", "accepted"])
    expect(server.received.filter((line) => line === "RSET")).toHaveLength(3)
    expect(server.connections()).toBe(1)
  })

  it.each([
    ["502 5.5.1 not implemented", true],
    ["550 5.7.1 no", true],
    ["451 4.3.0 later", true],
    ["500 unknown command", false],
  ])(
    "before a RSET that is refused (%s) stays its own: the next goes over a new connection",
    async (words, isPipelined) => {
      const { server, pool } = await against({
        EHLO: isPipelined ? "250-fault.test\r\n250 PIPELINING" : "250 fault.test",
        RCPT: (_, count) => (count === 1 ? "550 5.1.1 no such user" : "250 ok"),
        DATA: (_, count) => (isPipelined && count === 1 ? "503 no recipient" : "354 go on"),
        RSET: words,
      })
      expect(await pool.send(mail)).toMatchObject({ outcome: "refused", phase: "rcpt", code: 550 })
      expect(await pool.send({ ...mail, to: "bob@b.test" })).toMatchObject({ outcome: "accepted" })
      expect(server.messages).toHaveLength(1)
      expect(server.connections()).toBe(2)
    },
  )

  it("with DATA let through after a refused recipient sends nothing and hangs up", async () => {
    const { server, pool } = await against({ RCPT: (_, count) => (count === 1 ? "550 5.1.1 no" : "250 ok") })
    expect(await pool.send(mail)).toMatchObject({ outcome: "refused", phase: "rcpt", code: 550 })
    expect(await pool.send(mail)).toMatchObject({ outcome: "accepted" })
    expect(server.messages).toHaveLength(1)
    expect(server.connections()).toBe(2)
  })

  it("does not come from a kept connection that the server closed meanwhile", async () => {
    const sockets: Socket[] = []
    const { server, pool } = await against({
      DOT: (socket) => (sockets.push(socket), "250 ok"),
      MAIL: (socket, count) => (count === 2 ? void socket.end("421 idle too long\r\n") : "250 ok"),
    })
    expect(await pool.send(mail)).toMatchObject({ outcome: "accepted" })
    expect(await pool.send(mail)).toMatchObject({ outcome: "accepted" })
    sockets.at(-1)?.end("421 farewell\r\n")
    expect(await pool.send(mail)).toMatchObject({ outcome: "accepted" })
    expect(server.messages).toHaveLength(3)
    expect(server.connections()).toBe(3)
  })
})

describe("a server that is silent for some recipients", () => {
  it("holds up nobody else: after a while each gives its place to one that waits", async () => {
    let received: string[] = []
    const rcpt = () => (received.findLast((line) => line.startsWith("RCPT"))?.includes("<mute") ? silence : "250 ok")
    const limits = { slowMs: 20, commandTimeoutMs: 2_000 }
    const { server, pool } = await against({ RCPT: rcpt }, limits, { maxConnections: 2 })
    received = server.received
    const mute = Array.from({ length: 6 }, (_, at) => pool.send({ ...mail, to: `mute-${at}@b.test` }))
    const quick = Array.from({ length: 20 }, (_, at) => pool.send({ ...mail, to: `quick-${at}@b.test` }))
    for (const one of await Promise.all(quick)) expect(one.outcome).toBe("accepted")
    for (const one of await Promise.all(mute)) expect(one).toMatchObject({ outcome: "deferred", phase: "rcpt" })
    expect(server.connections()).toBeLessThanOrEqual(2 + 4 * 2)
  })
})

describe("a large message", () => {
  it("that breaks off midway cannot have arrived, so it is deferred and not ambiguous", async () => {
    const { server, pool } = await against({
      DATA: (socket) => void socket.write("354 go on\r\n", () => setImmediate(hangUp, socket)),
    })
    expect(await pool.send(big)).toMatchObject({ outcome: "deferred", phase: "data" })
    expect(server.messages).toEqual([])
  })

  it("that is refused midway keeps the server's word", async () => {
    const { pool } = await against({
      DATA: (socket) => {
        socket.write("354 go on\r\n")
        socket.removeAllListeners("data")
        socket.once("data", () => socket.write("552 5.3.4 too big\r\n")).resume()
      },
    })
    expect(await pool.send(big)).toMatchObject({ outcome: "refused", phase: "data", code: 552, enhanced: "5.3.4" })
  })

  it("that the server stops reading is deferred in time", async () => {
    const { pool } = await against(
      { DATA: (socket) => void (socket.write("354 go on\r\n"), socket.pause()) },
      { dataTimeoutMs: 200 },
    )
    expect(await pool.send(big)).toMatchObject({ outcome: "deferred", phase: "data" })
  })
})

describe("a stop", () => {
  it("before the final dot defers, after it is ambiguous, and while waiting for a place costs nothing", async () => {
    for (const [faults, expected] of [
      [{ MAIL: silence }, { outcome: "deferred", phase: "mail", text: "stopped" }],
      [{ DOT: silence }, { outcome: "ambiguous", phase: "final" }],
    ] as const) {
      const { server, pool } = await against(faults)
      const stop = new AbortController()
      const first = pool.send({ ...mail, signal: stop.signal })
      const second = pool.send({ ...mail, to: "bob@b.test", signal: stop.signal })
      await expect
        .poll(() => server.received.length + server.messages.length)
        .toBeGreaterThan(expected.phase === "final" ? 4 : 1)
      stop.abort()
      expect(await first).toMatchObject(expected)
      expect(await second).toMatchObject({ outcome: "deferred", phase: "connect", text: "stopped" })
      expect(server.connections()).toBe(1)
    }
  })

  it("of the pool waits for the mails under way and says goodbye", async () => {
    let answer = () => {}
    const { server, pool } = await against({ DOT: (socket) => void (answer = () => void socket.write("250 ok\r\n")) })
    const sending = pool.send(mail)
    await expect.poll(() => server.messages.length).toBe(1)
    const closing = pool.close()
    answer()
    expect(await sending).toMatchObject({ outcome: "accepted" })
    await closing
    await expect.poll(() => server.received.at(-1)).toBe("QUIT")
  })
})

describe("encryption", () => {
  const { key, cert } = selfSignedCertificate()

  it("T103: starts with what comes inside it: plaintext sent along with the answer to STARTTLS counts for nothing", async () => {
    const commands: string[] = []
    const server = createServer((socket) => {
      socket.on("error", () => {})
      socket.write("220 inject.test\r\n")
      socket.once("data", () => {
        socket.write("250-inject.test\r\n250 STARTTLS\r\n")
        socket.once("data", () => {
          socket.write("220 go\r\n250-inject.test\r\n250 AUTH PLAIN\r\n235 welcome\r\n", () => secure(socket, commands))
        })
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    closers.push(() => new Promise((resolve) => server.close(resolve)))
    const { port } = server.address() as AddressInfo
    const pool = createSmtpPool(
      { host: "127.0.0.1", port, tls: "required", user: "ada", password: "geheim", maxConnections: 1 },
      { ehloName: "mta.mailroom.test", ca: cert },
    )
    closers.push(pool.close)
    const attempt = await pool.send(mail)
    expect(attempt).toMatchObject({ outcome: "region_fault", phase: "auth" })
    expect(attempt.text).toContain("neither AUTH PLAIN nor AUTH LOGIN")
    expect(commands).toEqual(["EHLO mta.mailroom.test"])
  })

  function secure(socket: Socket, commands: string[]): void {
    socket.removeAllListeners("data")
    const tls = new TLSSocket(socket, { isServer: true, key, cert })
    tls.on("error", () => {})
    tls.on("data", (chunk: Buffer) => {
      commands.push(...chunk.toString().split("\r\n").filter(Boolean))
      tls.write("250 inside.test\r\n")
    })
  }

  it("that breaks is tried once without where it is opportunistic, and never where it is required", async () => {
    const ehlo = "250-fault.test\r\n250 STARTTLS"
    for (const starttls of [
      "454 4.7.0 not now",
      "220 go\r\nthis is no TLS",
      (socket: Socket) => void socket.destroy(),
    ]) {
      const opportunistic = await against(
        { EHLO: ehlo, STARTTLS: starttls },
        { connectTimeoutMs: 1000 },
        { tls: "opportunistic" },
      )
      expect(await opportunistic.pool.send(mail)).toMatchObject({ outcome: "accepted" })
      expect(opportunistic.server.connections()).toBe(2)
      const required = await against(
        { EHLO: ehlo, STARTTLS: starttls },
        { connectTimeoutMs: 1000 },
        { tls: "required" },
      )
      expect(await required.pool.send(mail)).toMatchObject({ outcome: "region_fault", phase: "starttls" })
      expect(required.server.messages).toEqual([])
    }
  })
})

it("reports are asked for where the server offers them, with the recipient spelled in xtext", async () => {
  const { server, pool } = await against({ EHLO: "250-fault.test\r\n250-DSN\r\n250 PIPELINING" })
  await pool.send({ ...mail, to: "a+b=c@b.test", dsnEnvelopeId: "d1" })
  expect(server.received).toContain("MAIL FROM:<verp@send.acme.test> RET=HDRS ENVID=d1")
  expect(server.received).toContain("RCPT TO:<a+b=c@b.test> NOTIFY=SUCCESS,FAILURE,DELAY ORCPT=rfc822;a+2Bb+3Dc@b.test")
})

function flood(socket: Socket, chunk: string): void {
  const more = () => {
    if (!socket.destroyed) socket.write(chunk, (error) => error ?? setImmediate(more))
  }
  more()
}
