import { once } from "node:events"
import { request as httpRequest, type IncomingMessage } from "node:http"
import { connect, type AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createWebServer, type WebServer } from "./web-server"

type Seen = { method?: string; url?: string; headers: IncomingMessage["headers"]; rawHeaders: string[] }
let web: WebServer
let port = 0
let seen: Seen[] = []

beforeEach(() => start(0))
afterEach(() => web.drain(0))

describe("what no route handler sees is answered as a problem", () => {
  it.each(["/v1", "/v1/", "/v1/emails/", "//v1/emails", "/v1//emails", "/v1/../v1/emails", "/x/../v1/emails", "/v1\\emails", "/v1/%E0%A4%A"])(
    "%s is an unknown path",
    async (path) => {
      const answer = await ask("GET", path)
      expect(answer.status).toBe(404)
      expect(answer.headers).toMatchObject({ "content-type": "application/problem+json", "cache-control": "no-store" })
      expect(answer.problem).toMatchObject({ status: 404, code: "request.not_found", requestId: answer.headers["x-request-id"] })
      expect(answer.problem.type).toMatch(/^https?:.*\/problems\/request\.not_found$/)
      expect(answer.problem.instance).toMatch(/^urn:uuid:/)
      expect(seen).toEqual([])
    },
  )

  it("asks a path under /v1 for its own Allow when the method is none that it could take", async () => {
    await ask("TRACE", "/v1/emails")
    await ask("PROPFIND", "/v1/emails")
    expect(seen.map(({ method }) => method)).toEqual(["OPTIONS", "OPTIONS"])
  })

  it("refuses such methods itself elsewhere", async () => {
    expect(await ask("TRACE", "/")).toMatchObject({ status: 405, headers: { allow: expect.stringContaining("GET") } })
  })

  it.each([
    ["a method that nobody knows", "HACK /v1/emails HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    ["CONNECT", "CONNECT v1:80 HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    ["nonsense", "GET /v1/emails HTTP/9.9\r\n\r\n", 400],
    ["two bodies' lengths", "POST /v1/emails HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc", 400],
    ["headers over 16 KiB", `GET /v1/emails HTTP/1.1\r\nHost: x\r\nX-Long: ${"a".repeat(17_000)}\r\n\r\n`, 431],
  ])("%s", async (_, bytes, status) => {
    const answer = await raw(bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toContain("application/problem+json")
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))).status).toBe(status)
  })

  it("answers HEAD without a body", async () => {
    expect((await ask("HEAD", "/v1/")).body).toBe("")
  })
})

describe("headers", () => {
  it("never lets a caller speak as Next to itself or name its own address", async () => {
    await ask("GET", "/v1/emails", { "x-middleware-subrequest": "middleware", "X-Client-IP": "6.6.6.6", "x-forwarded-for": "6.6.6.6" })
    const [request] = seen
    expect(request?.headers).not.toHaveProperty("x-middleware-subrequest")
    expect(request?.headers).not.toHaveProperty("x-forwarded-for")
    expect(request?.headers["x-client-ip"]).toBe("127.0.0.1")
    expect(request?.rawHeaders.join()).not.toMatch(/6\.6\.6\.6|subrequest/)
  })

  it("takes the address from as many proxies as we trust and no further", async () => {
    await web.drain(0)
    await start(1)
    await ask("GET", "/v1/emails", { "x-forwarded-for": "6.6.6.6, 203.0.113.9" })
    expect(seen.at(-1)?.headers["x-client-ip"]).toBe("203.0.113.9")
  })
})

it("drains: the answer under way is finished, a stream is ended, a new connection is refused", async () => {
  const slow = ask("GET", "/slow")
  const stream = await open("/stream")
  await expect.poll(() => seen.length).toBe(2)
  const ended = new Promise((resolve) => stream.on("error", resolve).on("close", resolve))
  const drained = web.drain(5_000)
  await ended
  release()
  expect((await slow).body).toBe("done")
  await drained
  await expect(ask("GET", "/v1/emails")).rejects.toThrow(/ECONNREFUSED/)
})

let release: () => void = () => undefined

async function start(trustedProxyHops: number) {
  seen = []
  web = createWebServer({
    trustedProxyHops,
    async handle(request, response) {
      seen.push({ method: request.method, url: request.url, headers: request.headers, rawHeaders: request.rawHeaders })
      if (request.url === "/stream") {
        response.setHeader("Content-Type", "text/event-stream")
        response.write(": open\n\n")
        return
      }
      if (request.url === "/slow") await new Promise<void>((resolve) => (release = resolve))
      response.end("done")
    },
  })
  web.server.listen(0, "127.0.0.1")
  await once(web.server, "listening")
  port = (web.server.address() as AddressInfo).port
}

async function ask(method: string, path: string, headers: Record<string, string> = {}) {
  const response = await open(path, method, headers)
  const body = await text(response)
  const problem = body.startsWith("{") ? JSON.parse(body) : {}
  return { status: response.statusCode, headers: response.headers, body, problem }
}

function open(path: string, method = "GET", headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false }, resolve)
    request.on("error", reject)
    request.end()
  })
}

async function raw(bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1")
  socket.write(bytes)
  return text(socket)
}
