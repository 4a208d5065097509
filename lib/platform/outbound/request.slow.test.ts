import { createServer } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { createServer as createNetServer, type AddressInfo, type Server } from "node:net"
import { afterEach, describe, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { selfSignedCertificate } from "@/e2e/support/delivery/certificate"
import { createReach } from "@/lib/platform/networks"
import { collectGarbage } from "@/e2e/support/platform/garbage"
import { download, get, post, probe, type Post } from "@/lib/platform/outbound/request"
import { dialable, judgeUrl, type OutboundGuard } from "@/lib/platform/outbound/target"

const open: OutboundGuard = { reach: createReach([]), allowsPrivate: false }
const local: OutboundGuard = { reach: createReach([{ address: "127.0.0.0", prefix: 8 }]), allowsPrivate: true }
/** Takes every text, as if a check had been forgotten. */
const blind: OutboundGuard = { reach: () => "allowed", allowsPrivate: true }

const servers: { close(): unknown }[] = []
afterEach(() => void servers.splice(0).forEach((server) => server.close()))

async function listening(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()))
  return (server.address() as AddressInfo).port
}

async function receiver(answer: Parameters<typeof createServer>[1] = (_, response) => void response.end("thanks")) {
  const seen: string[] = []
  const port = await listening(
    createServer((request, response) => {
      seen.push(request.url ?? "")
      if (typeof answer === "function") answer(request, response)
    }),
  )
  return { port, seen }
}

function send(url: string, change: Partial<Post> = {}) {
  const guard = change.guard ?? local
  const verdict = judgeUrl(url, blind)
  if (!verdict.ok) throw new Error(verdict.reason)
  return post({
    target: verdict,
    guard,
    resolve: async () => ["127.0.0.1"],
    headers: { "content-type": "application/json" },
    body: "{}",
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    ...change,
  })
}

describe("what a name resolves to", () => {
  const at = async (addresses: string[], guard = open, url = "https://example.com/") => {
    const verdict = judgeUrl(url, guard)
    return verdict.ok ? dialable(verdict, guard, async () => addresses) : verdict.reason
  }

  test.each([
    ["a private address", ["127.0.0.1"]],
    ["a public one and IPv6 loopback", ["8.8.8.8", "::1"]],
    ["a public one and the metadata service", ["8.8.8.8", "169.254.169.254"]],
    ["IPv4 in IPv6", ["::ffff:10.0.0.1"]],
    ["IPv4 behind NAT64", ["64:ff9b::7f00:1"]],
    ["nothing", []],
    ["no address at all", ["localhost"]],
  ])("is refused when it is %s", async (_, addresses) => {
    await expect(at(addresses)).rejects.toThrow(/^The host/)
  })

  test("is judged by https or http, too", async () => {
    expect(await at(["8.8.8.8", "2606:4700:4700::1111"])).toEqual(["8.8.8.8", "2606:4700:4700::1111"])
    expect(await at(["127.0.0.1"], local, "http://hooks.example.com/")).toEqual(["127.0.0.1"])
    await expect(at(["8.8.8.8"], local, "http://hooks.example.com/")).rejects.toThrow("https")
    expect(await at([], local, "http://localhost:9000/")).toEqual(["127.0.0.1"])
  })
})

describe("a request", () => {
  test("is not sent when the answer of the name servers has changed since the check", async () => {
    const { port, seen } = await receiver()
    const answers = [["8.8.8.8"], ["127.0.0.1"]]
    const resolve = async () => answers.shift() ?? ["127.0.0.1"]
    const url = `https://rebind.example.com:${port}/`
    const verdict = judgeUrl(url, open)
    expect(verdict.ok && (await dialable(verdict, open, resolve))).toEqual(["8.8.8.8"])
    await expect(send(url, { guard: open, resolve })).rejects.toThrow("127.0.0.1")
    expect(seen).toEqual([])
  })

  test.each(["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"])(
    "is not sent to the address %s, even if the URL was never judged",
    async (host) => {
      const { port, seen } = await receiver()
      await expect(send(`http://${host}:${port}/`, { guard: open })).rejects.toThrow(/resolves|leads/)
      expect(seen).toEqual([])
    },
  )

  test("is refused on the connection itself, when what was judged is not what was dialled", async () => {
    const { port, seen } = await receiver()
    let asked = 0
    const fickle: OutboundGuard = { reach: () => (asked++ === 0 ? "allowed" : "refused"), allowsPrivate: true }
    await expect(send(`http://127.0.0.1:${port}/`, { guard: fickle })).rejects.toThrow("leads to 127.0.0.1")
    expect(seen).toEqual([])
  })

  test("follows no redirect: it is the answer", async () => {
    for (const status of [301, 302, 307, 308]) {
      const { port, seen } = await receiver((_, response) =>
        response.writeHead(status, { location: "http://127.0.0.1/admin" }).end(),
      )
      expect((await send(`http://127.0.0.1:${port}/a`)).status).toBe(status)
      expect(seen).toEqual(["/a"])
    }
  })

  test("ignores proxies of the environment, and every connection is its own", async () => {
    const { port, seen } = await receiver()
    vi.stubEnv("http_proxy", "http://127.0.0.1:1")
    vi.stubEnv("HTTP_PROXY", "http://127.0.0.1:1")
    for (let nth = 0; nth < 3; nth++) expect((await send(`http://hooks.example.com:${port}/`)).status).toBe(200)
    vi.unstubAllEnvs()
    expect(seen).toHaveLength(3)
  })

  test("reads the beginning of an endless answer, and does not wait for a dripping one", measured, async () => {
    const endless = await receiver((_, response) => {
      const write = () =>
        void (response.write("x".repeat(64 * 1024)) ? setImmediate(write) : response.once("drain", write))
      write()
    })
    expect((await send(`http://127.0.0.1:${endless.port}/`)).snippet).toHaveLength(16 * 1024)
    const dripping = await receiver((_, response) => {
      const timer = setInterval(() => response.write("x"), 100)
      response.on("close", () => clearInterval(timer))
    })
    const startedAt = performance.now()
    expect((await send(`http://127.0.0.1:${dripping.port}/`)).status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(4_000)
  })

  test("fails after its time when nothing, or nothing but a part of the headers, arrives, while garbage is collected", async () => {
    const collecting = setInterval(collectGarbage, 50)
    const silent = await listening(createNetServer(() => {}))
    const slow = await listening(
      createNetServer((socket) => void socket.on("error", () => {}).write("HTTP/1.1 200 OK\r\nx: ")),
    )
    for (const port of [silent, slow]) {
      await expect(send(`http://127.0.0.1:${port}/`, { timeoutMs: 300 })).rejects.toThrow()
    }
    await expect(
      send("https://example.com/", { timeoutMs: 300, resolve: () => new Promise(() => {}) }),
    ).rejects.toThrow(/timeout/i)
    clearInterval(collecting)
  })

  test("fails at 100,000 headers, at a stalled TLS handshake and at a certificate that nobody signed", async () => {
    const flood = await listening(
      createNetServer((socket) => {
        socket.on("error", () => {})
        socket.write("HTTP/1.1 200 OK\r\n" + "a: b\r\n".repeat(100_000) + "\r\n")
      }),
    )
    await expect(send(`http://127.0.0.1:${flood}/`)).rejects.toThrow(/header/i)
    const stalled = await listening(createNetServer(() => {}))
    await expect(send(`https://127.0.0.1:${stalled}/`, { timeoutMs: 300 })).rejects.toThrow()
    const unsigned = await listening(createTlsServer(selfSignedCertificate(), (_, response) => void response.end()))
    await expect(send(`https://localhost:${unsigned}/`)).rejects.toThrow(/self.signed/i)
  })

  test("sends exactly the given headers and body", async () => {
    const bodies: string[] = []
    const { port } = await receiver((request, response) => {
      const { host, connection, ...headers } = request.headers
      expect({ host, connection }).toEqual({ host: `hooks.example.com:${port}`, connection: "close" })
      expect(headers).toEqual({ "content-type": "application/json", "content-length": "7" })
      request.on("data", (chunk: Buffer) => bodies.push(chunk.toString()))
      request.on("end", () => response.writeHead(204, { "retry-after": "7" }).end())
    })
    expect(await send(`http://hooks.example.com:${port}/`, { body: '{"a":1}' })).toMatchObject({
      status: 204,
      retryAfter: "7",
    })
    expect(bodies).toEqual(['{"a":1}'])
  })

  test("is aborted by its signal", async () => {
    const port = await listening(createNetServer(() => {}))
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error("the lease is lost")), 50)
    await expect(send(`http://127.0.0.1:${port}/`, { signal: stop.signal })).rejects.toThrow()
  })
})

describe("a request always ends", () => {
  const line = (text: string) => (socket: import("node:net").Socket) =>
    void socket.on("error", () => {}).write(text.replaceAll("\n", "\r\n"))
  const answers: [string, (socket: import("node:net").Socket) => void][] = [
    ["101, and nothing more", line("HTTP/1.1 101 Switching Protocols\nUpgrade: x\nConnection: Upgrade\n\n")],
    ["101 without Upgrade", line("HTTP/1.1 101 Switching Protocols\n\n")],
    ["101 and the end of the connection", (socket) => socket.on("error", () => {}).end("HTTP/1.1 101 X\r\n\r\n")],
    [
      "103 again and again",
      (socket) => {
        const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 20)
        socket.on("error", () => {}).on("close", () => clearInterval(timer))
      },
    ],
    ["nothing", (socket) => void socket.on("error", () => {})],
    ["half a header", line("HTTP/1.1 200 OK\nContent-Ty")],
    ["the end of the connection at once", (socket) => socket.on("error", () => {}).end()],
    ["what is no HTTP", line("220 mail.example.com ESMTP\n")],
    ["a reset", (socket) => socket.on("error", () => {}).resetAndDestroy()],
  ]
  const callers: Record<string, (target: Parameters<typeof post>[0]) => Promise<unknown>> = {
    post,
    get,
    probe: (given) => probe({ ...given, method: "HEAD" }),
    download: (given) => download({ ...given, bytesMax: 1_000 }),
  }

  for (const [name, call] of Object.entries(callers))
    test.each(answers)(`${name} fails within its time when the server answers with %s`, measured, async (_, answer) => {
      const port = await listening(createNetServer(answer))
      const verdict = judgeUrl(`http://127.0.0.1:${port}/`, blind)
      if (!verdict.ok) throw new Error(verdict.reason)
      const startedAt = performance.now()
      const failure = await call({
        ...{ target: verdict, guard: local, resolve: async () => ["127.0.0.1"], headers: {}, body: "{}" },
        ...{ timeoutMs: 400, signal: new AbortController().signal },
      }).catch((error: unknown) => error)
      expect(failure, "the request failed").toBeInstanceOf(Error)
      expect(performance.now() - startedAt, "milliseconds until it failed").toBeLessThan(2_000)
    })

  test("a file ends with the time limit when its body never does", async () => {
    const port = await listening(
      createNetServer((socket) => void socket.on("error", () => {}).write("HTTP/1.1 200 OK\r\n\r\nx")),
    )
    const verdict = judgeUrl(`http://127.0.0.1:${port}/`, blind)
    if (!verdict.ok) throw new Error(verdict.reason)
    await expect(
      download({
        ...{ target: verdict, guard: local, resolve: async () => ["127.0.0.1"], headers: {}, bytesMax: 1_000 },
        ...{ timeoutMs: 300, signal: new AbortController().signal },
      }),
    ).rejects.toThrow()
  })
})
