import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { createSmtpPool, type SmtpPoolOptions } from "@/lib/delivery/smtp/client"
import type { Transport } from "@/lib/delivery/transports/transport"
import { selfSignedCertificate } from "@/e2e/support/delivery/certificate"
import type { SmtpTarget } from "@/lib/regions/settings"

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

let certificate: { key: string; cert: string }
beforeAll(() => {
  certificate = selfSignedCertificate()
})

type Received = { from: string; to: string[]; data: string; user?: string; tls: boolean }

async function realServer(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  let connections = 0
  const server = new SMTPServer({
    ...certificate,
    authOptional: true,
    logger: false,
    onConnect: (_, done) => (connections++, done()),
    onAuth: ({ username, password }, _, done) =>
      password === "geheim" ? done(null, { user: username }) : done(new Error("no")),
    onRcptTo: ({ address }, _, done) => (address.startsWith("nobody@") ? done(refusal(550)) : done()),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          data: Buffer.concat(chunks).toString("latin1"),
          user: session.user,
          tls: Boolean(session.secure),
        })
        done()
      })
    },
    ...options,
  })
  server.on("error", () => {})
  await once(server.listen(0, "127.0.0.1"), "listening")
  closers.push(() => new Promise<void>((resolve) => server.close(resolve)))
  return { port: (server.server.address() as AddressInfo).port, received, connections: () => connections }
}

const refusal = (responseCode: number) => Object.assign(new Error("5.1.1 no such user"), { responseCode })

function poolTo(port: number, target: Partial<SmtpTarget> = {}, options: Partial<SmtpPoolOptions> = {}): Transport {
  const pool = createSmtpPool(
    { host: "127.0.0.1", port, tls: "none", maxConnections: 4, ...target },
    { ehloName: "mta.mailroom.test", ...options },
  )
  closers.push(() => pool.close())
  return pool
}

const mail = { from: "verp@send.acme.test", to: "zoe@b.test", message: Buffer.from("Subject: a\r\n\r\nhello\r\n") }

describe("a mail to a real server", () => {
  it("is accepted with its envelope, and the transcript is kept without the message", async () => {
    const server = await realServer({ size: 1_000_000 })
    const attempt = await poolTo(server.port).send(mail)
    expect(attempt).toMatchObject({ outcome: "accepted", phase: "final", code: 250 })
    expect(attempt.remote).toBe(`127.0.0.1 127.0.0.1:${server.port}`)
    expect(attempt.endedAt.getTime()).toBeGreaterThanOrEqual(attempt.startedAt.getTime())
    expect(server.received).toMatchObject([{ from: mail.from, to: [mail.to], data: "Subject: a\r\n\r\nhello\r\n" }])
    const transcript = attempt.conversation.join("\n")
    expect(transcript).toMatch(/^S: 220 .*\nC: EHLO mta\.mailroom\.test\n/)
    expect(transcript).toContain("C: MAIL FROM:<verp@send.acme.test> SIZE=21\nC: RCPT TO:<zoe@b.test>\nC: DATA\nS: 250")
    expect(transcript).not.toContain("hello")
  })

  it("arrives byte for byte, whatever its dots and lengths", async () => {
    const server = await realServer()
    const pool = poolTo(server.port)
    const bodies = [
      ".",
      "..",
      ".\r\n.",
      "a\r\n.\r\nb",
      "\r\n\r\n.x\r\n\r\n",
      "x".repeat(998),
      ".x\r\n".repeat(60_000),
      "",
    ]
    for (const body of bodies) {
      const message = Buffer.from(`Subject: a\r\n\r\n${body}\r\n`)
      expect(await pool.send({ ...mail, message })).toMatchObject({ outcome: "accepted" })
      expect(server.received.at(-1)?.data).toBe(message.toString())
    }
    expect(server.connections()).toBe(1)
  })

  it("leaves with CRLF only, so that no server finds a second mail inside", async () => {
    const server = await realServer()
    const pool = poolTo(server.port)
    for (const trick of ["\n.\n", "\n.\r\n", "\r.\r\n", "\r\n.\n", "\r\n\0.\r\n", "\r\n.\r", "\r.\r"]) {
      const message = Buffer.from(`Subject: a\r\n\r\na${trick}MAIL FROM:<e@x.test>\r\nRCPT TO:<f@x.test>\r\nDATA\r\nb`)
      expect(await pool.send({ ...mail, message })).toMatchObject({ outcome: "accepted" })
      expect(server.received.at(-1)?.data.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/)
    }
    expect(server.received).toHaveLength(7)
  })

  it("goes over few connections that are used again, each mail on its own envelope", async () => {
    const server = await realServer()
    const pool = poolTo(server.port, { maxConnections: 3 })
    const mails = Array.from({ length: 60 }, (_, n) => ({ ...mail, to: `u${n}@b.test` }))
    const attempts = await Promise.all(mails.map((one) => pool.send(one)))
    expect(new Set(attempts.map(({ outcome }) => outcome))).toEqual(new Set(["accepted"]))
    expect(server.received.map(({ to }) => to.join()).toSorted()).toEqual(mails.map(({ to }) => to).toSorted())
    expect(server.connections()).toBeLessThanOrEqual(3)
  })

  it("takes a new connection after the allowed number of mails, and the idle ones are closed in the end", async () => {
    const server = await realServer()
    const pool = poolTo(server.port, { maxConnections: 1 }, { mailsPerConnectionMax: 2 })
    for (let n = 0; n < 5; n += 1) await pool.send(mail)
    expect(server.connections()).toBe(3)
  })

  it("is refused for its own recipient only, and the connection serves the next", async () => {
    for (const hideENHANCEDSTATUSCODES of [true, false]) {
      const server = await realServer({ hideENHANCEDSTATUSCODES, hidePIPELINING: hideENHANCEDSTATUSCODES })
      const pool = poolTo(server.port, { maxConnections: 1 })
      const outcomes = await Promise.all(
        ["a@b.test", "nobody@b.test", "c@b.test"].map((to) => pool.send({ ...mail, to })),
      )
      expect(outcomes).toMatchObject([
        { outcome: "accepted" },
        { outcome: "refused", phase: "rcpt", code: 550, text: expect.stringContaining("no such user") },
        { outcome: "accepted" },
      ])
      expect(server.received.map(({ to }) => to)).toEqual([["a@b.test"], ["c@b.test"]])
      expect(server.connections()).toBe(1)
    }
  })

  it("may have the empty return path", async () => {
    const server = await realServer()
    expect(await poolTo(server.port).send({ ...mail, from: "" })).toMatchObject({ outcome: "accepted" })
    expect(server.received[0]?.from).toBe("")
  })

  it("is never sent with an envelope that could hold a second command", async () => {
    const server = await realServer()
    const pool = poolTo(server.port)
    for (const to of ["", "a@b.test>\r\nRCPT TO:<e@b.test", "a b@b.test", "a@b.test\n", "<a@b.test>", "é@b.test"])
      await expect(pool.send({ ...mail, to })).rejects.toThrow(TypeError)
    await expect(pool.send({ ...mail, from: "a@b.test> AUTH=<x" })).rejects.toThrow(TypeError)
    expect(server.received).toEqual([])
  })
})

describe("encryption and credentials", () => {
  const trusting = () => ({ ca: certificate.cert })

  it.each([
    ["PLAIN", "127.0.0.1"],
    ["LOGIN", "localhost"],
  ] as const)("STARTTLS and AUTH %s work, and the transcript hides the password", async (method, host) => {
    const server = await realServer({ authMethods: [method], authOptional: false })
    const target = { host, tls: "required", user: "ada", password: "geheim" } as const
    const attempt = await poolTo(server.port, target, trusting()).send(mail)
    expect(attempt).toMatchObject({ outcome: "accepted", tls: expect.stringMatching(/^TLSv1\.[23]$/) })
    expect(server.received).toMatchObject([{ user: "ada", tls: true }])
    const transcript = attempt.conversation.join("\n")
    expect(transcript).toContain("C: STARTTLS")
    for (const secret of [
      "geheim",
      Buffer.from("geheim").toString("base64"),
      Buffer.from("\0ada\0geheim").toString("base64"),
    ])
      expect(transcript).not.toContain(secret)
  })

  it("implicit TLS works", async () => {
    const server = await realServer({ secure: true })
    const attempt = await poolTo(server.port, { tls: "implicit", user: "ada", password: "geheim" }, trusting()).send(
      mail,
    )
    expect(attempt).toMatchObject({ outcome: "accepted", tls: expect.stringContaining("TLS") })
    expect(server.received).toMatchObject([{ user: "ada" }])
  })

  it("a wrong password is the region's fault and no mail's", async () => {
    const server = await realServer({ authOptional: false })
    const target = { tls: "required", user: "ada", password: "falsch" } as const
    expect(await poolTo(server.port, target, trusting()).send(mail)).toMatchObject({
      outcome: "region_fault",
      phase: "auth",
      code: 535,
    })
  })

  it("a certificate that nobody vouches for is the region's fault where TLS is required", async () => {
    const server = await realServer()
    for (const tls of ["required", "implicit"] as const) {
      const secure = tls === "implicit" ? await realServer({ secure: true }) : server
      const attempt = await poolTo(secure.port, { tls }).send(mail)
      expect(attempt).toMatchObject({ outcome: "region_fault", phase: tls === "required" ? "starttls" : "connect" })
    }
    expect(server.received).toEqual([])
  })

  it("opportunistic encryption takes any certificate, and goes without where there is none", async () => {
    const server = await realServer()
    expect(await poolTo(server.port, { tls: "opportunistic" }).send(mail)).toMatchObject({
      outcome: "accepted",
      tls: expect.stringContaining("TLS"),
    })
    const plain = await realServer({ disabledCommands: ["STARTTLS"] })
    const attempt = await poolTo(plain.port, { tls: "opportunistic" }).send(mail)
    expect(attempt.outcome).toBe("accepted")
    expect(attempt.tls).toBeUndefined()
  })

  it("a required STARTTLS that is not offered is the region's fault", async () => {
    const plain = await realServer({ disabledCommands: ["STARTTLS"] })
    expect(await poolTo(plain.port, { tls: "required" }).send(mail)).toMatchObject({
      outcome: "region_fault",
      phase: "starttls",
    })
    expect(plain.received).toEqual([])
  })

  it("credentials go in plaintext to loopback where TLS is turned off, and never elsewhere", async () => {
    const server = await realServer({ allowInsecureAuth: true, disabledCommands: ["STARTTLS"] })
    const credentials = { user: "ada", password: "geheim" }
    expect(await poolTo(server.port, { tls: "none", ...credentials }).send(mail)).toMatchObject({ outcome: "accepted" })
    expect(await poolTo(server.port, { tls: "opportunistic", ...credentials }).send(mail)).toMatchObject({
      outcome: "region_fault",
      phase: "auth",
    })
  })
})
