import { once } from "node:events"
import { request as httpRequest, type IncomingMessage } from "node:http"
import { connect, type AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { operations } from "@/lib/api/registry"
import { methodOf, pathOf } from "@/lib/platform/http/endpoint"
import { takesFile, type BodyLimits, createWebServer, type WebServer } from "@/lib/server/web/web-server"
import { provideEnv } from "@/lib/platform/env/env"

type Seen = { method?: string; url?: string; headers: IncomingMessage["headers"]; rawHeaders: string[] }
let web: WebServer
let port = 0
let seen: Seen[] = []

beforeEach(() => start(0))
afterEach(() => web.drain(0))

describe("what no route handler sees is answered as a problem", () => {
  it.each([
    "/v1",
    "/v1/",
    "/v1/emails/",
    "//v1/emails",
    "/v1//emails",
    "/v1/../v1/emails",
    "/x/../v1/emails",
    "/v1\\emails",
    "/v1/%E0%A4%A",
  ])("%s is an unknown path", async (path) => {
    const answer = await ask("GET", path)
    expect(answer.status).toBe(404)
    expect(answer.headers).toMatchObject({ "content-type": "application/problem+json", "cache-control": "no-store" })
    expect(answer.problem).toMatchObject({
      status: 404,
      code: "request.not_found",
      requestId: answer.headers["x-request-id"],
    })
    expect(answer.problem.type).toMatch(/^https?:.*\/problems\/request\.not_found$/)
    expect(answer.problem.instance).toMatch(/^urn:uuid:/)
    expect(seen).toEqual([])
  })

  it.each(["GET *", "OPTIONS *", "POST *", "GET emails"])("%s is an unknown path", async (line) => {
    expect(await raw(`${line} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 40[04] /)
    expect(seen).toEqual([])
  })

  it.each([
    ["POST", "/emails", { "content-type": "application/json" }],
    ["POST", "/sign-in", { "content-type": "multipart/form-data; boundary=x" }],
    ["PUT", "/projects/x", { "content-type": "application/vnd.api+json", accept: "*/*" }],
    ["GET", "/api/emails", { accept: "application/json" }],
    ["GET", "/v2/emails", {}],
    ["GET", "/v1x/../api", {}],
  ])("a program's %s of %s outside the API is an unknown path", async (method, path, headers) => {
    const answer = await ask(method, path, headers)
    expect({ status: answer.status, code: answer.problem.code, seen }).toEqual({
      status: 404,
      code: "request.not_found",
      seen: [],
    })
  })

  it.each([
    ["POST", "/api/auth/callback/x", { "content-type": "application/json" }],
    ["POST", "/sign-in", { "content-type": "application/json", accept: "text/html,*/*" }],
    ["POST", "/u/token", { "content-type": "multipart/form-data; boundary=x" }],
    ["GET", "/sign-in", { accept: "application/json" }],
    ["POST", "/sign-in", { "content-type": "application/x-www-form-urlencoded" }],
  ])("%s of %s goes on to its page", async (method, path, headers) => {
    await ask(method, path, headers)
    expect(seen.map(({ url }) => url)).toEqual([path])
  })

  it("two Host headers are 400, even if they are the same, and nothing that follows them is answered", async () => {
    const first = "PATCH /v1/emails HTTP/1.1\r\nHost: x\r\nhost: x\r\nContent-Length: 2\r\n\r\n{}"
    const answer = await raw(`${first}DELETE /v1/emails HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"])
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(seen).toEqual([])
  })

  it("a range of a page is not passed on", async () => {
    await ask("GET", "/sign-in", { range: "bytes=99999999-", "if-range": "x" })
    expect(seen[0]?.headers).not.toHaveProperty("range")
    expect(seen[0]?.rawHeaders.map((text) => text.toLowerCase())).not.toContain("range")
  })

  it("asks a path under /v1 for its own Allow when the method is none that it could take", async () => {
    await ask("TRACE", "/v1/emails")
    await ask("PROPFIND", "/v1/emails")
    expect(seen.map(({ method }) => method)).toEqual(["OPTIONS", "OPTIONS"])
  })

  it("refuses such methods itself elsewhere", async () => {
    expect(await ask("TRACE", "/")).toMatchObject({ status: 405, headers: { allow: expect.stringContaining("GET") } })
  })

  it.each([
    ["an unknown method", "HACK /v1/emails HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    ["CONNECT", "CONNECT v1:80 HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    ["nonsense", "GET /v1/emails HTTP/9.9\r\n\r\n", 400],
    [
      "two bodies' lengths",
      "POST /v1/emails HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
      400,
    ],
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
    await ask("GET", "/v1/emails", {
      "x-middleware-subrequest": "middleware",
      "X-Client-IP": "6.6.6.6",
      "x-forwarded-for": "6.6.6.6",
    })
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

  it("say that https is to stay on every answer where the service has it, and on none elsewhere", async () => {
    const paths = ["/v1/emails", "/v1//emails", "/u/x", "/t/x", "/files/x", "/sign-in", "/health/ready"]
    const said = () =>
      Promise.all(paths.map(async (path) => (await ask("GET", path)).headers["strict-transport-security"]))
    expect(await said()).toEqual(paths.map(() => undefined))
    const before = process.env.BASE_URL ?? ""
    provideEnv({ BASE_URL: "https://mail.example.com" })
    const found = await said()
    provideEnv({ BASE_URL: before })
    expect(found).toEqual(paths.map(() => expect.stringMatching(/^max-age=31536000/)))
  })

  it("that a proxy adds reach the question of whether a host may have a certificate, whoever is trusted", async () => {
    await ask("GET", "/internal/tls-allowed?domain=x.example", { "x-forwarded-for": "203.0.113.1" })
    expect(seen.at(-1)?.headers).toHaveProperty("x-forwarded-for", "203.0.113.1")
  })
})

describe("a body", () => {
  const limits = { wholeMs: 300, uploadMs: 60_000, silentMs: 300, answeredMs: 300, headersMs: 15_000 }
  const file = "POST /v1/projects/proj_1/contacts/import?mode=upsert"
  const picture = "POST /v1/projects/proj_1/contacts/con_1/image"

  it.each([file, picture])("of %s may come slowly for as long as it comes", async (line) => {
    await startWith(limits)
    const began = performance.now()
    expect(await send(line, { everyMs: 60, pieces: 20 })).toMatch(/^HTTP\/1\.1 200 [^]*20 bytes$/)
    expect(performance.now() - began).toBeGreaterThan(3 * limits.wholeMs)
  })

  it("of such a route is cut with 408 once it falls silent, and after an hour (shortened here)", async () => {
    await startWith(limits)
    expect(await send(file, { everyMs: 60, pieces: 3, silent: true })).toMatch(late)
    await startWith({ ...limits, uploadMs: 600 })
    expect(await send(file, { everyMs: 60, pieces: 100 })).toMatch(late)
  })

  it.each([
    "POST /v1/emails",
    "POST /u/token",
    "POST /api/auth/callback/password",
    "PUT /v1/projects/proj_1/contacts/con_1/image",
    "POST /",
  ])("of %s is cut with 408 in time, however steadily it comes", async (line) => {
    await startWith(limits)
    expect(await send(line, { everyMs: 60, pieces: 100 })).toMatch(late)
  })

  it("that continues after its response ends with the connection, on the routes that take files too", async () => {
    await startWith({ ...limits, wholeMs: 60_000 })
    for (const line of ["POST /early", "POST /given-up?early", file.replace("?mode=upsert", "?early")]) {
      expect(await send(line, { everyMs: 60, pieces: 500, connection: "keep-alive" })).toMatch(/early$/)
    }
  })

  it("that has come leaves its handler all the time it takes", async () => {
    await startWith(limits)
    expect(await send("POST /late", { everyMs: 1, pieces: 3 })).toMatch(/late$/)
  })

  it("keeps the connection for the next request", async () => {
    await startWith(limits)
    const socket = connect(port, "127.0.0.1")
    const one = "POST /v1/emails HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
    socket.write(one)
    await once(socket, "data")
    await new Promise((resolve) => setTimeout(resolve, 2 * limits.wholeMs))
    socket.write(one.replace("Host", "Connection: close\r\nHost"))
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it("is not waited for where the headers do not come", async () => {
    await startWith({ ...limits, headersMs: 300 })
    expect(await raw("POST /v1/emails HTTP/1.1\r\nHost: x\r\n")).toMatch(late)
  })

  it("may be a file on exactly the routes that read their body as a stream", () => {
    const paths = Object.values(operations).map((each) => ({
      streamed: each.bodyStream !== undefined,
      method: methodOf(each),
      url: pathOf(each).replace(/\{\w+\}/g, "x"),
    }))
    expect(paths.filter(({ streamed }) => streamed)).toHaveLength(4)
    for (const { streamed, ...line } of paths) expect(takesFile(line), line.url).toEqual(streamed)
  })
})

const late = /^HTTP\/1\.1 408 [^]*request\.timeout/

async function startWith(limits: BodyLimits & { headersMs: number }) {
  await web.drain(0)
  await start(0, limits)
}

type Slow = { everyMs: number; pieces: number; silent?: boolean; connection?: string }

/** Sends a body byte by byte and returns everything that the server sends until it closes. */
async function send(line: string, { everyMs, pieces, silent, connection = "close" }: Slow): Promise<string> {
  const socket = connect(port, "127.0.0.1")
  let received = ""
  socket.on("data", (chunk: Buffer) => (received += chunk.toString())).on("error", () => {})
  socket.write(
    `${line} HTTP/1.1\r\nHost: x\r\nContent-Length: ${silent ? pieces + 1 : pieces}\r\nConnection: ${connection}\r\n\r\n`,
  )
  let left = pieces
  const timer = setInterval(() => (left-- > 0 && socket.writable ? socket.write("x") : clearInterval(timer)), everyMs)
  await new Promise((resolve) => socket.once("close", resolve))
  clearInterval(timer)
  return received
}

it("drains: a running response is finished, a stream is ended, a new connection is refused", async () => {
  const slow = ask("GET", "/slow")
  const stream = await open("/stream")
  await expect.poll(() => seen.length).toBe(2)
  const ended = new Promise((resolve) => stream.on("error", resolve).on("close", resolve))
  const drained = web.drain(5_000)
  await ended
  release()
  expect((await slow).body).toBe("done")
  await drained
  await expectRefused()
})

it("leaves a load balancer before it drains: not ready, but what comes meanwhile is answered, on connections that end", async () => {
  expect((await ask("GET", "/health/ready")).status).toBe(200)
  const drained = web.drain(5_000, 300)
  const ready = await ask("GET", "/health/ready")
  expect(ready.status).toBe(503)
  expect(ready.headers["retry-after"]).toBe("1")
  const answer = await ask("GET", "/v1/emails")
  expect({ status: answer.status, connection: answer.headers.connection }).toEqual({ status: 200, connection: "close" })
  await drained
  await expectRefused()
})

let release: () => void = () => undefined

async function start(trustedProxyHops: number, limits?: BodyLimits & { headersMs: number }) {
  seen = []
  web = createWebServer({
    trustedProxyHops,
    limits,
    async handle(request, response) {
      seen.push({ method: request.method, url: request.url, headers: request.headers, rawHeaders: request.rawHeaders })
      if (request.url === "/stream") {
        response.setHeader("Content-Type", "text/event-stream")
        response.write(": open\n\n")
        return
      }
      if (request.url === "/slow") await new Promise<void>((resolve) => (release = resolve))
      if (request.url?.startsWith("/given-up")) {
        // The state of a request whose body was read as a web stream and given up.
        Object.defineProperty(request, "socket", { value: null })
        return void response.end("early")
      }
      if (request.url?.endsWith("early")) return void response.end("early")
      if (request.method !== "GET") {
        let bytes = 0
        for await (const chunk of request) bytes += (chunk as Buffer).length
        if (request.url === "/late") await new Promise((resolve) => setTimeout(resolve, 1_000))
        return void response.end(request.url === "/late" ? "late" : `${bytes} bytes`)
      }
      response.end("done")
    },
  })
  web.server.listen(0, "127.0.0.1")
  await once(web.server, "listening")
  port = (web.server.address() as AddressInfo).port
}

/** By the time that it is asked, the port may be another test's, whose server resets what it does not know. */
async function expectRefused() {
  const before = seen.length
  await expect(ask("GET", "/v1/emails")).rejects.toThrow(/ECONNREFUSED|ECONNRESET/)
  expect(seen, "requests that reached the server").toHaveLength(before)
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
