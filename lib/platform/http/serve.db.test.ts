import { beforeAll, describe, expect, test, vi } from "vitest"
import { api, newWorld, request, type Call, type World } from "@/e2e/support/world"
import { guard } from "@/lib/access/guard"
import { pool } from "@/lib/platform/database/db"
import { endpoint } from "@/lib/platform/http/endpoint"
import { log } from "@/lib/platform/log"
import { problem } from "@/lib/platform/http/problem"
import { createServe } from "@/lib/platform/http/serve"
import { systemIo } from "@/lib/regions/io"

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const json = { "content-type": "application/json" }
const patch = (call: Call) =>
  api("PATCH /v1/projects/{projectId}", { key: world.apiKey, params: { projectId: world.project }, ...call })
const list = (query: Call["query"]) =>
  api("GET /v1/projects/{projectId}/emails", { key: world.apiKey, params: { projectId: world.project }, query })

describe("bodies", () => {
  test.each([
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["", 415],
    ["application/json; charset=utf-16", 415],
    ["application/json; charset=UTF-8", 200],
    ["Application/JSON", 200],
  ])("a body of type %s is %i", async (type, status) => {
    const answer = await patch({ rawBody: new TextEncoder().encode('{"name":"x"}'), headers: { "content-type": type } })
    expect(answer.status).toBe(status)
  })

  test("a compressed body is 415, whatever it would unpack to", async () => {
    expect((await patch({ rawBody: "{}", headers: { ...json, "content-encoding": "gzip" } })).status).toBe(415)
  })

  test("a body over the limit is 413, by its announced length and by what really comes", async () => {
    expect((await patch({ rawBody: `{"name":"${"x".repeat(2 ** 20)}"}`, headers: json })).status).toBe(413)
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) })
    const streamed = new Request("http://localhost/v1/projects/x", {
      method: "PATCH",
      body: endless,
      duplex: "half",
      headers: { ...json, authorization: `Bearer ${world.apiKey}` },
    } as RequestInit)
    const { updateProject } = await import("@/lib/projects/api")
    const serve = createServe({ ...guard, answered: () => {} }, systemIo)
    const answer = await serve(updateProject).PATCH(
      new Request(streamed.url.replace("/x", `/${world.project}`), streamed),
    )
    expect(answer.status).toBe(413)
  })

  test("a caller that disconnects in the middle of its body leaves no error in the log", async () => {
    const { updateProject } = await import("@/lib/projects/api")
    const error = vi.spyOn(log, "error")
    const leaving = new AbortController()
    const body = new ReadableStream({
      pull() {
        leaving.abort()
        throw new Error("aborted")
      },
    })
    const init = {
      method: "PATCH",
      body,
      duplex: "half",
      signal: leaving.signal,
      headers: { ...json, authorization: `Bearer ${world.apiKey}` },
    }
    const left = new Request(`http://localhost/v1/projects/${world.project}`, init as RequestInit)
    const answer = await createServe({ ...guard, answered: () => {} }, systemIo)(updateProject).PATCH(left)
    expect({ status: answer.status, callCount: error.mock.calls.length }).toEqual({ status: 408, callCount: 0 })
    error.mockRestore()
  })

  test("names that would reach into prototypes or other columns are unknown fields", async () => {
    for (const rawBody of [
      '{"__proto__":{"admin":1}}',
      '{"constructor":{}}',
      '{"id":"x"}',
      '{"organizationId":"x"}',
      '{"status":"x"}',
      '{"createdAt":"x"}',
    ]) {
      const { status, json: told } = await patch({ rawBody, headers: json })
      expect({ status, detail: told.errors[0].detail }, rawBody).toEqual({ status: 400, detail: "Unknown field." })
    }
    expect(Object.hasOwn(Object.prototype, "admin")).toBe(false)
  })

  test("NUL, lone surrogates and objects where text is wanted are 400, never 500", async () => {
    for (const rawBody of [
      '{"name":"a\\u0000b"}',
      '{"name":"\\ud800"}',
      '{"name":{"contains":""}}',
      '{"name":["a"]}',
      "null",
      '"x"',
      "1",
    ]) {
      expect((await patch({ rawBody, headers: json })).status, rawBody).toBe(400)
    }
  })
})

describe("queries", () => {
  test.each([
    ["0", 1],
    ["-1", 1],
    ["5", 5],
    ["99999999999", 2 ** 31 - 1],
  ])("page=%s reads page %i", async (page, read) => {
    expect((await list({ page })).json.page.page).toBe(read)
  })

  test.each([
    ["0", 1],
    ["101", 100],
    ["-5", 1],
  ])("size=%s gives %i items a page", async (size, given) => {
    expect((await list({ size })).json.page.size).toBe(given)
  })

  test.each(["1e9", "1.5", "NaN", "0x10", "٣", "", " 1"])(
    "page=%s is 400 with the pointer query/page",
    async (page) => {
      const { status, json: told } = await list({ page })
      expect({ status, pointer: told.errors[0].pointer }).toEqual({ status: 400, pointer: "query/page" })
    },
  )

  test("a parameter given twice, or a time that is none, is 400 with its pointer", async () => {
    expect((await list({ size: ["10", "1000"] })).json.errors[0].pointer).toBe("query/size")
    for (const after of ["2020-13-01", "+275760-09-14T00:00:00Z", "yesterday", "2020-01-01"]) {
      expect((await list({ after })).json.errors[0].pointer).toBe("query/after")
    }
    expect((await list({ after: "2026-01-02T00:00:00Z", before: "2026-01-01T00:00:00Z" })).json.data).toEqual([])
  })
})

describe("methods", () => {
  test("an undeclared method is 405 with Allow, OPTIONS included, and no override is honoured", async () => {
    const { listProjects } = await import("@/lib/projects/api")
    const handlers = createServe({ ...guard, answered: () => {} }, systemIo)(listProjects)
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
      const answer = await handlers[method](new Request("http://localhost/v1/projects", { method }))
      expect({ status: answer.status, allow: answer.headers.get("allow") }, method).toEqual({
        status: 405,
        allow: "GET, HEAD",
      })
    }
    const answer = await api("GET /v1/projects", { key: world.apiKey, headers: { "x-http-method-override": "DELETE" } })
    expect(answer.status).toBe(200)
  })
})

describe("defects", () => {
  const undeclared = problem("test.undeclared", 418, "Undeclared", "Thrown without being declared.")
  const failing = (error: () => unknown) =>
    endpoint({
      route: "GET /v1/projects/{projectId}",
      operationId: "fails",
      tag: "Test",
      summary: "Fails",
      access: { credential: "any", anyOf: ["projects:read"] },
      bucket: null,
      answers: [204],
      problems: [],
      run: async () => {
        throw error()
      },
    })
  const run = async (error: () => unknown) => {
    const serve = createServe({ ...guard, answered: () => {} }, systemIo)
    const answer = await serve(failing(error)).GET(
      request("GET /v1/projects/{projectId}", { key: world.apiKey, params: { projectId: world.project } }),
    )
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }

  test("an unexpected error is 500 without a word of it, and a problem that is not declared is a defect too", async () => {
    const secret = await run(() => new Error("password=hunter2 at /srv/app.ts:1"))
    expect(secret.status).toBe(500)
    expect(secret.text).not.toMatch(/hunter2|\.ts|SELECT/)
    expect((await run(() => undeclared())).status).toBe(500)
  })

  test.each(["ENOSPC", "EDQUOT", "EIO", "53100", "58030", "57P02", "57P03"])(
    "a full or failing disk is 503 with Retry-After, said by a file or by PostgreSQL: %s",
    async (code) => {
      const full = await run(() => Object.assign(new Error("no room"), { code }))
      const wrapped = await run(() => new Error("wrapped", { cause: Object.assign(new Error("no room"), { code }) }))
      for (const { status, headers } of [full, wrapped]) {
        expect(status).toBe(503)
        expect(Number(headers.get("retry-after")) > 0).toBe(true)
      }
    },
  )

  test("a database that is unreachable or too slow is 503 with Retry-After, and nothing is accepted", async () => {
    const unreachable = await run(() => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }))
    const late = await run(() => Object.assign(new Error("canceling statement"), { code: "57014" }))
    expect(unreachable.status).toBe(503)
    expect(late.status).toBe(503)
    expect(unreachable.headers.get("retry-after")).toBe("1")
    const query = vi
      .spyOn(pool(), "query")
      .mockRejectedValue(Object.assign(new Error("gone"), { code: "57P01" }) as never)
    const unknownKey = await api("GET /v1/projects", {
      key: (await import("@/lib/access/credentials/keys")).mintKey(systemIo().random).secret,
    })
    query.mockRestore()
    expect(unknownKey.status).toBe(503)
  })
})
