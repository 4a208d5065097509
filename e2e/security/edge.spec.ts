import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import { connect, type AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { expect, test } from "@playwright/test"
import { admin } from "@/e2e/support/product"

// Attacks that need the real server: bytes on a socket, paths that a framework folds, headers that name who asks.

const baseUrl = () => process.env.E2E_BASE_URL ?? ""
const port = () => Number(new URL(baseUrl()).port)
// A worker that starts again after a failure finds the address of the first one taken.
const email = `edge-${randomUUID()}@example.com`
let key = ""
let projectId = ""

test.beforeAll(async () => {
  const made = await admin(
    process.env.E2E_DATA_DIR ?? "",
    "bootstrap",
    "--email",
    email,
    "--password",
    "a long password",
    "--organization",
    "Edge",
    "--project",
    "main",
    "--region",
    "eu-west-1",
  )
  key = String(made.apiKey)
  projectId = String(made.projectId)
})

/** Sends raw bytes; returns everything that the server answers until it closes or is silent for long. */
async function raw(bytes: string, quietMs = 1_500): Promise<string> {
  const socket = connect(port(), "127.0.0.1")
  let said = ""
  socket.on("data", (chunk: Buffer) => (said += chunk.toString("latin1"))).on("error", () => {})
  socket.setTimeout(quietMs, () => socket.destroy())
  socket.write(Buffer.from(bytes, "latin1"))
  await once(socket, "close")
  return said
}
const statusesOf = (said: string) => [...said.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${baseUrl()}${path}`, {
    redirect: "manual",
    ...init,
    headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
  })

test("methods: an unsupported one is 405 with Allow, and no header or field overrides the method", async () => {
  for (const method of ["TRACE", "PUT", "PROPFIND", "DELETE"]) {
    const said = await raw(
      `${method} /v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    )
    expect([method, statusesOf(said)]).toEqual([method, [405]])
    expect(said).toMatch(/^allow: GET(, [A-Z]+)*\r$/im)
    expect(said).not.toContain(key)
  }
  for (const override of [
    { "x-http-method-override": "DELETE" },
    { "x-method-override": "DELETE" },
    { "x-http-method": "DELETE" },
  ] as Record<string, string>[]) {
    expect((await ask(`/v1/projects/${projectId}`, { headers: override })).status).toBe(200)
  }
  expect((await ask(`/v1/projects/${projectId}?_method=DELETE`)).status).toBe(200)
  expect((await ask(`/v1/projects/${projectId}`)).status).toBe(200)
  const head = await ask(`/v1/projects/${projectId}`, { method: "HEAD" })
  expect([head.status, await head.text()]).toEqual([200, ""])
})

test("whoever finds a fault is told whom to tell, and robots are told to stay away", async () => {
  const contact = await fetch(`${baseUrl()}/.well-known/security.txt`)
  expect([contact.status, contact.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"])
  expect(await contact.text()).toMatch(/^Contact: mailto:security@mailroom\.test\nExpires: 2\d{3}-.*Z\nCanonical: http/)
  expect(await (await fetch(`${baseUrl()}/robots.txt`)).text()).toContain("Disallow: /")
  expect((await fetch(`${baseUrl()}/favicon.ico`)).status).toBe(200)
})

test("a stream token survives HEAD and OPTIONS, and is used up by GET", async () => {
  const { token } = await (await ask(`/v1/emails/${projectId}/stream/token`, { method: "POST" })).json()
  const path = `/v1/emails/stream?token=${token}`
  for (const method of ["HEAD", "OPTIONS"]) expect((await fetch(`${baseUrl()}${path}`, { method })).status).toBe(405)
  const leave = new AbortController()
  expect((await fetch(`${baseUrl()}${path}`, { signal: leave.signal })).status).toBe(200)
  leave.abort()
  expect((await fetch(`${baseUrl()}${path}`)).status).toBe(401)
})

test("bodies: endless, compressed, deeply nested, duplicated, UTF-16 or 50 MB ones each get their problem, and the server continues", async () => {
  const head = `PATCH /v1/projects/${projectId} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  const chunk = `${(65_536).toString(16)}\r\n${" ".repeat(65_536)}\r\n`
  expect(statusesOf(await raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(40)}`))).toEqual([413])
  const patch = (body: BodyInit, headers: Record<string, string> = {}) =>
    ask(`/v1/projects/${projectId}`, {
      method: "PATCH",
      body,
      headers: { "content-type": "application/json", ...headers },
    })
  const cases: [string, Promise<Response>, number][] = [
    ["text/plain", patch('{"name":"x"}', { "content-type": "text/plain" }), 415],
    ["a form", patch("name=x", { "content-type": "application/x-www-form-urlencoded" }), 415],
    [
      "a gzip bomb",
      patch(gzipSync(Buffer.alloc(20_000_000)) as unknown as BodyInit, { "content-encoding": "gzip" }),
      415,
    ],
    ["10,000 levels", patch("[".repeat(10_000)), 400],
    ["a name twice", patch('{"name":"a","name":"b"}'), 400],
    ["UTF-16", patch(Buffer.from('\ufeff{"name":"x"}', "utf16le") as unknown as BodyInit), 400],
    ["a lone surrogate", patch('{"name":"\\ud800"}'), 400],
    ["a NUL", patch('{"name":"\\u0000"}'), 400],
  ]
  for (const [name, answer, status] of cases) expect([name, (await answer).status]).toEqual([name, status])
  const large = await patch("x".repeat(50_000_000)).then(
    ({ status }) => status,
    () => 413,
  )
  expect(large).toBe(413)
  expect((await ask(`/v1/projects/${projectId}`)).status).toBe(200)
})

test("framing: a request with two lengths, or ambiguous ones, is refused and its remainder is never read as a request", async () => {
  const smuggled = `GET /v1/projects/${projectId} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const post = "POST /v1/emails HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
  const attacks: [string, string][] = [
    ["length and chunks", `${post}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ["chunks and length", `${post}Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n${smuggled}`],
    ["two lengths", `${post}Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
    ["two lengths in one", `${post}Content-Length: 0, ${smuggled.length}\r\n\r\n${smuggled}`],
    ["a signed length", `${post}Content-Length: +0\r\n\r\n${smuggled}`],
    ["an unknown coding", `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ["a coding after chunked", `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
    ["chunked twice", `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ["a blank before the colon", `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ["a bare LF", `POST /v1/emails HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n${smuggled}`],
    ["a bare LF between headers", `${post}X-A: b\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ["a line break in a chunk's extension", `${post}Transfer-Encoding: chunked\r\n\r\n0;a\nb\r\n\r\n${smuggled}`],
    [
      "a folded header",
      `${post}X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\nX-Bad\r\n\r\n${smuggled}`,
    ],
    ["a NUL in a header", `${post}X-A: b\0c\r\n\r\n${smuggled}`],
    ["a chunk size that is none", `${post}Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${smuggled}`],
    ["a negative chunk size", `${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${smuggled}`],
  ]
  for (const [name, bytes] of attacks) {
    const said = await raw(bytes)
    // Where the body alone is wrong, the answer to the head may be under way: that there is no credential.
    const right = /chunk size|chunk's/.test(name) ? [[400], [401]] : [[400]]
    expect([name, right]).toEqual([name, expect.arrayContaining([statusesOf(said)])])
    expect([name, said.includes(projectId)]).toEqual([name, false])
  }
})

test("internal headers of Next and alternative spellings of a path bypass nothing", async () => {
  const inside: Record<string, string>[] = [
    { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
    { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
    { "x-nextjs-data": "1" },
    { "x-invoke-path": "/v1/projects" },
    { "x-matched-path": "/v1/projects" },
    { "x-now-route-matches": "1" },
    { rsc: "1" },
    { "next-router-prefetch": "1" },
    { "next-action": "x" },
  ]
  for (const headers of inside) {
    expect([headers, (await fetch(`${baseUrl()}/v1/projects`, { headers })).status]).toEqual([headers, 401])
    for (const page of [`/projects/${projectId}`, `/projects/${projectId}/api-keys`]) {
      const answer = await fetch(`${baseUrl()}${page}`, { headers, redirect: "manual" })
      const body = await answer.text()
      expect([headers, page, body.includes("Edge") || body.includes(email)]).toEqual([headers, page, false])
      expect([headers, page, answer.headers.has("content-security-policy")]).toEqual([headers, page, true])
    }
  }
  for (const path of [
    "/V1/projects",
    "//v1/projects",
    "/v1//projects",
    "/v1/%70rojects/",
    "/v1/projects.json",
    "/v1/projects/",
    "/_next/data/x/v1/projects.json",
    "/v1/..%2fv1/projects",
    "/v1/projects%00",
    "/v1/projects;x",
  ]) {
    const answer = await fetch(`${baseUrl()}${path}`, { redirect: "manual" })
    expect([path, [400, 401, 404].includes(answer.status)]).toEqual([path, true])
  }
  expect([401, 404]).toContain((await fetch(`${baseUrl()}/v1/%70rojects`)).status)
})

test("headers never decide the client address or the host", async () => {
  const forged: Record<string, string> = {
    "x-forwarded-for": "203.0.113.77",
    forwarded: "for=203.0.113.77;host=evil.test;proto=https",
    "x-real-ip": "203.0.113.77",
    "x-client-ip": "203.0.113.77",
    "x-forwarded-host": "evil.test",
    "x-forwarded-proto": "https",
  }
  await ask(`/v1/projects/${projectId}`, { headers: forged })
  const keyId = (await (await ask(`/v1/projects/${projectId}/api-keys`)).json()).data[0].id
  await expect
    .poll(
      async () => (await (await ask(`/v1/projects/${projectId}/api-keys/${keyId}/usage`)).json()).data?.length ?? 0,
      { timeout: 15_000 },
    )
    .toBeGreaterThan(0)
  const usage = await (await ask(`/v1/projects/${projectId}/api-keys/${keyId}/usage`)).text()
  expect(usage).not.toContain("203.0.113.77")
  expect(usage).toMatch(/127\.0\.0\.1|::1/)

  const said = await raw(
    `GET /v1/projects HTTP/1.1\r\nHost: evil.test\r\nX-Forwarded-Host: evil.test\r\nConnection: close\r\n\r\n`,
  )
  expect(statusesOf(said)).toEqual([401])
  expect(said).not.toContain("evil.test")
  const page = await raw(
    `GET /projects/${projectId} HTTP/1.1\r\nHost: evil.test\r\nX-Forwarded-Host: evil.test\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n`,
  )
  expect(page).not.toContain("evil.test")
})

test("no origin may read answers with the cookie, and only API answers are readable by other origins", async () => {
  for (const origin of ["https://evil.test", "null", `${baseUrl()}.evil.test`, "https://app.test.evil.test"]) {
    for (const path of ["/v1/projects", "/v1/session", "/sign-in", "/api/auth/csrf", "/health/live"]) {
      for (const method of ["GET", "OPTIONS"]) {
        const { headers } = await fetch(`${baseUrl()}${path}`, {
          method,
          headers: { origin, "access-control-request-method": "GET" },
        })
        expect([origin, path, headers.get("access-control-allow-credentials")]).toEqual([origin, path, null])
        expect([null, "*"]).toContain(headers.get("access-control-allow-origin"))
      }
    }
  }
})

test("nothing internal is served: no metrics, source maps, repository, studio or detailed health", async () => {
  for (const path of [
    "/metrics",
    "/v1/metrics",
    "/.git/HEAD",
    "/.git/config",
    "/.env",
    "/.data/secret-key",
    "/.data/postgres.json",
    "/package.json",
    "/prisma/schema",
    "/api/health?verbose=1",
    "/_next/static/../../package.json",
    "/_next/static/%2e%2e/%2e%2e/package.json",
    "/_next/image?url=http://169.254.169.254/&w=64&q=75",
    "/_next/../.data/secret-key",
    "/server-status",
    "/debug",
  ]) {
    const answer = await fetch(`${baseUrl()}${path}`, { redirect: "manual" })
    expect([path, answer.status >= 400]).toEqual([path, true])
  }
  for (const check of ["/health/live", "/health/ready", "/health/ready?verbose=1"]) {
    const text = await (await fetch(`${baseUrl()}${check}`)).text()
    expect(text.length).toBeLessThan(200)
    expect(text).not.toMatch(/postgres|version|\/root|\/work|node/i)
  }
  const html = await (await fetch(`${baseUrl()}/sign-in`)).text()
  const scripts = [...html.matchAll(/\/_next\/static\/[^"\\]+?\.js/g)].map(([path]) => path)
  expect(scripts.length).toBeGreaterThan(3)
  for (const script of new Set(scripts)) {
    expect((await fetch(`${baseUrl()}${script}.map`)).status).toBe(404)
    expect(await (await fetch(`${baseUrl()}${script}`)).text()).not.toContain("sourceMappingURL")
  }
  // Prometheus listens where the operator says, on loopback, and not on the public port.
  expect((await fetch(`${baseUrl()}/v1/emails/metrics`)).status).toBe(401)
})

test("another origin in the browser can neither write with our cookie, nor read answers, nor frame pages", async ({
  browser,
}) => {
  const dataDir = process.env.E2E_DATA_DIR ?? ""
  const { url } = await admin(dataDir, "sign-in-link", "--email", email)
  const context = await browser.newContext()
  const page = await context.newPage()
  const { pathname, search } = new URL(String(url))
  await page.goto(`${baseUrl()}${pathname}${search}`)
  await page.getByRole("button", { name: "Sign in" }).click()
  await expect(page).toHaveURL(/\/projects\/proj_/)

  // Same site as localhost (another port), and another site altogether (127.0.0.1): a sibling and a stranger.
  const evil = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<!doctype html><title>evil</title><body>evil"),
  )
  evil.listen(0)
  await once(evil, "listening")
  const evilPort = (evil.address() as AddressInfo).port
  const target = `${baseUrl()}/v1/projects/${projectId}`
  for (const origin of [`http://localhost:${evilPort}`, `http://127.0.0.1:${evilPort}`]) {
    const stranger = await context.newPage()
    await stranger.goto(origin)
    const tried = await stranger.evaluate(async (to) => {
      const attempt = (init: RequestInit) =>
        fetch(to, { credentials: "include", ...init }).then(
          async (answer) => `${answer.type} ${answer.type === "opaque" ? "" : await answer.text()}`,
          () => "refused",
        )
      return Promise.all([
        attempt({}),
        attempt({ mode: "no-cors" }),
        attempt({
          method: "POST",
          mode: "no-cors",
          body: '{"name":"Taken"}',
          headers: { "content-type": "text/plain" },
        }),
        attempt({ method: "PATCH", body: '{"name":"Taken"}', headers: { "content-type": "application/json" } }),
      ])
    }, target)
    expect(tried).toEqual(["refused", "opaque ", "opaque ", "refused"])

    // A form whose plain text happens to be JSON, and one of several parts.
    for (const [action, enctype] of [
      [`${baseUrl()}/v1/sessions`, "text/plain"],
      [`${baseUrl()}/v1/projects/${projectId}/api-keys`, "text/plain"],
      [`${baseUrl()}/v1/projects/${projectId}/api-keys`, "multipart/form-data"],
      [`${baseUrl()}/api/auth/signout`, "application/x-www-form-urlencoded"],
    ] as const) {
      const sent = stranger.waitForResponse((answer) => answer.url().startsWith(action))
      const there = stranger.waitForURL((at) => at.href.startsWith(action))
      await stranger.evaluate(
        ({ action, enctype }) => {
          const form = Object.assign(document.createElement("form"), { action, method: "post", enctype })
          form.append(
            Object.assign(document.createElement("input"), {
              name: '{"name":"Taken","permissions":["emails:send"],"x":"',
              value: '"}',
            }),
          )
          document.body.append(form)
          form.submit()
        },
        { action, enctype },
      )
      expect((await sent).status()).toBeGreaterThanOrEqual(400)
      await there
      await stranger.goto(origin)
    }

    const framed = await stranger.evaluate(
      (to) =>
        new Promise<string>((resolve) => {
          const frame = Object.assign(document.createElement("iframe"), { src: to })
          frame.onload = () => {
            try {
              resolve(frame.contentDocument ? "readable" : "blocked")
            } catch {
              resolve("blocked")
            }
          }
          document.body.append(frame)
          setTimeout(() => resolve("blocked"), 3_000)
        }),
      `${baseUrl()}/sign-in`,
    )
    expect(framed).toBe("blocked")
    const frame = stranger.frames().find((one) => one !== stranger.mainFrame())
    expect(
      await frame
        ?.locator("input")
        .count()
        .catch(() => 0),
    ).toBe(0)
    await stranger.close()
  }
  evil.close()

  const { headers } = await fetch(`${baseUrl()}/sign-in`).then((answer) => ({ headers: answer.headers }))
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin")
  expect(headers.get("x-frame-options")).toBe("DENY")
  await page.reload()
  await expect(page).toHaveURL(/\/projects\/proj_/)
  const keys = await page.evaluate(
    async (path) => (await (await fetch(path)).json()).data.map(({ name }: { name: string }) => name),
    `/v1/projects/${projectId}/api-keys`,
  )
  expect(keys).not.toContain("Taken")
  await context.close()
})
