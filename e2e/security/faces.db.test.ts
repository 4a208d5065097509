import { beforeAll, beforeEach, expect, test } from "vitest"
import { z } from "zod"
import { hostileTexts, stringPaths, withText, type JsonSchema } from "@/e2e/security/hostile"
import { size } from "@/e2e/support/chaos/size"
import { addBelongings, type Belongings } from "@/e2e/support/examples"
import { FaceServer } from "@/e2e/support/faces"
import { newKey, newSession, newWorld, type World } from "@/e2e/support/world"
import { permissions } from "@/lib/access/permissions"
import type { Face } from "@/lib/faces/face"
import { mailgun } from "@/lib/faces/mailgun/api"
import { postmark } from "@/lib/faces/postmark/api"
import { resend } from "@/lib/faces/resend/api"
import { sendgrid } from "@/lib/faces/sendgrid/api"
import { pool } from "@/lib/platform/database/db"
import { exampleBody } from "@/lib/platform/http/samples"
import { methodOf, pathOf, type Endpoint } from "@/lib/platform/http/endpoint"

// What holds for every operation of the other services' APIs is asked of each of them: the calls are made from the declarations.

type Operation = { face: Face; endpoint: Endpoint }

const operations = [resend, sendgrid, postmark, mailgun].flatMap((face) =>
  face.operations.map((endpoint): Operation => ({ face, endpoint })),
)

const server = new FaceServer()
let owner: World
let own: Belongings
/** What the parameters of the paths name: what the owner's project has. */
let ids: Record<string, string>

beforeAll(async () => {
  owner = await newWorld()
  own = await addBelongings(owner, await newSession(owner.userId))
  const { emailId, templateId, segmentId, topicId, propertyId, domainId, contactId, draftId, webhookId } = own
  ids = {
    ...{ emailId, segmentId, topicId, propertyId, domainId, endpointId: webhookId },
    ...{ template: templateId, contact: contactId, broadcastId: draftId },
    ...{ email: "suppressed@lovelace.example", domain: "acme.test", page: "x" },
  }
})

// How often one may ask is not what these tests are about.
beforeEach(forgetLimits)

async function forgetLimits() {
  await pool().query("DELETE FROM rate_windows")
}

type Change = { ids?: Record<string, string>; query?: Record<string, string>; body?: unknown }

/** Where the least that a schema accepts is not what the operation accepts. */
const bodies: Record<string, unknown> = {
  "PATCH /resend/emails/{emailId}": { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() },
  "POST /resend/audiences/{segmentId}/contacts": { email: "grace@hopper.example" },
  "PATCH /resend/contacts/{contact}/topics": [{ id: "top_01k9q3f7c2e8m9v4x6y8z0a1b3", subscription: "opt_in" }],
  "POST /resend/broadcasts/{broadcastId}/send": {},
  "PATCH /resend/webhooks/{endpointId}": { endpoint: "https://8.8.8.8/hook" },
}

/** Where a foreign id is not a 404: a filter that nothing passes, and a field that is refused. */
const otherAnswers: Record<string, string> = {
  "GET /resend/segments/{segmentId}/contacts": '{"object":"list","has_more":false,"data":[]}',
  "POST /resend/audiences/{segmentId}/contacts": "Names no segment of this project.",
}

/** Calls an operation as its service's SDK does. */
async function ask({ face, endpoint }: Operation, key: string | null, change: Change = {}) {
  const path = pathOf(endpoint).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent({ ...ids, ...change.ids }[name] ?? ""),
  )
  const body = change.body ?? bodies[endpoint.route] ?? exampleBody(endpoint)
  const isForm = face.name === "mailgun"
  const answer = await fetch(`${server.origin}${path}?${new URLSearchParams(change.query).toString()}`, {
    method: methodOf(endpoint),
    headers: {
      ...(key === null ? {} : credentials(face, key)),
      ...(body === undefined
        ? {}
        : { "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json" }),
    },
    body: body === undefined ? undefined : isForm ? new URLSearchParams(formOf(body)).toString() : JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text() }
}

function credentials({ name }: Face, key: string): Record<string, string> {
  if (name === "postmark") return { "x-postmark-server-token": key }
  if (name === "mailgun") return { authorization: `Basic ${Buffer.from(`api:${key}`).toString("base64")}` }
  return { authorization: `Bearer ${key}` }
}

/** Members of an object are fields with its name as their prefix. */
function formOf(body: unknown): [string, string][] {
  return Object.entries(body as object).flatMap(([name, value]): [string, string][] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value as object).map(([field, item]) => [`${name}:${field}`, String(item)])
      : [value].flat().map((item) => [name, String(item)]),
  )
}

/** Which of the two a service gives for which fault is its own affair. */
const refusals = [401, 403]

test("no operation runs without a key, or with one that does not exist", async () => {
  for (const operation of operations)
    for (const key of [null, "mr_live_wrong"]) {
      const { status } = await ask(operation, key)
      expect([operation.endpoint.route, key, refusals.includes(status)]).toEqual([operation.endpoint.route, key, true])
    }
})

test("a key without the permission that an operation names is refused, whatever else it may do", async () => {
  const keys = new Map<string, string>()
  for (const operation of operations) {
    const { access, route } = operation.endpoint
    const needed = access.credential === "none" ? "" : String(access.anyOf[0])
    const others = permissions.filter((one) => one !== needed)
    const key = keys.get(needed) ?? (await newKey(owner.projectId, others)).apiKey
    keys.set(needed, key)
    const { status, text } = await ask(operation, key)
    expect([route, refusals.includes(status), text]).toEqual([route, true, expect.stringContaining(needed)])
  }
})

test("what a path names of another project is not found, and stays as it is", async () => {
  const foreign = Object.keys(ids).filter((name) => name !== "domain" && name !== "page")
  const naming = operations.filter(({ endpoint }) => foreign.some((name) => pathOf(endpoint).includes(`{${name}}`)))
  expect(naming.length).toBeGreaterThan(35)
  const before = await kept()
  const found: unknown[] = []
  for (const operation of naming) {
    const { status, text } = await ask(operation, server.world.apiKey)
    const { route } = operation.endpoint
    if (status !== 404 && !(route in otherAnswers && text.includes(otherAnswers[route] ?? "")))
      found.push([route, status, text])
  }
  expect(found).toEqual([])
  expect(await kept()).toEqual(before)
})

/** How many rows the owner's project has, and when one was last changed. */
async function kept() {
  const tables = [
    "contacts",
    "segments",
    "topics",
    "contact_properties",
    "templates",
    "broadcasts",
    "webhooks",
    "domains",
  ]
  const counts = tables.map(async (table) => {
    const { rows } = await pool().query(
      `SELECT count(*) AS rows, max(updated_at) AS changed FROM ${table} WHERE project_id = $1`,
      [owner.projectId],
    )
    return [table, rows[0]]
  })
  const { rows } = await pool().query("SELECT count(*) AS rows FROM suppressions WHERE project_id = $1", [
    owner.projectId,
  ])
  return [...(await Promise.all(counts)), rows[0]]
}

test("what a body names of another project is refused, where the owner's key is let through", async () => {
  const { segmentId, topicId, templateId, contactId } = own
  const mail = { from: "Acme <hello@acme.test>", to: "grace@hopper.example", subject: "Hello", html: "<p>Hi</p>" }
  const naming: [route: string, body: unknown, ids?: Record<string, string>][] = [
    ["POST /resend/contacts", { email: "a@naming.example", segments: [{ id: segmentId }] }],
    ["POST /resend/contacts", { email: "b@naming.example", topics: [{ id: topicId, subscription: "opt_in" }] }],
    ["POST /resend/emails", { ...mail, topic_id: topicId }],
    ["POST /resend/broadcasts", { ...mail, to: undefined, segment_id: segmentId }],
    ["PATCH /resend/contacts/{contact}/topics", [{ id: topicId, subscription: "opt_in" }], { contact: contactId }],
    ["POST /resend/emails", { from: mail.from, to: mail.to, template: { id: templateId, variables: { number: "1" } } }],
  ]
  await publish()
  for (const [route, body, named] of naming) {
    const operation = operations.find(({ endpoint }) => endpoint.route === route)
    if (!operation) throw new Error(`There is no operation ${route}.`)
    const mine = await ask(operation, owner.apiKey, { body, ids: named })
    expect([route, mine.status < 300, mine.text]).toEqual([route, true, expect.any(String)])
    const theirs = await ask(operation, server.world.apiKey, { body, ids: named })
    expect([route, theirs.status >= 400 && theirs.status < 500, theirs.text]).toEqual([route, true, expect.any(String)])
  }

  async function publish() {
    const operation = operations.find(({ endpoint }) => endpoint.operationId === "resendPublishTemplate")
    expect(operation && (await ask(operation, owner.apiKey)).status).toBe(200)
  }
})

test("hostile text in a path, a parameter or a field is never answered with a fault of ours", async () => {
  const texts = [...hostileTexts, "\0", "'; DROP TABLE emails; --", "../../etc"]
  let nth = 0
  for (const operation of operations) {
    await forgetLimits()
    const { endpoint } = operation
    const body = endpoint.body && (z.toJSONSchema(endpoint.body, { io: "input", unrepresentable: "any" }) as JsonSchema)
    const inPath = [...pathOf(endpoint).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
    const changesWith: ((text: string) => Change)[] = [
      // The server refuses a longer URL before the API sees it.
      ...inPath.map((name) => (text: string) => ({ ids: { [name]: text.slice(0, 2_000) } })),
      ...Object.keys(endpoint.query ?? {}).map((name) => (text: string) => ({
        query: { [name]: text.slice(0, 2_000) },
      })),
      ...(body ? stringPaths(body) : []).map((path) => (text: string) => {
        return { body: withText(exampleBody(endpoint), path, text) }
      }),
    ]
    for (const changeWith of changesWith) {
      // Neighbouring fields take other texts.
      const own = texts[nth++ % texts.length] ?? ""
      for (const text of size([own], texts)) {
        const { status } = await ask(operation, owner.apiKey, changeWith(text))
        expect(status < 500, `${endpoint.route} ${JSON.stringify(changeWith(text)).slice(0, 120)}`).toBe(true)
      }
    }
  }
})
