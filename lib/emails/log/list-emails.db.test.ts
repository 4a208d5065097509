import { beforeAll, expect, test, vi } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { holdStatements } from "@/e2e/support/platform/held-statements"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"

let world: World
let domains: { acme: string; other: string }
const topic = newId()

beforeAll(async () => {
  world = await newWorld()
  domains = { acme: await addVerifiedDomain(world), other: await addVerifiedDomain(world, "other.test") }
  await send({ from: "hello@acme.test", subject: "One", tags: { kind: "receipt", order: "8841" } })
  await send({ from: "hello@other.test", subject: "Two", tags: { kind: "alert", "a:b": "c", "😀": "x" } })
  await send({ from: "hello@acme.test", subject: "Three" })
  await pool().query("UPDATE emails SET topic_id = $2 WHERE project_id = $1 AND subject = 'Three'", [
    world.projectId,
    topic,
  ])
})

async function send(mail: object) {
  const { status, json } = await api("POST /v1/emails", {
    key: world.apiKey,
    body: { to: ["ada@lovelace.example"], text: "Hi", ...mail },
  })
  if (status !== 201) throw new Error(JSON.stringify(json))
}

async function subjects(query: Record<string, string>, of = world) {
  const { status, json } = await api("GET /v1/projects/{projectId}/emails", {
    key: of.apiKey,
    params: { projectId: of.project },
    query,
  })
  expect(status).toBe(200)
  expect(json.page.total).toBe(json.data.length)
  return json.data.map(({ subject }: { subject: string }) => subject)
}

test("the log is chosen by sending domain", async () => {
  expect(await subjects({ domainId: domains.acme })).toEqual(["Three", "One"])
  expect(await subjects({ domainId: domains.other })).toEqual(["Two"])
  expect(await subjects({ domainId: encodeId("dom", newId()) })).toEqual([])
})

test("the log is chosen by a tag's name, or by name and value, also where the name holds a colon", async () => {
  expect(await subjects({ tag: "kind" })).toEqual(["Two", "One"])
  expect(await subjects({ tag: "kind:receipt" })).toEqual(["One"])
  expect(await subjects({ tag: "a:b" })).toEqual(["Two"])
  expect(await subjects({ tag: "😀:x" })).toEqual(["Two"])
  expect(await subjects({ tag: ":" })).toEqual([])
  expect(await subjects({ tag: "kind:" })).toEqual([])
})

test("the log is chosen by topic and by time, and choices narrow each other", async () => {
  expect(await subjects({ topicId: encodeId("top", topic) })).toEqual(["Three"])
  const hour = (ahead: number) => new Date(Date.now() + ahead * 3_600_000).toISOString()
  expect(await subjects({ after: hour(-1), before: hour(1) })).toHaveLength(3)
  expect(await subjects({ after: hour(1) })).toEqual([])
  expect(await subjects({ domainId: domains.acme, tag: "order:8841", after: hour(-1) })).toEqual(["One"])
  expect(await subjects({ domainId: domains.other, tag: "order:8841" })).toEqual([])
})

test("before 1970 no email was sent, and after it every one: a caller's unset time chooses as its date says", async () => {
  for (const time of ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z"]) {
    expect(await subjects({ after: time }), `after ${time}`).toEqual(["Three", "Two", "One"])
    expect(await subjects({ after: time, search: "acme" }), `after ${time}, found`).toEqual(["Three", "One"])
    expect(await subjects({ before: time }), `before ${time}`).toEqual([])
    expect(await subjects({ before: time, search: "acme" }), `before ${time}, found`).toEqual([])
  }
})

test("the log is chosen by one status or by several, and a list with one that does not exist is refused", async () => {
  const set = (subject: string, status: string) =>
    pool().query("UPDATE emails SET status = $3 WHERE project_id = $1 AND subject = $2", [
      world.projectId,
      subject,
      status,
    ])
  await set("One", "delivered")
  await set("Two", "opened")
  await set("Three", "scheduled")
  expect(await subjects({ status: "opened" })).toEqual(["Two"])
  expect(await subjects({ status: "delivered,opened" })).toEqual(["Two", "One"])
  expect(await subjects({ status: "opened,opened,bounced", tag: "kind" })).toEqual(["Two"])
  for (const status of ["delivered,gone", "delivered,", ""]) {
    const { status: code, json } = await api("GET /v1/projects/{projectId}/emails", {
      key: world.apiKey,
      params: { projectId: world.project },
      query: { status },
    })
    expect({ code, pointer: json.errors?.[0]?.pointer }, status).toEqual({ code: 400, pointer: "query/status" })
  }
})

test("another project's domain, topic and tags find nothing here", async () => {
  const other = await newWorld()
  const choices: Record<string, string>[] = [
    { domainId: domains.acme },
    { topicId: encodeId("top", topic) },
    { tag: "kind" },
  ]
  for (const query of choices) {
    expect(await subjects(query, other)).toEqual([])
  }
})

test("an id of the wrong form and a text that no database takes are refused with their pointer", async () => {
  for (const [name, value] of [
    ["domainId", "acme.test"],
    ["topicId", "top_1"],
    ["tag", "a\0b"],
    ["subject", "\0"],
  ] as const) {
    const { status, json } = await api("GET /v1/projects/{projectId}/emails", {
      key: world.apiKey,
      params: { projectId: world.project },
      query: { [name]: value },
    })
    expect({ status, pointer: json.errors?.[0]?.pointer }, name).toEqual({ status: 400, pointer: `query/${name}` })
  }
})

test("of the reads that may read much of the log one runs at a time, and the first page waits for none of them", async () => {
  const read = async (query: Record<string, string>, list: "emails" | "emails/counts" = "emails") => {
    const of = { key: world.apiKey, params: { projectId: world.project }, query }
    return (await api(`GET /v1/projects/{projectId}/${list}`, of)).status
  }
  const { held, release } = holdStatements("FROM emails e WHERE e.project_id = $1 AND", "OFFSET", "newest.status")
  const walk = read({ subject: "zzzq" })
  await vi.waitFor(() => expect(held).toHaveLength(1))
  const long = [
    read({ status: "delivered", page: "50" }),
    read({ recipient: "ada@lovelace.example" }),
    read({ search: "zzzq" }),
    read({ page: "501" }),
    read({}, "emails/counts"),
    read({ search: "zzzq" }, "emails/counts"),
  ]
  const first = [await read({}), await read({ size: "100" })]
  const sent = [...held]
  release()
  expect(first, "statuses of first pages beside them").toEqual([200, 200])
  expect(sent, "statements before the first read has ended").toHaveLength(1)
  expect(await Promise.all([walk, ...long]), "statuses of the long reads").toEqual(Array(7).fill(200))
})
