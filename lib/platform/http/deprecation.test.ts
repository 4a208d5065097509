import { expect, test } from "vitest"
import { z } from "zod"
import { env } from "@/lib/platform/env/env"
import { publicEndpoint } from "@/lib/platform/http/endpoint"
import { openApiDocument } from "@/lib/platform/http/openapi"
import { createServe, type Guard } from "@/lib/platform/http/serve"
import { systemIo } from "@/lib/regions/io"

const declaration = {
  route: "GET /v1/weather",
  operationId: "getWeather",
  tag: "Weather",
  summary: "Get weather",
  description: "Says whether it rains.",
  access: { credential: "none" },
  bucket: null,
  query: { day: z.iso.date() },
  answers: [204],
  problems: [],
  run: () => Promise.resolve(),
} as const
const deprecated = {
  since: new Date("2027-01-01T00:00:00Z"),
  sunset: new Date("2028-06-30T23:59:59Z"),
  page: "/docs/changes",
} as const

const guard = { admit() {}, answered() {} } as unknown as Guard
const ask = (endpoint: Parameters<ReturnType<typeof createServe>>[0], method: "GET" | "HEAD", day: string) =>
  createServe(guard, systemIo)(endpoint)[method](new Request(`http://localhost/v1/weather?day=${day}`, { method }))

test("every answer of a deprecated operation says since when, until when, and where to read what to use instead", async () => {
  const old = publicEndpoint({ ...declaration, deprecated })
  for (const [method, day, status] of [
    ["GET", "2027-02-01", 204],
    ["HEAD", "2027-02-01", 204],
    ["GET", "tomorrow", 400],
  ] as const) {
    const answer = await ask(old, method, day)
    const told = ["deprecation", "sunset", "link"].map((name) => answer.headers.get(name))
    expect([method, answer.status, ...told]).toEqual([
      ...[method, status, "@1798761600", "Fri, 30 Jun 2028 23:59:59 GMT"],
      `<${env().baseUrl}/docs/changes>; rel="deprecation"; type="text/html"`,
    ])
  }
  const kept = await ask(publicEndpoint(declaration), "GET", "2027-02-01")
  expect(kept.headers.has("deprecation") || kept.headers.has("sunset")).toBe(false)
})

test("the document marks a deprecated operation, with its dates and where to read what to use instead", () => {
  const about = {
    ...{ title: "Weather", version: "1.0.0", description: "", serverUrl: "https://weather.example", tags: {} },
    ...{ implied: { unauthenticated: [], forbidden: [], limited: [] }, events: [] },
  }
  const operationOf = (endpoint: Parameters<typeof openApiDocument>[0][number]) =>
    (openApiDocument([endpoint], about).paths as Record<string, Record<string, unknown>>)["/v1/weather"]?.get
  expect(operationOf(publicEndpoint({ ...declaration, deprecated }))).toMatchObject({
    deprecated: true,
    description:
      "Says whether it rains.\n\nDeprecated since 2027-01-01, served until 2028-06-30 at least: see [what to use instead](https://weather.example/docs/changes).",
    responses: {
      204: { headers: { Deprecation: expect.anything(), Sunset: expect.anything(), Link: expect.anything() } },
    },
  })
  expect(operationOf(publicEndpoint(declaration))).not.toHaveProperty("deprecated")
})
