import { createSocket, type Socket } from "node:dgram"
import { once } from "node:events"
import { AUTHENTIC_DATA, decode, encode, type Packet } from "dns-packet"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { measured } from "@/e2e/support/measured"
import { startDnsServer, type TestDnsServer } from "@/e2e/support/platform/dns-server"
import { createStub } from "@/lib/platform/dns/stub"

let dns: TestDnsServer

beforeAll(async () => {
  dns = await startDnsServer()
})

afterAll(() => dns.close())

const sockets: Socket[] = []
afterEach(() => {
  dns.forgetAll()
  for (const socket of sockets.splice(0)) socket.close()
})

describe("the stub resolver", () => {
  it("reads records with their time to live, in lower case", async () => {
    dns.answer("example.org", "MX", [{ preference: 10, exchange: "MX.Example.org" }])
    dns.answer("_25._tcp.mx.example.org", "TLSA", [
      { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from([1, 2, 3]) },
    ])
    expect(await stub().ask("MX", "Example.ORG.")).toEqual({
      kind: "found",
      values: [{ exchange: "mx.example.org", priority: 10 }],
      name: "example.org",
      ttlSeconds: 0,
      secure: false,
    })
    expect(await stub().ask("TLSA", "_25._tcp.mx.example.org")).toMatchObject({
      values: [{ usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from([1, 2, 3]) }],
    })
  })

  it("tells a name that does not exist from one without such records, and a failure from both", async () => {
    dns.answer("here.org", "TXT", ["text"])
    dns.fault("broken.org", "SERVFAIL")
    expect(await stub().ask("A", "nowhere.org")).toMatchObject({ kind: "missing", reason: "no-name" })
    expect(await stub().ask("A", "here.org")).toMatchObject({ kind: "missing", reason: "no-data" })
    expect(await stub().ask("A", "broken.org")).toEqual({ kind: "error", reason: "server-failure" })
  })

  it("follows aliases that the server does not follow, and ends in a loop of them", async () => {
    dns.answer("www.alias.org", "CNAME", ["target.org"])
    dns.answer("target.org", "A", ["192.0.2.1"])
    dns.answer("one.org", "CNAME", ["two.org"])
    dns.answer("two.org", "CNAME", ["one.org"])
    expect(await stub().ask("A", "www.alias.org")).toMatchObject({ values: ["192.0.2.1"], name: "target.org" })
    expect(await stub().ask("A", "one.org")).toEqual({ kind: "error", reason: "alias-loop" })
  })

  it("asks again by TCP for an answer that does not fit into a datagram", async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `${at} ${"x".repeat(200)}`)
    dns.answer("large.org", "TXT", texts)
    const answer = await stub().ask("TXT", "large.org")
    expect(answer.kind === "found" && answer.values.length).toBe(40)
    expect(dns.tcpQuestions).toBeGreaterThan(0)
  })

  it("T101: reads an answer of almost 64 KiB, the most that there can be", async () => {
    const texts = Array.from({ length: 270 }, (_, at) => `${at} ${"x".repeat(205)}`)
    dns.answer("largest.org", "TXT", texts)
    const answer = await stub().ask("TXT", "largest.org")
    expect(answer.kind === "found" && answer.values).toEqual(texts)
  })

  it("T102: ignores answers with another id or to another question, and takes the right one after them", async () => {
    const server = await answering((query, send) => {
      const right = { ...response(query), answers: [{ name: "forged.org", type: "A", data: "192.0.2.9" }] } as Packet
      const wrong = { ...right, answers: [{ name: "forged.org", type: "A", data: "198.51.100.66" }] } as Packet
      send({ ...wrong, id: ((query.id ?? 0) + 1) % 0x10000 })
      send({ ...wrong, questions: [{ type: "A", name: "other.org", class: "IN" }] })
      send({ ...wrong, type: "query" })
      send(right)
    })
    expect(await stub([server]).ask("A", "forged.org")).toMatchObject({ values: ["192.0.2.9"] })
  })

  it("T102: believes the AD bit of a trusted resolver alone", async () => {
    const server = await answering((query, send) =>
      send({
        ...response(query),
        flags: AUTHENTIC_DATA,
        answers: [{ name: "signed.org", type: "A", data: "192.0.2.1", ttl: 60 }],
      } as Packet),
    )
    expect(await stub([server], true).ask("A", "signed.org")).toMatchObject({ secure: true, ttlSeconds: 60 })
    expect(await stub([server], false).ask("A", "signed.org")).toMatchObject({ secure: false })
  })

  it("uses a port and an id of its own for each question", async () => {
    const ports = new Set<number>()
    const ids = new Set<number>()
    const server = await answering((query, send, port) => {
      ports.add(port)
      ids.add(query.id ?? 0)
      send(response(query))
    })
    const asking = stub([server])
    await Promise.all(Array.from({ length: 20 }, (_, at) => asking.ask("A", `n${at}.org`)))
    expect(ports.size).toBe(20)
    expect(ids.size).toBeGreaterThan(18)
  })

  it("asks the next resolver, and says for how long none has answered", async () => {
    dns.answer("there.org", "A", ["192.0.2.1"])
    const nobody = { host: "127.0.0.1", port: 1 }
    expect(await stub([nobody, dns]).ask("A", "there.org")).toMatchObject({ kind: "found" })
    const alone = stub([nobody])
    expect(alone.silentMs()).toBe(0)
    expect(await alone.ask("A", "there.org")).toEqual({ kind: "error", reason: "unreachable" })
    await expect.poll(() => alone.silentMs()).toBeGreaterThan(0)
  })

  it("gives up a silent resolver in time", measured, async () => {
    dns.fault("silent.org", "silence")
    const started = performance.now()
    const answer = await createStub({ resolvers: [dns], trusted: false, timeoutMs: 50, totalMs: 120 }).ask(
      "A",
      "silent.org",
    )
    expect(answer).toEqual({ kind: "error", reason: "timeout" })
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it("says of a name that cannot be asked for that it is malformed", async () => {
    expect(await stub().ask("A", `${"x".repeat(64)}.org`)).toEqual({ kind: "error", reason: "malformed" })
  })
})

function stub(resolvers: { host: string; port: number }[] = [dns], trusted = false) {
  return createStub({ resolvers, trusted })
}

function response(query: Packet): Packet {
  return { type: "response", id: query.id ?? 0, questions: query.questions ?? [] }
}

/** A server of one test that sends what the test wants. */
async function answering(answer: (query: Packet, send: (packet: Packet) => void, port: number) => void) {
  const socket = createSocket("udp4").bind(0, "127.0.0.1")
  sockets.push(socket)
  socket.on("message", (message, from) => {
    answer(decode(message), (packet) => socket.send(encode(packet), from.port, from.address), from.port)
  })
  await once(socket, "listening")
  return { host: "127.0.0.1", port: socket.address().port }
}
