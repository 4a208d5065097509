import { EventEmitter, once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { gunzipSync } from "node:zlib"
import { describe, expect, test, vi } from "vitest"
import type { Answer } from "@/lib/platform/http/answer"
import { log } from "@/lib/platform/log"
import { ApiServer, json } from "@/e2e/support/api-server"
import { writeAnswer } from "@/lib/server/web/direct-api"

const streamed = (body: ReadableStream<Uint8Array>, type = "text/csv"): Answer => ({
  ...{ status: 200, headers: { "Content-Type": type }, body },
})
const bytes = (length: number) => new Uint8Array(length).fill(97)

describe.each([
  ["an answer", new ApiServer()],
  ["an answer by the process for heavy requests", new ApiServer({ passedOn: true })],
])("%s", (_, api) => {
  test("has its own headers, its length, and for HEAD no body", async () => {
    api.answer = async () => json({ ok: true })
    const got = await api.ask("GET", "/v1/x")
    expect(got.headers).toMatchObject({ "content-length": "11", "x-own": "1", vary: "Accept-Encoding" })
    const head = await api.raw("HEAD /v1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$/)
    api.answer = async () => ({ status: 204, headers: {}, body: null })
    expect(await api.ask("DELETE", "/v1/x")).toMatchObject({ status: 204, body: Buffer.alloc(0) })
  })

  test("of 1 kB or more is compressed for who takes gzip, streams of CSV too, streams of events never", async () => {
    const gzip = { "accept-encoding": "gzip" }
    api.answer = async () => json("x".repeat(5_000))
    const whole = await api.ask("GET", "/v1/x", gzip)
    expect(whole.headers["content-encoding"]).toBe("gzip")
    expect(whole.body.length < 500).toBe(true)
    expect(JSON.parse(gunzipSync(whole.body).toString())).toHaveLength(5_000)
    expect((await api.ask("GET", "/v1/x")).headers).not.toHaveProperty("content-encoding")
    api.answer = async () => streamed(new Blob([bytes(200_000)]).stream())
    expect(gunzipSync((await api.ask("GET", "/v1/x", gzip)).body)).toHaveLength(200_000)
    api.answer = async () => streamed(new Blob([bytes(200_000)]).stream(), "text/event-stream")
    expect((await api.ask("GET", "/v1/x", gzip)).body).toHaveLength(200_000)
  })

  test("that streams is read no faster than it is taken, and cancelled when its client disconnects", async () => {
    let pulled = 0
    const cancelled = new Promise<void>((resolve) => {
      const source = {
        pull: (to: ReadableStreamDefaultController) => (pulled++, to.enqueue(bytes(65_536))),
        cancel: () => resolve(),
      }
      api.answer = async () => streamed(new ReadableStream(source, { highWaterMark: 0 }), "text/event-stream")
    })
    const socket = api.connect().pause()
    socket.write("GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n")
    await expect.poll(() => pulled).toBeGreaterThan(1)
    let before = -1
    await expect.poll(() => before === (before = pulled), { interval: 100 }).toBe(true)
    // What the kernel and the server hold for a client that takes nothing.
    expect(pulled * 65_536).toBeLessThan(32 * 2 ** 20)
    socket.destroy()
    await cancelled
  })

  test("is 503 for an organization whose clients leave 128 MiB of large ones untaken, and for nobody else", async () => {
    const large = bytes(32 * 2 ** 20)
    const to = (owner: string) => {
      api.answer = async () => ({ ...{ status: 200, headers: { "X-Request-Id": "req_1" }, body: large }, owner })
    }
    to("slow")
    const slow = Array.from({ length: 4 }, () => api.connect().pause())
    for (const socket of slow) {
      socket.write("GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n")
      await once(socket, "readable")
    }
    const refused = await api.ask("GET", "/v1/x")
    expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "5", "x-request-id": "req_1" } })
    expect(JSON.parse(refused.body.toString())).toMatchObject({ code: "service.unavailable", requestId: "req_1" })
    to("other")
    expect(await api.ask("GET", "/v1/x")).toMatchObject({ status: 200, body: { length: large.length } })
    for (const socket of slow) socket.destroy()
    to("slow")
    // Of the second one of a connection, nothing is ever written.
    const pipelined = api.connect().pause()
    pipelined.write("GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n".repeat(4))
    await expect.poll(async () => (await api.ask("GET", "/v1/x")).status).toBe(503)
    pipelined.destroy()
    await expect.poll(async () => (await api.ask("GET", "/v1/x")).status).toBe(200)
  })

  test("that streams is cut off, and its stream cancelled, when its client takes nothing for a minute", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const cancel = vi.fn()
    const response = Object.assign(new EventEmitter(), {
      ...{ destroyed: false, statusCode: 0, setHeader: vi.fn(), write: vi.fn(() => false), end: vi.fn() },
      destroy: vi.fn(() => response.emit("close")),
    })
    const source = { pull: (to: ReadableStreamDefaultController) => to.enqueue(bytes(10)), cancel }
    const written = writeAnswer(
      { method: "GET", headers: {} } as IncomingMessage,
      response as unknown as ServerResponse,
      streamed(new ReadableStream(source)),
    )
    await vi.waitUntil(() => response.write.mock.calls.length === 1)
    await vi.advanceTimersByTimeAsync(59_000)
    response.emit("drain")
    await vi.waitUntil(() => response.write.mock.calls.length === 2)
    await vi.advanceTimersByTimeAsync(59_000)
    expect(response.destroy).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2_000)
    await written
    vi.useRealTimers()
    expect([response.destroy, response.end, cancel].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 1])
  })

  test("whose stream fails is a 500 before its first byte and cut off after it; no other request notices", async () => {
    const logged = vi.spyOn(log, "error").mockReturnValue(undefined)
    const failing = (chunks: number) =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          if (chunks-- > 0) return controller.enqueue(bytes(10))
          throw new Error("no more")
        },
      })
    api.answer = async () => streamed(failing(0))
    expect((await api.ask("GET", "/v1/x")).status).toBe(500)
    api.answer = async () => streamed(failing(3))
    await expect(api.ask("GET", "/v1/x")).rejects.toThrow(/aborted|hang up|reset/)
    expect(logged).toHaveBeenCalledTimes(2)
    logged.mockRestore()
    api.answer = async () => json({})
    expect((await api.ask("GET", "/v1/x")).status).toBe(200)
  })

  test("whose client has gone, waiting behind another one of its connection, ends its stream", async () => {
    const started: string[] = []
    const ended = new Promise<void>((resolve) => {
      api.answer = async (asked) => {
        started.push(new URL(asked.url).pathname)
        asked.signal.addEventListener("abort", () => asked.url.endsWith("second") && resolve())
        return streamed(new ReadableStream({ pull: () => new Promise(() => {}) }), "text/event-stream")
      }
    })
    const socket = api.connect()
    const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
    socket.write(one("/v1/first") + one("/v1/second"))
    await expect.poll(() => started).toEqual(["/v1/first", "/v1/second"])
    socket.destroy()
    await ended
  })
})
