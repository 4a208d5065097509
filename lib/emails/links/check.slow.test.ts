import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, test } from "vitest"
import { checkLink, type Outside } from "@/lib/emails/links/check"
import { createReach } from "@/lib/platform/networks"

const servers: Server[] = []
afterEach(() => void servers.splice(0).forEach((server) => server.close()))

async function site(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const loopback = [{ address: "127.0.0.0", prefix: 8 }]
const local: Outside = {
  guard: { reach: createReach(loopback), allowsPrivate: true, allowsPlain: true },
  resolve: async () => ["127.0.0.1"],
  inTurn: (_, work) => work(),
}
const publicOnly: Outside = {
  guard: { reach: createReach([]), allowsPrivate: false, allowsPlain: true },
  resolve: async () => ["10.0.0.1"],
  inTurn: (_, work) => work(),
}
const check = (url: string, outside = local) => checkLink(url, outside, new AbortController().signal)
const plain = "It is plain http: use https."

describe("A link", () => {
  test.each([
    [200, "ok", plain],
    [404, "broken", `The server answers 404. ${plain}`],
    [410, "broken", `The server answers 410. ${plain}`],
    [500, "broken", `The server answers 500. ${plain}`],
    [403, "ok", `The server answers 403 to automated requests: open the link yourself. ${plain}`],
    [999, "ok", `The server answers 999 to automated requests: open the link yourself. ${plain}`],
    [429, "ok", `The server answers 429 to automated requests: open the link yourself. ${plain}`],
  ])("whose server answers %i is %s", async (statusCode, status, error) => {
    const url = await site((_, response) => response.writeHead(statusCode).end())
    expect(await check(url)).toEqual({ url, status, statusCode, error })
  })

  test("is asked by GET where HEAD is not answered well", async () => {
    const methods: string[] = []
    const url = await site((request, response) => {
      methods.push(request.method ?? "")
      if (request.method === "HEAD") request.socket.destroy()
      else response.end("here")
    })
    expect(await check(url)).toMatchObject({ status: "ok", statusCode: 200 })
    expect(methods).toEqual(["HEAD", "GET"])
  })

  test("is followed through redirects, and told when it is a shortener or leads to another domain", async () => {
    const last = await site((_, response) => response.end())
    const port = new URL(last).port
    const first = await site((request, response) =>
      response.writeHead(302, { location: request.url === "/" ? "/next" : `http://www.other.test:${port}/` }).end(),
    )
    const named = (host: string) => first.replace("127.0.0.1", host)
    expect(await check(named("acme.test"))).toEqual({
      url: named("acme.test"),
      status: "redirected",
      statusCode: 200,
      error: `It redirects from acme.test to www.other.test, as tracking links do: filters may distrust it. ${plain}`,
    })
    expect((await check(named("bit.ly"))).error).toContain("bit.ly is a link shortener")
    expect((await check(named("sub.other.test"))).error).toBe(plain)
  })

  test("that redirects for ever, or to nowhere, is an error", async () => {
    const loop = await site((_, response) => response.writeHead(301, { location: "/" }).end())
    expect(await check(loop)).toMatchObject({ status: "error", error: "It redirects more than 5 times." })
    const file = await site((_, response) => response.writeHead(301, { location: "file:///etc/passwd" }).end())
    expect(await check(file)).toMatchObject({
      status: "error",
      error: expect.stringContaining("It redirects: The URL"),
    })
  })

  test("whose server is away, silent or unknown is an error with the reason", async () => {
    const silent = await site(() => {})
    const [gone] = [await site((_, response) => response.end()), servers.pop()?.close()]
    expect(await check(gone)).toEqual({ url: gone, status: "error", error: "The server refuses connections." })
    expect(await check(silent)).toMatchObject({ error: "The server did not answer within 5 seconds." })
  }, 15_000)

  test.each([
    ["mailto:ada@lovelace.example", "skipped"],
    ["tel:+491234", "skipped"],
    ["#top", "skipped"],
    ["", "skipped"],
    ["{{unsubscribe_url}}", "skipped"],
    ["/pricing", "broken"],
    ["www.acme.test", "broken"],
    ["https://", "broken"],
    ["javascript:alert(1)", "skipped"],
  ])("%s is %s without a request", async (url, status) => {
    expect((await check(url, publicOnly)).status).toBe(status)
  })
})

describe("A link to what is not public is never requested:", () => {
  test.each([
    ...[
      "http://127.0.0.1/",
      "http://127.1/",
      "http://2130706433/",
      "http://0x7f.1/",
      "http://0177.0.0.1/",
      "http://0/",
    ],
    ...[
      "http://[::1]/",
      "http://[::ffff:127.0.0.1]/",
      "http://[::ffff:7f00:1]/",
      "http://[64:ff9b::7f00:1]/",
      "http://[fe80::1]/",
    ],
    ...["http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://192.168.0.1/", "http://100.64.0.1/"],
    ...[
      "http://localhost/",
      "http://a.localhost./",
      "http://printer.local/",
      "http://intranet/",
      "https://user:pw@acme.com/",
    ],
    ...["http://acme.com:22/", "http://acme.com:6379/", "http://rebind.acme.com/"],
  ])("%s", async (url) => {
    expect(await check(url, publicOnly)).toMatchObject({ status: "error", error: expect.stringMatching(/./) })
  })

  test("a redirect to it, and a name whose second answer is private", async () => {
    const url = await site((_, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end())
    expect(await check(url)).toMatchObject({ status: "error", error: expect.stringContaining("169.254.169.254") })
    let seen = 0
    const inner = await site((_, response) => {
      seen += 1
      response.end()
    })
    const answers = [["127.0.0.1"], ["10.0.0.1"]]
    const rebinding: Outside = { ...local, resolve: async () => answers.shift() ?? ["10.0.0.1"] }
    const redirecting = await site((_, response) =>
      response.writeHead(302, { location: inner.replace("127.0.0.1", "acme.test") }).end(),
    )
    expect(await check(redirecting.replace("127.0.0.1", "acme.test"), rebinding)).toMatchObject({ status: "error" })
    expect(seen).toBe(0)
  })
})
