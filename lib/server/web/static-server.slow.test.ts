import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { compressStatic } from "@/lib/server/build/next-build"
import { createStaticServer } from "@/lib/server/web/static-server"
import { createWebServer, type WebServer } from "@/lib/server/web/web-server"

// The files of a small build, compressed as the build compresses, over real sockets.

const script = Buffer.from(`console.log("${"a script ".repeat(500)}")`)
const font = Buffer.from([...Array(2_000).keys()].map((n) => (n * 7919) % 256))
const immutable = "public, max-age=31536000, immutable"
const root = mkdtempSync(join(tmpdir(), "mailroom-static-"))
let web: WebServer
let port = 0
let left: string[] = []

beforeAll(async () => {
  put(".next/static/chunks/a1.js", script)
  put(".next/static/chunks/a1.css", "body{color:red}")
  put(".next/static/media/font.b2.woff2", font)
  put(".next/static/chunks/late.map", "no type that is served here")
  put(".next/server/secret.js", "secret")
  put("public/other.js", script)
  await compressStatic(root)
  // After the compression, as of a plain `next build`.
  put(".next/static/chunks/plain.js", script)
  const serveFirst = createStaticServer(root)
  // After the start.
  put(".next/static/chunks/later.js", script)
  web = createWebServer({
    trustedProxyHops: 0,
    serveFirst,
    handle(request, response) {
      left.push(request.url ?? "")
      response.writeHead(404).end("Next")
    },
  })
  web.server.listen(0, "127.0.0.1")
  await once(web.server, "listening")
  port = (web.server.address() as AddressInfo).port
})
afterAll(async () => {
  await web.drain(0)
  rmSync(root, { recursive: true })
})

describe("a file of the build", () => {
  it.each([
    ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0, gzip;q=0.1", "gzip", gunzipSync],
    ["identity", undefined, same],
    [undefined, undefined, same],
  ])("comes byte for byte to a client that accepts %s, as %s", async (accepted, coding, decode) => {
    for (const path of ["/_next/static/chunks/a1.js", "/_next/static/chunks/a1.js?dpl=1"]) {
      const answer = await ask("GET", path, accepted ? { "accept-encoding": accepted } : {})
      expect(answer).toMatchObject({
        status: 200,
        headers: {
          "content-type": "application/javascript; charset=UTF-8",
          "content-length": String(answer.body.length),
          "cache-control": immutable,
          vary: "Accept-Encoding",
        },
      })
      expect(answer.headers["content-encoding"]).toBe(coding)
      expect(decode(answer.body).equals(script)).toBe(true)
    }
  })

  it("has the headers of everything outside the API", async () => {
    const { headers } = await ask("GET", "/_next/static/chunks/a1.css")
    expect(headers).toMatchObject({
      "content-type": "text/css; charset=UTF-8",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
    })
  })

  it("is sent as it is where nothing would shrink", async () => {
    const { headers, body } = await ask("GET", "/_next/static/media/font.b2.woff2", { "accept-encoding": "br, gzip" })
    expect(headers).toMatchObject({ "content-type": "font/woff2", "cache-control": immutable })
    expect(headers).not.toHaveProperty("content-encoding")
    expect(headers).not.toHaveProperty("vary")
    expect(body.equals(font)).toBe(true)
  })

  it("answers HEAD with the same headers and no body", async () => {
    const asked = { "accept-encoding": "br" }
    const [got, head] = [
      await ask("GET", "/_next/static/chunks/a1.js", asked),
      await ask("HEAD", "/_next/static/chunks/a1.js", asked),
    ]
    expect({ ...head.headers, date: "" }).toEqual({ ...got.headers, date: "" })
    expect(head.body).toHaveLength(0)
  })

  it("is not sent again to who has it, coding by coding", async () => {
    const path = "/_next/static/chunks/a1.js"
    const brotli = String((await ask("GET", path, { "accept-encoding": "br" })).headers.etag)
    const plain = String((await ask("GET", path)).headers.etag)
    expect(brotli).not.toBe(plain)
    for (const given of [brotli, `"x", W/${brotli}`, "*"]) {
      const again = await ask("GET", path, { "accept-encoding": "br", "if-none-match": given })
      expect(again).toMatchObject({ status: 304, headers: { etag: brotli, "cache-control": immutable } })
      expect(again.body).toHaveLength(0)
    }
    expect((await ask("GET", path, { "accept-encoding": "br", "if-none-match": plain })).status).toBe(200)
  })
})

describe("is left to Next:", () => {
  it.each([
    ["an unknown file", "/_next/static/chunks/nothing.js"],
    ["a folder", "/_next/static/chunks/"],
    ["a way out of the folder", "/_next/static/../server/secret.js"],
    ["an encoded way out", "/_next/static/%2e%2e/server/secret.js"],
    ["an encoded slash", "/_next/static/..%2fserver%2fsecret.js"],
    ["a backslash", "/_next/static\\chunks\\a1.js"],
    ["the compressed copy by its own name", "/_next/compressed/br/_next/static/chunks/a1.js"],
    ["a file of no known type", "/_next/static/chunks/late.map"],
    ["a file that can change under its name", "/other.js"],
    ["a file that nobody compressed", "/_next/static/chunks/plain.js"],
    ["a file that came later", "/_next/static/chunks/later.js"],
    ["the name of a property", "/_next/static/__proto__"],
  ])("%s", async (_, path) => {
    left = []
    expect(await ask("GET", path)).toMatchObject({ status: 404, body: Buffer.from("Next") })
    expect(left).toEqual([path])
  })

  it("what is no GET or HEAD", async () => {
    const path = "/_next/static/chunks/a1.js"
    left = []
    await ask("POST", path)
    await ask("DELETE", path)
    expect(left).toEqual([path, path])
  })

  it("what is gone since the start", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mailroom-static-"))
    mkdirSync(join(folder, ".next/static"), { recursive: true })
    writeFileSync(join(folder, ".next/static/a.woff2"), font)
    const serve = createStaticServer(folder)
    rmSync(folder, { recursive: true })
    expect(serve({ method: "GET", url: "/_next/static/a.woff2", headers: {} } as never, {} as never)).toBe(false)
  })
})

describe("a range of a script", () => {
  const path = "/_next/static/chunks/a1.js"
  const part = (range: string, more = {}) => ask("GET", path, { range, "accept-encoding": "br, gzip", ...more })

  it.each([
    ["bytes=0-3", 0, 3],
    ["bytes=2-", 2, null],
    ["bytes=-2", -2, null],
    ["bytes=0-99999999", 0, null],
  ])("%s is that part of the file, not compressed", async (range, start, end) => {
    const whole = (await ask("GET", path)).body
    const answer = await part(range)
    const wanted = whole.subarray(start, end === null ? undefined : end + 1)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 206, body: wanted })
    const first = start < 0 ? whole.length + start : start
    expect(answer.headers["content-range"]).toBe(`bytes ${first}-${first + wanted.length - 1}/${whole.length}`)
    expect(answer.headers["content-encoding"]).toBeUndefined()
  })

  it.each(["bytes=99999999-", "bytes=99999999-100000000", "bytes=-0"])("%s is 416", async (range) => {
    const answer = await part(range)
    expect(answer.status).toBe(416)
    expect(answer.headers["content-range"]).toEqual(expect.stringMatching(/^bytes \*\/\d+$/))
  })

  it.each(["bytes=a-b", "bytes=", "bytes=-", "bytes=3-1", "bytes=0-1,3-4", "lines=0-1", "bytes=1e3-"])(
    "%s is answered with the whole file",
    async (range) => {
      expect({ status: (await part(range)).status, body: (await part(range)).body }).toEqual({
        status: 200,
        body: (await ask("GET", path)).body,
      })
    },
  )

  it("of another version than the client has is the whole file", async () => {
    expect((await part("bytes=0-3", { "if-range": '"other"' })).status).toBe(200)
    const { etag } = (await ask("GET", path)).headers
    expect((await part("bytes=0-3", { "if-range": etag })).status).toBe(206)
  })
})

it("without a build there is nothing to serve", () => {
  const serve = createStaticServer(join(root, "nothing"))
  expect(serve({ method: "GET", url: "/_next/static/chunks/a1.js", headers: {} } as never, {} as never)).toBe(false)
})

function put(path: string, content: Buffer | string) {
  const file = join(root, path)
  mkdirSync(join(file, ".."), { recursive: true })
  writeFileSync(file, content)
}

function same(bytes: Buffer): Buffer {
  return bytes
}

async function ask(method: string, path: string, headers: Record<string, string> = {}) {
  const request = httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false })
  request.end()
  const [response] = await once(request, "response")
  return { status: response.statusCode as number, headers: response.headers, body: await buffer(response) }
}
