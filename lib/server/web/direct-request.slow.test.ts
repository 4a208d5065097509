import { once } from "node:events"
import { text } from "node:stream/consumers"
import { describe, expect, test, vi } from "vitest"
import type { Asked } from "@/lib/platform/http/endpoint"
import type { Problem } from "@/lib/platform/http/problem"
import { log } from "@/lib/platform/log"
import { ApiServer, json, statusesOf } from "@/e2e/support/api-server"

describe.each([
  ["a request", new ApiServer()],
  ["a request by the process for heavy requests", new ApiServer({ passedOn: true })],
])("%s", (_, api) => {
  test("is read as an operation reads a Request: address, method, headers and body", async () => {
    let seen: unknown
    api.answer = async (asked) => {
      const { url, method, headers } = asked
      const own = ["X-ONE", "x-client-ip", "cookie", "nothing"].map((name) => headers.get(name))
      seen = { url, method, own, body: await bodyOf(asked, 100) }
      return json({})
    }
    await api.raw(
      "POST http://elsewhere/v1/%65mails?a=b%20c#d HTTP/1.1\r\nHost: x\r\nX-One: a\r\nX-One: b\r\nCookie: c=1\r\nCookie: d=2\r\n" +
        "RSC: 1\r\nNext-Action: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc",
    )
    const own = ["a, b", "127.0.0.1", "c=1; d=2", null]
    expect(seen).toEqual({ url: "http://localhost/v1/%65mails?a=b%20c", method: "POST", own, body: "abc" })
  })

  test("has none of the headers with which Next's browser code chooses another answer", async () => {
    let seen: (string | null)[] = []
    api.answer = async ({ headers }) => {
      seen = ["rsc", "next-router-prefetch", "next-action"].map((name) => headers.get(name))
      return json({})
    }
    await api.ask("GET", "/v1/x", { rsc: "1", "next-router-prefetch": "1", "next-action": "x" })
    expect(seen).toEqual([null, null, null])
  })

  test("with Expect is told to continue when its body is read, and not before it is refused", async () => {
    const asking = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n`
    api.answer = async (asked) => {
      if (asked.url.endsWith("/refused")) return json({}, 413)
      return json({ read: (await asked.readAtMost?.(10, 1_000))?.length })
    }
    const refused = await api.raw(`${asking("/v1/refused")}\r\n`)
    expect(statusesOf(refused)).toEqual([413])
    expect(refused).toMatch(/^connection: close\r$/im)
    const taken = await api.raw(`${asking("/v1/taken")}Connection: close\r\n\r\n{}`)
    expect(statusesOf(taken)).toEqual([100, 200])
    expect(taken).toContain('{"read":2}')
  })

  test("of another path is left to Next", async () => {
    expect((await api.ask("GET", "/other/x")).body.toString()).toBe("a page")
  })

  test("body over the limit is 413 and late is 408, and the connection serves the next request", async () => {
    api.answer = async (asked) =>
      bodyOf(asked, 10, asked.url.endsWith("slow") ? 50 : 5_000).then(
        ({ length }) => json({ length }),
        (refused: Problem) => json({}, refused.kind.status),
      )
    const long = `POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n${"x".repeat(2_000_000)}`
    const next = "POST /v1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab"
    expect(statusesOf(await api.raw(long + next))).toEqual([413, 200])
    const socket = api.connect()
    socket.write("POST /v1/slow HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na")
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 408 /)
    socket.write(`bc${next}`)
    expect(await text(socket)).toMatch(/HTTP\/1\.1 200 [^]*"length":2/)
  })

  test("body that nobody wants arrives at 32 MB a second at most, and the answer before it", async () => {
    api.answer = async (asked) => json({}, asked.url.endsWith("refused") ? 413 : 200)
    const bytes = 8 * 2 ** 20
    const refused = `POST /v1/refused HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n${"x".repeat(bytes)}`
    const socket = api.connect()
    const startedAt = performance.now()
    socket.write(`${refused}GET /v1/next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 413 /)
    const answeredMs = performance.now() - startedAt
    expect(statusesOf(await text(socket))).toEqual([200])
    // One of the eight megabytes is let through at once.
    expect(performance.now() - startedAt - answeredMs).toBeGreaterThan(180)
  })

  test("of megabytes arrives at 64 MB a second for one owner, and at once for another", async () => {
    const msOf = async (owner: string) => {
      api.answer = async (asked) =>
        json({ read: (await asked.readAtMost?.(2 ** 26, 10_000, { owner, grow() {} }))?.length })
      const startedAt = performance.now()
      const bytes = 20 * 2 ** 20
      const said = await api.raw(
        `POST /v1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n${"x".repeat(bytes)}`,
      )
      expect(said).toContain(`{"read":${bytes}}`)
      return performance.now() - startedAt
    }
    const [first, second, third] = [await msOf("a"), await msOf("a"), await msOf("a")]
    expect(first + second + third, "28 of 60 MB are beyond the burst").toBeGreaterThan(430)
    expect(await msOf("b")).toBeLessThan(second + third)
  })

  test("expecting 100-continue gets it, and pipelined ones get their answers in order", async () => {
    api.answer = async (asked) => json({ path: new URL(asked.url).pathname, body: await bodyOf(asked, 100) })
    const one = (path: string, more = "") => `POST ${path} HTTP/1.1\r\nHost: x\r\n${more}Content-Length: 2\r\n\r\n`
    const said = await api.raw(
      `${one("/v1/a", "Expect: 100-continue\r\n")}aa${one("/v1/b")}bb${one("/v1/c", "Connection: close\r\n")}cc`,
    )
    expect(statusesOf(said)).toEqual([100, 200, 200, 200])
    expect([...said.matchAll(/"body":"(\w+)"/g)].map(([, body]) => body)).toEqual(["aa", "bb", "cc"])
  })

  test.each(["readAtMost", "body"] as const)(
    "whose client disconnects fails its reader (%s) and aborts its signal",
    async (way) => {
      const error = vi.spyOn(log, "error")
      const reading = new Promise<unknown>((resolve) => {
        api.answer = async (asked) => {
          socket.destroy()
          const failure = await (way === "body" ? readStream(asked) : bodyOf(asked, 1_000)).catch(
            (thrown: unknown) => thrown,
          )
          resolve([failure instanceof Error, asked.signal.aborted])
          return json({})
        }
      })
      const socket = api.connect()
      socket.write("POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc")
      expect(await reading).toEqual([true, true])
      expect((await api.ask("GET", "/v1/x")).status).toBe(200)
      expect(error.mock.calls).toEqual([])
      error.mockRestore()
    },
  )
})

async function bodyOf(asked: Asked, bytesMax: number, waitMs = 5_000): Promise<string> {
  return new TextDecoder().decode(await asked.readAtMost?.(bytesMax, waitMs))
}

async function readStream({ body }: Asked): Promise<void> {
  for await (const chunk of body ?? []) void chunk
}
