import { once } from "node:events"
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http"
import { connect, type AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createWebServer } from "@/lib/server/web/web-server"

// Responses of the web server itself, from neither the API nor a page.

type Handle = (response: ServerResponse) => unknown

const done: Handle = (response) => response.end("done")
let handle = done
const web = createWebServer({ trustedProxyHops: 0, handle: (_, response) => handle(response) })
let port = 0

beforeAll(async () => {
  web.server.listen(0, "127.0.0.1")
  await once(web.server, "listening")
  port = (web.server.address() as AddressInfo).port
})
afterAll(() => web.drain(0))

const pageHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
}

describe("an answer outside the API", () => {
  it.each([200, 302, 404, 500])("of %i has the headers of a page unless it sets its own", async (status) => {
    handle = (response) => response.writeHead(status, { "Content-Type": "text/plain" }).end("x")
    expect(await ask("/_next/static/nothing.js")).toMatchObject({ status, headers: pageHeaders })
    handle = (response) => Object.assign(response, { statusCode: status }).end()
    expect(await ask("/nothing")).toMatchObject({ status, headers: pageHeaders })
  })

  it("keeps its own policy and the headers beside it", async () => {
    const own = { "Content-Security-Policy": "sandbox", "Cross-Origin-Resource-Policy": "cross-origin" }
    const ways: Handle[] = [
      (response) => response.writeHead(200, own).end(),
      (response) => response.setHeaders(new Headers(own)).end(),
    ]
    for (const way of ways) {
      handle = way
      const { headers } = await ask("/files/x")
      expect(headers).toMatchObject({
        "content-security-policy": "sandbox",
        "cross-origin-resource-policy": "cross-origin",
      })
      expect(headers).not.toHaveProperty("x-frame-options")
    }
  })

  it("is a problem with those headers where its handler throws, at once or later, and is cut off where it has begun", async () => {
    const failures: Handle[] = [
      () => {
        throw new Error("at once")
      },
      () => Promise.reject(new Error("later")),
    ]
    for (const failure of failures) {
      handle = failure
      const { status, headers, body } = await ask("/anything")
      expect({ status, headers, code: JSON.parse(body).code }).toMatchObject({
        status: 500,
        headers: pageHeaders,
        code: "service.internal_error",
      })
    }
    handle = (response) => {
      response.writeHead(200).write("begun")
      throw new Error("in the middle")
    }
    await expect(ask("/anything")).rejects.toThrow(/aborted|hang up|reset/)
  })

  it("has them also where the request line alone is refused, or none was understood", async () => {
    expect(await ask("/%E0%A4%A")).toMatchObject({ status: 404, headers: pageHeaders })
    for (const bytes of ["CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", "HACK / HTTP/1.1\r\n\r\n", "nonsense\r\n\r\n"]) {
      const socket = connect(port, "127.0.0.1")
      socket.write(bytes)
      const received = (await text(socket)).toLowerCase()
      for (const name of Object.keys(pageHeaders)) expect(received.includes(`\r\n${name}: `), bytes).toBe(true)
    }
  })
})

it("whatever bytes arrive and however the client disconnects, every response is bounded and the server continues", async () => {
  handle = done
  const line = fc.constantFrom(
    "GET /",
    "GET /v1/emails",
    "POST //",
    "GET /%",
    "HEAD http://x/v1",
    "CONNECT x:1",
    "TRACE /a?b=",
    `GET /${"x".repeat(20_000)}`,
    "é",
    "",
  )
  const headers = [
    "Host: x",
    "Upgrade: websocket\r\nConnection: Upgrade",
    "Content-Length: 5",
    "Content-Length: -1",
    "Transfer-Encoding: chunked",
    "Expect: 100-continue",
    "x-client-ip: \u00e9",
    `X: ${"x".repeat(17_000)}`,
    ": ",
    "\0",
  ]
  const ends = fc.constantFrom(
    "\r\n\r\n",
    "\r\n",
    "\r\n\r\nhello",
    "\r\n\r\nzz\r\n",
    "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
  )
  const ways = fc.constantFrom("reset", "end", "destroy")
  await fc.assert(
    fc.asyncProperty(line, fc.subarray(headers), ends, ways, async (first, given, last, way) => {
      const socket = connect(port, "127.0.0.1")
      let bytes = 0
      socket.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("error", () => {})
      const closed = new Promise((resolve) => socket.once("close", resolve))
      socket.write(`${[`${first} HTTP/1.1`, ...given].join("\r\n")}${last}`)
      if (way === "reset") socket.resetAndDestroy()
      else if (way === "end") socket.end()
      else setTimeout(() => socket.destroy(), 10)
      const tooLong = setTimeout(() => socket.destroy(), 100)
      await closed
      clearTimeout(tooLong)
      expect(bytes).toBeLessThan(64 * 1_024)
    }),
    { numRuns: 200 },
  )
  expect((await ask("/")).status).toBe(200)
})

it("a CONNECT or upgrade whose sender resets leaves the process alive", async () => {
  for (const bytes of [
    "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  ]) {
    for (let turn = 0; turn < 20; turn++) {
      const socket = connect(port, "127.0.0.1").on("error", () => {})
      await once(socket, "connect")
      socket.write(bytes)
      socket.write("x".repeat(100_000))
      socket.resetAndDestroy()
    }
  }
  expect((await ask("/")).status).toBe(200)
})

async function ask(path: string): Promise<{ status?: number; headers: IncomingMessage["headers"]; body: string }> {
  const request = httpRequest({ host: "127.0.0.1", port, path, agent: false }).end()
  const [response] = (await once(request, "response")) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}
