import type { Socket } from "node:net"
import { afterEach, expect, it, vi } from "vitest"
import { createSmtpPool, type SmtpPoolOptions } from "@/lib/delivery/smtp/client"
import type { SharedConnections } from "@/lib/delivery/smtp/connection-limit"
import { faultServer, type Faults } from "@/e2e/support/delivery/fault-server"

// Commands of the next mail that leave in one packet with the final dot of the one before (RFC 2920).

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function against(faults: Faults, maxConnections = 1, options: Partial<SmtpPoolOptions> = {}) {
  const server = await faultServer(faults)
  const target = { host: "127.0.0.1", port: server.port, tls: "none", maxConnections } as const
  const pool = createSmtpPool(target, { ehloName: "mta.mailroom.test", ...options })
  closers.push(server.close, pool.close)
  return { server, pool }
}

const mailTo = (n: number) => ({
  from: "verp@send.acme.test",
  to: `u${n}@b.test`,
  message: Buffer.from(`Subject: ${n}\r\n\r\nhello ${n}\r\n`),
})
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

it("a mail's commands come with the dot before it, and each transaction keeps its own transcript", async () => {
  const packets: string[] = []
  const { server, pool } = await against({
    EHLO: (socket) => {
      socket.on("data", (chunk: Buffer) => packets.push(chunk.toString()))
      return "250-fault.test\r\n250 PIPELINING"
    },
    DOT: (_, count) => `250 2.0.0 queued as Q${count}`,
  })
  const attempts = await Promise.all(upTo(4).map((n) => pool.send(mailTo(n))))
  expect(server.messages).toEqual(upTo(4).map((n) => `Subject: ${n}\r\n\r\nhello ${n}\r\n`))
  expect(packets.filter((packet) => /\.\r\nMAIL FROM.*\r\nRCPT TO.*\r\nDATA\r\n$/s.test(packet))).toHaveLength(2)
  attempts.slice(1).forEach(({ conversation, outcome, startedAt, endedAt }, at) => {
    expect(outcome).toBe("accepted")
    expect(conversation).toEqual([
      "C: MAIL FROM:<verp@send.acme.test>",
      `C: RCPT TO:<u${at + 2}@b.test>`,
      "C: DATA",
      "S: 250 2.0.0 ok",
      "S: 250 2.0.0 ok",
      "S: 354 go on",
      `S: 250 2.0.0 queued as Q${at + 2}`,
    ])
    expect(endedAt.getTime()).toBeGreaterThanOrEqual(startedAt.getTime())
  })
  expect(server.connections()).toBe(1)
})

it("a refused message or recipient leaves the next one, said already, in step", async () => {
  const { server, pool } = await against({
    RCPT: (_, count) => (count === 4 ? "550 5.1.1 no such user" : "250 ok"),
    DATA: (_, count) => (count === 4 ? "503 no recipient" : "354 go on"),
    DOT: (_, count) => (count === 3 ? "452 4.3.1 full" : "250 ok"),
  })
  const attempts = await Promise.all(upTo(6).map((n) => pool.send(mailTo(n))))
  expect(attempts.map(({ outcome, phase }) => `${outcome} ${phase}`)).toEqual([
    "accepted final",
    "accepted final",
    "deferred final",
    "refused rcpt",
    "accepted final",
    "accepted final",
  ])
  expect(server.messages).toHaveLength(5)
  expect(server.connections()).toBe(1)
})

it.each<[string, (socket: Socket) => string | void, string]>([
  ["hangs up without a word", (socket) => void socket.destroy(), "ambiguous"],
  ["answers and hangs up", (socket) => void socket.end("250 ok\r\n"), "accepted"],
  ["says 421", (socket) => void socket.end("421 4.3.2 closing\r\n"), "deferred"],
])("a server that %s at the dot harms that mail alone: the next goes over a new connection", async (_, act, third) => {
  const { server, pool } = await against({ DOT: (socket, count) => (count === 3 ? act(socket) : "250 ok") })
  const attempts = await Promise.all(upTo(6).map((n) => pool.send(mailTo(n))))
  expect(attempts.map(({ outcome }) => outcome)).toEqual([
    "accepted",
    "accepted",
    third,
    "accepted",
    "accepted",
    "accepted",
  ])
  expect(server.messages).toHaveLength(6)
  expect(server.connections()).toBe(2)
  expect(attempts[3]?.conversation[0]).toMatch(/^S: 220/)
})

it("a server that closes after every mail still takes each one once", async () => {
  const { server, pool } = await against(
    { DOT: (socket, count) => (count % 2 ? "250 ok" : void socket.end("250 ok\r\n")) },
    2,
  )
  const attempts = await Promise.all(upTo(20).map((n) => pool.send(mailTo(n))))
  expect(new Set(attempts.map(({ outcome }) => outcome))).toEqual(new Set(["accepted"]))
  expect(server.messages.toSorted()).toEqual(
    upTo(20)
      .map((n) => `Subject: ${n}\r\n\r\nhello ${n}\r\n`)
      .toSorted(),
  )
})

it("a mail behind a dot that stays unanswered goes another way", async () => {
  // By its subject, as over two connections another dot may come before it.
  const isThird = () => server.messages.at(-1)?.startsWith("Subject: 3\r\n")
  const { server, pool } = await against({ DOT: () => (isThird() ? "" : "250 ok") }, 2, {
    slowMs: 200,
    finalTimeoutMs: 2_000,
  })
  const first = await Promise.all([pool.send(mailTo(1)), pool.send(mailTo(2))])
  const stuck = pool.send(mailTo(3))
  const others = await Promise.all([4, 5, 6, 7].map((n) => pool.send(mailTo(n))))
  expect([...first, ...others].map(({ outcome }) => outcome)).toEqual(Array(6).fill("accepted"))
  expect(await stuck).toMatchObject({ outcome: "ambiguous" })
  expect(server.messages.toSorted()).toEqual(upTo(7).map((n) => `Subject: ${n}\r\n\r\nhello ${n}\r\n`))
})

it("a stopped mail ends the connection, and the one said behind it goes over another", async () => {
  let dots = 0
  const { server, pool } = await against({ DOT: () => (++dots === 3 ? "" : "250 ok") })
  const stop = new AbortController()
  const sent = [1, 2].map((n) => pool.send(mailTo(n)))
  const stopped = pool.send({ ...mailTo(3), signal: stop.signal })
  const last = pool.send(mailTo(4))
  await Promise.all(sent)
  await expect.poll(() => dots).toBe(3)
  stop.abort()
  expect(await stopped).toMatchObject({ outcome: "ambiguous", phase: "final" })
  expect(await last).toMatchObject({ outcome: "accepted" })
  expect(server.messages).toHaveLength(4)
})

it("nothing is said ahead to a server that offers no pipelining", async () => {
  const { server, pool } = await against({ EHLO: "250 fault.test" })
  await Promise.all(upTo(3).map((n) => pool.send(mailTo(n))))
  expect(server.messages).toHaveLength(3)
})

it("an envelope that is none is refused to its sender, and the others leave", async () => {
  const { pool } = await against({})
  const all = [mailTo(1), mailTo(2), { ...mailTo(3), to: "a b@b.test" }, mailTo(4)].map((mail) => pool.send(mail))
  await expect(all[2]).rejects.toThrow(TypeError)
  expect((await Promise.all([all[0], all[1], all[3]])).map((attempt) => attempt?.outcome)).toEqual(
    Array(3).fill("accepted"),
  )
})

it("a mail that is another worker's by the time its body is due gets none, and nobody else is harmed", async () => {
  let held = true
  const { server, pool } = await against({ DOT: (_, count) => ((held = count < 2), "250 ok") })
  const first = await pool.send(mailTo(1))
  const [second, third, fourth] = await Promise.all([
    pool.send(mailTo(2)),
    pool.send({ ...mailTo(3), isHeld: () => held }),
    pool.send(mailTo(4)),
  ])
  expect([first, second, third, fourth].map((attempt) => attempt?.outcome)).toEqual([
    "accepted",
    "accepted",
    "deferred",
    "accepted",
  ])
  expect(server.messages).toEqual([1, 2, 4].map((n) => `Subject: ${n}\r\n\r\nhello ${n}\r\n`))
})

it("of connections that are shared, one more is opened only where two mails wait for each, or one has waited for a second", async () => {
  const held: (() => void)[] = []
  const shared = sharedConnections()
  const { server, pool } = await against(
    {
      EHLO: () => "250-fault.test\r\n250 PIPELINING",
      DOT: (socket) => void held.push(() => socket.write("250 ok\r\n")),
    },
    20,
    { shared },
  )
  const all = upTo(4).map((n) => pool.send(mailTo(n)))
  await vi.waitFor(() => expect(held).toHaveLength(2))
  expect(server.connections(), "for four mails, each of two carrying one and the next").toBe(2)
  all.push(pool.send(mailTo(5)))
  await vi.waitFor(() => expect(server.connections(), "the fifth found no free one in a second").toBe(3), 5_000)
  const answering = setInterval(() => held.splice(0).forEach((answer) => answer()), 10)
  expect((await Promise.all(all)).map(({ outcome }) => outcome)).toEqual(upTo(5).map(() => "accepted"))
  clearInterval(answering)
})

function sharedConnections(): SharedConnections {
  let inUse = 0
  return {
    ...{ key: "shared", leave: () => void (inUse -= 1), inUse: () => inUse, isOver: () => false, opened() {} },
    ...{ refused() {}, isWorn: () => false, mailsMax: () => 100 },
    enter: () => ++inUse > 0,
  }
}
