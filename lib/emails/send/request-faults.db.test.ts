import { beforeAll, describe, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { type Answer, api, newSession, newWorld, type World } from "@/e2e/support/world"
import { endpoints } from "@/lib/api/registry"
import { pool } from "@/lib/platform/database/db"
import { methodOf } from "@/lib/platform/http/endpoint"

const mail = { from: "Acme <hello@acme.test>", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }
let world: World
beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
})

const send = (change: object) => api("POST /v1/emails", { key: world.apiKey, body: { ...mail, ...change } })
const faultsOf = ({ json }: Answer) => json.errors?.map(({ pointer }: { pointer: string }) => pointer)
const noDates = [
  "2027-02-30T10:00:00Z",
  "2027-13-01T10:00:00Z",
  "2027-04-31T10:00:00+02:00",
  "2027-02-29T10:00:00Z",
  "2027-01-01T24:30:00Z",
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00+01:00",
  "9999-12-31T23:59:59-01:00",
  "2027-01-01",
  "1700000000",
]

describe("times", () => {
  test.each(noDates)("%s is 400 wherever a time is taken", async (time) => {
    const params = { projectId: world.project }
    const filter = { all: [{ field: "createdAt", operator: "before", value: time }] }
    const answers = [
      ["/scheduledAt", await send({ scheduledAt: time })],
      ["/deliveryWindow/start", await send({ deliveryWindow: { start: time, end: "2027-06-01T10:00:00Z" } })],
      ["/deliveryWindow/end", await send({ deliveryWindow: { start: "2027-06-01T10:00:00Z", end: time } })],
      [
        "/filter/all/0/value",
        await api("POST /v1/projects/{projectId}/segments/preview", { key: world.apiKey, params, body: { filter } }),
      ],
      [
        "query/after",
        await api("GET /v1/projects/{projectId}/emails", { key: world.apiKey, params, query: { after: time } }),
      ],
    ] as const
    for (const [pointer, answer] of answers)
      expect({ status: answer.status, faults: faultsOf(answer) }, pointer).toEqual({ status: 400, faults: [pointer] })
  })

  test("a delivery window that ends at or before its start is 400 at its end", async () => {
    const start = "2027-06-01T10:00:00Z"
    for (const end of [start, "2027-06-01T12:00:00+02:00", "2027-06-01T09:59:59.999Z"]) {
      const answer = await send({ deliveryWindow: { start, end } })
      expect({ status: answer.status, faults: faultsOf(answer) }, end).toEqual({
        status: 400,
        faults: ["/deliveryWindow/end"],
      })
    }
    expect((await send({ deliveryWindow: { start, end: "2027-06-01T10:00:00.001Z" } })).status).toBe(201)
  })
})

describe("pointers", () => {
  test.each([
    [{ to: ["ada@lovelace.example", "nobody"] }, ["/to/1"]],
    [{ to: ["ada@lovelace.example", 5, "nobody"] }, ["/to/1", "/to/2"]],
    [{ to: "nobody" }, ["/to"]],
    [{ to: 5 }, ["/to"]],
    [{ to: [] }, ["/to"]],
    [{ cc: ["ada@lovelace.example", { a: 1 }] }, ["/cc/1"]],
    [{ tags: { fine: "x", ["k".repeat(65)]: "x" } }, [`/tags/${"k".repeat(65)}`]],
    [{ metadata: { fine: "x", long: "x".repeat(257), "a\nb": "x" } }, ["/metadata/long", "/metadata/a\nb"]],
    [{ from: "bad", to: ["worse"], text: undefined }, ["/from", "/to/0", "/html"]],
    [{ from: "bad", template: 5, subject: undefined, text: undefined }, ["/from", "/template"]],
    [{ from: "bad", text: "a\0b" }, ["/text", "/from"]],
    [
      { from: "bad", cc: ["a@x.example"], trackingSettings: { unsubscribeTracking: true } },
      ["/from", "/trackingSettings/unsubscribeTracking"],
    ],
    [{ attachments: [{ filename: "a.txt", content: "aGk=", contentType: "text/plain" }, 7] }, ["/attachments/1"]],
  ])("%j is refused at the element that is wrong, with a sentence, alone and in a batch", async (change, pointers) => {
    const alone = await send(change)
    expect({ status: alone.status, faults: faultsOf(alone) }).toEqual({ status: 400, faults: pointers })
    for (const { detail } of alone.json.errors) expect(detail).toMatch(/^[A-Z].* .*\.$/)
    const batch = await api("POST /v1/emails/batch", { key: world.apiKey, body: { items: [{ ...mail, ...change }] } })
    expect(batch.json.results[0].problem.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      pointers.map((pointer) => `/items/0${pointer}`),
    )
  })
})

describe("what would seem to narrow a destructive act is refused", () => {
  test("bulk cancel takes no query but projectId and no body but {}, and until then cancels nothing", async () => {
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    const { json: scheduled } = await send({ scheduledAt })
    const cancel = (call: object) => api("DELETE /v1/emails", { key: world.apiKey, ...call })
    for (const query of [{ ids: scheduled.id }, { projectId: world.project, status: "scheduled" }]) {
      const answer = await cancel({ query })
      expect({ status: answer.status, faults: faultsOf(answer) }).toEqual({
        status: 400,
        faults: [`query/${Object.keys(query).at(-1)}`],
      })
    }
    for (const rawBody of [`{"ids":["${scheduled.id}"]}`, "[]", "null", "ids=1", "{", "\0"]) {
      expect((await cancel({ rawBody })).status, rawBody).toBe(400)
    }
    const { rows } = await pool().query(
      "SELECT count(*)::int AS n FROM emails WHERE project_id = $1 AND status = 'scheduled'",
      [world.projectId],
    )
    expect(rows[0].n).toBe(1)
    expect((await cancel({ rawBody: " { }\n", query: { projectId: world.project } })).json).toEqual({ cancelled: 1 })
  })

  const narrowable = endpoints.filter(
    (endpoint) => methodOf(endpoint) === "DELETE" || endpoint.operationId.startsWith("import"),
  )
  test.each(narrowable.map((endpoint) => [endpoint.route, endpoint] as const))(
    "an undeclared query parameter of %s is 400",
    async (route, endpoint) => {
      const cookie = endpoint.access.credential === "session" ? await newSession(world.userId) : undefined
      const isImport = methodOf(endpoint) === "POST"
      const body = endpoint.bodyStream
        ? { rawBody: "email\n", headers: { "content-type": endpoint.bodyStream } }
        : isImport && { body: { suppressions: [] } }
      const answer = await api(route, {
        ...(cookie ? { cookie } : { key: world.apiKey }),
        params: { projectId: world.project },
        query: { ...(endpoint.example?.query as object), dry_run: "true" },
        ...body,
      })
      expect({ status: answer.status, faults: faultsOf(answer) }).toEqual({ status: 400, faults: ["query/dry_run"] })
    },
  )
})
