import type { IncomingMessage } from "node:http"
import { describe, expect, test } from "vitest"
import { ApiServer, json } from "@/e2e/support/api-server"
import { isHeavy } from "@/lib/server/web/heavy-requests"

describe("a request is passed on", () => {
  const small = { "content-length": "262144" }
  test.each([
    ["with rows without end as its answer", {}, true, true],
    ["with a body of more than 256 kB", { "content-length": "262145" }, false, true],
    ["with a body of unknown length", { "transfer-encoding": "chunked" }, false, true],
    ["with a usual body: not", small, false, false],
    ["without a body: not", {}, false, false],
  ])("%s", (_, headers, isExport, expected) => {
    expect(isHeavy({ headers } as IncomingMessage, { isExport })).toBe(expected)
  })
})

describe("a process for heavy requests", () => {
  const api = new ApiServer({ passedOn: true })

  test("that ends in the middle of a request costs its client the connection, and nobody else anything", async () => {
    let began = () => {}
    const reached = new Promise<void>((resolve) => (began = resolve))
    api.answer = () => {
      began()
      return new Promise(() => undefined)
    }
    const lost = api.ask("POST", "/v1/x")
    await reached
    api.heavy?.closeAllConnections()
    await expect(lost).rejects.toMatchObject({ code: "ECONNRESET" })
    api.answer = async () => json({ ok: true })
    expect(await api.ask("GET", "/v1/x")).toMatchObject({ status: 200 })
  })

  test("that is not there is done without: the web process answers, its body too", async () => {
    await new Promise((closed) => api.heavy?.close(closed))
    api.answer = async (asked) => json({ read: (await asked.readAtMost?.(10, 1_000))?.length })
    const said = await api.raw("POST /v1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc")
    expect(said).toContain('{"read":3}')
    const asking =
      "POST /v1/x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n"
    expect(await api.raw(`${asking}\r\n{}`)).toContain('{"read":2}')
  })
})
