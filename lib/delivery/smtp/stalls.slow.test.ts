import { once } from "node:events"
import { createServer, type AddressInfo, type Socket } from "node:net"
import { afterEach, expect, it, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { createSmtpPool, type SmtpPoolOptions } from "@/lib/delivery/smtp/client"

// A mail that waits in the queue of a pool is woken by whatever it waits for: nobody else sends meanwhile.

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Each connection is answered by the function of its number; the last one serves all further ones. */
async function serverOf(...answers: ((socket: Socket) => void)[]) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    socket.on("error", () => {})
    sockets.push(socket)
    answers[Math.min(sockets.length, answers.length) - 1]?.(socket)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  closers.push(() => {
    sockets.forEach((socket) => socket.destroy())
    return new Promise((resolve) => server.close(resolve))
  })
  const opened = (count: number) => vi.waitFor(() => expect(sockets.length).toBe(count), { interval: 5 })
  return { port: (server.address() as AddressInfo).port, sockets, opened }
}

const silent = () => {}
const hangsUp = (socket: Socket) => void socket.destroy()

/** Greets and takes mail; of a message it takes the end only where `ends`. */
const serves =
  ({ ends = true } = {}) =>
  (socket: Socket) => {
    socket.write("220 mx\r\n")
    let inData = false
    socket.on("data", (chunk) => {
      for (const line of chunk.toString("latin1").split("\r\n").filter(Boolean)) {
        if (inData && line !== ".") continue
        if (inData && !ends) continue
        socket.write(line === "DATA" ? "354 go\r\n" : "250 ok\r\n")
        inData = line === "DATA"
      }
    })
  }

function poolTo(port: number, maxConnections: number, options: Partial<SmtpPoolOptions> = {}) {
  return createSmtpPool(
    { host: "127.0.0.1", port, tls: "none", maxConnections },
    { ehloName: "mta.mailroom.test", ...options },
  )
}

const mailTo = (to: string) => ({
  from: "verp@send.acme.test",
  to,
  message: Buffer.from("Subject: a\r\n\r\nhello\r\n"),
})

it("a mail that a relay refuses during a probe is tried again when the probe fails", async () => {
  const { port, sockets, opened } = await serverOf(silent, hangsUp)
  const pool = poolTo(port, 2)
  const probe = pool.probe(new AbortController().signal)
  await opened(1)
  const sending = pool.send(mailTo("zoe@b.test"))
  await opened(2)
  // Until the mail is back in the queue.
  await new Promise((resolve) => setTimeout(resolve, 100))
  sockets[0]?.end("421 4.3.2 no\r\n")
  expect(await probe).toMatchObject({ outcome: "region_fault" })
  expect(await sending).toMatchObject({ outcome: "region_fault", phase: "greeting" })
  await pool.close()
})

it("a mail that a relay refuses during a probe goes over the connection of the probe that succeeds", async () => {
  const { port, sockets, opened } = await serverOf(silent, hangsUp)
  const pool = poolTo(port, 2)
  const probe = pool.probe(new AbortController().signal)
  await opened(1)
  const sending = pool.send(mailTo("zoe@b.test"))
  await opened(2)
  await new Promise((resolve) => setTimeout(resolve, 100))
  serves()(sockets[0] as Socket)
  expect(await probe).toBeUndefined()
  expect(await sending).toMatchObject({ outcome: "accepted" })
  await pool.close()
})

it(
  "a mail that waits because the relay takes no second connection does not wait for a first that has gone silent",
  { ...measured, timeout: 30_000 },
  async () => {
    const { port, opened } = await serverOf(serves({ ends: false }), hangsUp, serves())
    const pool = poolTo(port, 2, { finalTimeoutMs: 9_000 })
    const stuck = pool.send(mailTo("ann@b.test"))
    await opened(1)
    const startedAt = performance.now()
    expect(await pool.send(mailTo("zoe@b.test"))).toMatchObject({ outcome: "accepted" })
    expect(performance.now() - startedAt).toBeLessThan(8_500)
    expect(await stuck).toMatchObject({ outcome: "ambiguous" })
    await pool.close()
  },
)

it(
  "a mail in the queue is given back when its lease is lost while the relay is silent",
  { ...measured, timeout: 20_000 },
  async () => {
    const { port, opened } = await serverOf(serves({ ends: false }))
    const pool = poolTo(port, 1, { finalTimeoutMs: 4_000, slowMs: 60_000 })
    const stuck = pool.send(mailTo("ann@b.test"))
    await opened(1)
    const lease = new AbortController()
    const waiting = pool.send({ ...mailTo("zoe@b.test"), signal: lease.signal })
    lease.abort()
    const startedAt = performance.now()
    expect(await waiting).toMatchObject({ outcome: "deferred", phase: "connect", text: "stopped" })
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    await stuck
    await pool.close()
  },
)
