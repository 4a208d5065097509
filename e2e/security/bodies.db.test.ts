import fc from "fast-check"
import { beforeEach, describe, expect, test } from "vitest"
import { z } from "zod"
import { size } from "@/e2e/support/chaos/size"
import { endpoints } from "@/lib/api/registry"
import { provideEnv } from "@/lib/platform/env/env"
import type { Endpoint } from "@/lib/platform/http/endpoint"
import { problemBounds } from "@/lib/platform/http/problem"
import { Caller } from "@/e2e/security/caller"
import { resolved, type JsonSchema } from "@/e2e/security/hostile"
import { assertInTime } from "@/e2e/support/properties"

// Any JSON sent to any operation gets a bounded answer and never 500.

const publicRequests = 2_000
provideEnv({
  PUBLIC_REQUESTS_PER_MINUTE: String(publicRequests),
  SIGN_IN_TRIES_PER_ACCOUNT: "1000000",
  SIGN_IN_TRIES_PER_ADDRESS: "1000000",
})

const { runs, kib } = size({ runs: 6, kib: 32 }, { runs: 300, kib: 1_024 })
const caller = new Caller()
beforeEach(() => caller.forgetLimits())

const withBody = endpoints.filter(({ body }) => body).map((endpoint) => [endpoint.route, endpoint] as const)

const long = "n".repeat(40_000)
const nul = "\\u0000"

/** JSON of so many KiB, made of many pieces. */
function filled(piece: (at: number) => string, open: string, close: string): string {
  const pieces: string[] = []
  let left = kib * 1_024 - open.length - close.length - 4
  for (let at = 0; left > 0; at++) {
    pieces.push(piece(at))
    left -= (pieces[at]?.length ?? 0) + 1
  }
  return `${open}${pieces.slice(0, -1).join(",")}${close}`
}

/** Bodies in which nothing is right, in each way that a body can be wrong. */
function hostileBodies(names: readonly string[]): string[] {
  return [
    filled(() => `"${nul}"`, `{"${long}":[`, "]}"),
    filled((at) => `"${at}":"${nul}"`, `{"${long}":{"${long}":{`, "}}}"),
    filled((at) => `"${nul}${at}":1`, "{", "}"),
    filled((at) => `"${at}":1`, "{", "}"),
    filled((at) => `"\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001${at}":1`, "{", "}"),
    filled(() => "1", "[", "]"),
    `${"[".repeat(60)}${"]".repeat(60)}`,
    ...names.flatMap((name) => [
      filled(() => "1", `{"${name}":[`, "]}"),
      filled(() => '"é@"', `{"${name}":[`, "]}"),
      filled((at) => `"${at}":1`, `{"${name}":{`, "}}"),
      filled((at) => `{"${long.slice(0, 2_000)}${at}":1}`, `{"${name}":[`, "]}"),
    ]),
  ]
}

describe.each(withBody)("any JSON to %s", (_, endpoint) => {
  const schema = z.toJSONSchema(endpoint.body as z.ZodType, { io: "input", unrepresentable: "any" }) as JsonSchema
  const names = Object.keys(resolved(schema, schema).properties ?? {})

  test(`of ${kib} KiB is refused with at most 64 KiB`, { timeout: 60_000 }, async () => {
    for (const [index, rawBody] of hostileBodies(names).entries()) {
      const { status, bytes } = await ask(endpoint, rawBody)
      expect(status < 500, `body ${index}`).toBe(true)
      // A success may repeat what was sent; an import reports its first 1,000 invalid rows.
      const most = status < 300 ? Math.max(rawBody.length, 512 * 1_024) : problemBounds.documentBytes
      expect(bytes, `body ${index} of ${rawBody.length} bytes, answer ${status}`).toBeLessThanOrEqual(most)
    }
  })

  test(
    `gets a bounded problem or a success, ${runs} bodies that use the declared names`,
    { timeout: 600_000 },
    async () => {
      const example = caller.example(endpoint).body as Record<string, unknown> | undefined
      const value = fc.oneof(
        fc.jsonValue({ maxDepth: 3 }),
        fc.string({ unit: "binary" }),
        fc.double(),
        fc.constant(null),
        fc.bigInt().map(Number),
      )
      const some = fc.dictionary(fc.constantFrom(...names, "__proto__", "constructor", "toString"), value)
      await assertInTime(
        fc.asyncProperty(
          fc.oneof(
            value,
            some,
            some.map((changes) => ({ ...example, ...changes })),
          ),
          async (body) => {
            const { status, bytes } = await ask(endpoint, JSON.stringify(body))
            expect(status).toBeLessThan(500)
            if (status >= 400) expect(bytes).toBeLessThanOrEqual(problemBounds.documentBytes)
          },
        ),
        { numRuns: runs },
      )
    },
  )
})

test("100 refused items of a batch are answered with at most 64 KiB together, each with its code, and most where they are wrong", async () => {
  const batch = endpoints.find(({ operationId }) => operationId === "batchSendEmails") as Endpoint
  const hostile = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${long.slice(0, 60)}${at}`, "\u0001"]))
  const plain = { from: "Acme <hello@acme.test>", to: ["nobody"], subject: "Hello", text: "Hi" }
  for (const item of [hostile, plain, { ...plain, subject: "\u0001".repeat(900), [long]: 1 }]) {
    const { response, json } = await caller.call(batch, { body: { items: Array.from({ length: 100 }, () => item) } })
    expect((await response.arrayBuffer()).byteLength).toBeLessThanOrEqual(problemBounds.documentBytes)
    for (const { error, problem } of json.results) {
      expect(error.startsWith("request.invalid: ")).toBe(true)
      expect(problem.status).toBe(400)
    }
    if (item === plain) expect(json.results[99].problem.errors[0].pointer).toBe("/items/99/to/0")
  }
})

test("a public operation takes 16 KiB, and so many requests a minute from an address as configured, an IPv6 /64 being one", async () => {
  const links = endpoints.find(({ operationId }) => operationId === "requestSignInLink") as Endpoint
  const from = (ip: string, rawBody = "{}") =>
    caller.call(links, { rawBody, headers: { "content-type": "application/json", "x-client-ip": ip } })
  expect((await from("192.0.2.1", `{"email":"${"a".repeat(16 * 1_024)}"}`)).status).toBe(413)
  const asked = await Promise.all(
    Array.from({ length: publicRequests + 5 }, (_, at) => from(`2001:db8:0:1::${at.toString(16)}`)),
  )
  expect(asked.filter(({ status }) => status === 429)).toHaveLength(5)
  const limited = asked.find(({ status }) => status === 429)
  expect(limited?.json.code).toBe("request.too_many")
  expect(Number(limited?.headers.get("retry-after")) > 0).toBe(true)
  expect((await from("2001:db8:0:2::1")).status).not.toBe(429)
})

async function ask(endpoint: Endpoint, rawBody: string): Promise<{ status: number; bytes: number }> {
  await caller.forgetLimits()
  const { response } = await caller.call(endpoint, {
    body: undefined,
    rawBody,
    headers: { "content-type": "application/json" },
  })
  return { status: response.status, bytes: (await response.arrayBuffer()).byteLength }
}
