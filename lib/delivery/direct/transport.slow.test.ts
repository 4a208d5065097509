import { createServer, type AddressInfo, type Server } from "node:net"
import { networkInterfaces } from "node:os"
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startDnsServer, type TestDnsServer } from "@/e2e/support/platform/dns-server"
import { createDirectTransport, type DirectOptions } from "@/lib/delivery/direct/transport"

let dns: TestDnsServer
/** Listens on every address of this machine. */
let listener: Server
let connections = 0

beforeAll(async () => {
  dns = await startDnsServer()
  listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, "::")
  await once(listener, "listening")
})

afterAll(async () => {
  await dns.close()
  listener.close()
})

describe("G35: an address that is not another machine's on the internet", () => {
  const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])

  it.each([
    ...["0.0.0.0", "127.0.0.1", "127.1.2.3", "10.0.0.1", "10.255.255.254", "100.64.0.1", "169.254.169.254"],
    ...["172.16.0.1", "172.31.255.254", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1"],
    ...["198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1"],
    ...["fe80::1", "fc00::1", "fd00::1", "fec0::1", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::"],
    ...["2002:a00:1::", "3fff::1", "100::1", "5f00::1"],
    ...own,
  ])("is never dialled: %s", async (address) => {
    const before = connections
    dns.answer("inside.example", "MX", [{ preference: 10, exchange: "mx.inside.example" }])
    dns.answer("mx.inside.example", "A", address.includes(":") ? [] : [address])
    dns.answer("mx.inside.example", "AAAA", address.includes(":") ? [address] : [])
    const transport = direct({ port: (listener.address() as AddressInfo).port, ipv6: () => true })
    expect(await send(transport, "ada@inside.example")).toMatchObject({
      outcome: "refused",
      enhanced: "5.4.4",
      route: "exists",
      text: expect.stringContaining("points to a private address"),
    })
    await transport.close()
    expect(connections).toBe(before)
  })
})

it("G35: an address that was judged is dialled, whatever the name leads to a moment later", async () => {
  const before = connections
  dns.answer("flip.example", "MX", [{ preference: 10, exchange: "mx.flip.example" }])
  dns.answer("mx.flip.example", "A", ["127.9.9.9"])
  const network = { address: "127.9.0.0", prefix: 16 }
  const transport = direct({ port: (listener.address() as AddressInfo).port, networks: [network] })
  const sending = send(transport, "ada@flip.example")
  dns.answer("mx.flip.example", "A", ["127.0.0.1"])
  const { remote } = await sending
  expect(remote).toMatch(/^mx\.flip\.example 127\.9\.9\.9:|^flip\.example$/)
  await transport.close()
  expect(connections - before).toBeLessThanOrEqual(1)
})

it("T101: a loop of aliases and an answer of 1,300 hosts end an attempt soon, without a bounce for what may be repaired", async () => {
  dns.answer("loop.example", "CNAME", ["pool.example"])
  dns.answer("pool.example", "CNAME", ["loop.example"])
  const many = Array.from({ length: 1_300 }, (_, at) => ({ preference: at, exchange: `mx${at}.many.example` }))
  dns.answer("many.example", "MX", many)
  const asked = dns.questions.length
  const transport = direct({})
  expect(await send(transport, "ada@loop.example")).toMatchObject({ outcome: "deferred" })
  expect(await send(transport, "ada@many.example")).toMatchObject({ outcome: "refused", enhanced: "5.4.4" })
  expect(dns.questions.length - asked).toBeLessThan(100)
  await transport.close()
})

describe("a machine without IPv6", () => {
  const networks = [
    { address: "fd00::", prefix: 8 },
    { address: "127.9.0.0", prefix: 16 },
  ]
  const open = () => direct({ ipv6: () => false, networks })

  it.each([
    ["a domain whose mail server has", "six.example", "mx.six.example"],
    ["a domain that has no MX record, but", "bare-six.example", "bare-six.example"],
  ])("lets mail wait for %s an IPv6 address alone, and bounces nothing", async (_, domain, host) => {
    if (host !== domain) dns.answer(domain, "MX", [{ preference: 10, exchange: host }])
    dns.answer(host, "AAAA", ["fd00::25"])
    const transport = open()
    const attempt = await send(transport, `ada@${domain}`)
    await transport.close()
    expect(attempt, "the attempt").toMatchObject({
      outcome: "deferred",
      phase: "connect",
      text: `No mail server of ${domain} has an IPv4 address, and this server has no IPv6 address.`,
    })
    expect(attempt.route, "what is said of the domain").toBeUndefined()
  })

  it("takes the other servers of a domain, and asks for no IPv6 address of those", async () => {
    dns.answer("both.example", "MX", [
      { preference: 10, exchange: "six.both.example" },
      { preference: 20, exchange: "four.both.example" },
    ])
    dns.answer("six.both.example", "AAAA", ["fd00::25"])
    dns.answer("four.both.example", "A", ["127.9.9.9"])
    const asked = dns.questions.length
    const transport = open()
    const { remote } = await send(transport, "ada@both.example", { isTlsReport: true })
    await transport.close()
    expect(remote, "the server that was tried").toBe("four.both.example 127.9.9.9:1")
    expect(dns.questions.slice(asked).filter((question) => question.includes("four.both.example"))).toEqual([
      "A four.both.example",
    ])
  })
})

describe("resolvers that do not answer", () => {
  it("are the domain's fault at first, and then ours: a probe finds out when they answer again", async () => {
    const gone = await startDnsServer()
    const { port } = gone
    await gone.close()
    const resolvers = [{ host: "127.0.0.1", port }]
    const patient = direct({ resolvers })
    expect(await send(patient, "ada@silent.example")).toMatchObject({ outcome: "deferred" })
    const transport = direct({ resolvers, silentMs: 0 })
    const text = `The DNS resolver 127.0.0.1:${port} does not answer.`
    expect(await send(transport, "ada@silent.example")).toMatchObject({ outcome: "region_fault", text })
    const { signal } = new AbortController()
    expect(await transport.probe(signal)).toMatchObject({ outcome: "region_fault", text })
    await Promise.all([patient.close(), transport.close()])

    const healthy = direct({ resolvers: [dns], silentMs: 0 })
    expect(await healthy.probe(signal)).toBeUndefined()
    await healthy.close()
  })
})

function direct(options: Partial<DirectOptions>) {
  return createDirectTransport({
    resolvers: [dns],
    trusted: false,
    networks: [],
    port: 1,
    policyPort: 443,
    ehloName: "out.mailroom.test",
    maxConnections: 5,
    serviceDomain: "mailroom.test",
    ...options,
  })
}

/** A report about TLS, for which nobody looks up a policy, needs no database. */
function send(transport: ReturnType<typeof direct>, to: string, report: { isTlsReport?: true } = {}) {
  const message = Buffer.from("Subject: x\r\n\r\nx\r\n")
  return transport.send({ from: "bounce@sender.example", to, message, ...report })
}
