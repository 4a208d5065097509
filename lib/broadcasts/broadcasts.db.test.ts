import { setTimeout as wait } from "node:timers/promises"
import { expectProblem } from "@/e2e/support/expect-problem"
import { beforeAll, describe, expect, test } from "vitest"
import { api, newKey } from "@/e2e/support/world"
import * as testing from "@/e2e/support/broadcasting"
import type { Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"

const { addressesOf, call, contactId, create, mailOf, newBroadcaster, newMembers, read, runDue } = testing
const at = "POST /v1/projects/{projectId}/broadcasts"
const one = "/v1/projects/{projectId}/broadcasts/{broadcastId}"

let sender: Sending
let segmentId: string
let ids: string[]

beforeAll(async () => {
  sender = await newBroadcaster()
  ;({ segmentId, ids } = await newMembers(sender, 2))
})

const post = (body: object) => call(sender, at, "", { body })
const faultsOf = ({ json }: { json: { errors?: { pointer: string }[] } }) => json.errors?.map(({ pointer }) => pointer)
const inAnHour = () => new Date(Date.now() + 3600_000).toISOString()

describe("a broadcast is refused", () => {
  test("where a recipient names nothing of the project, at its place", async () => {
    const to = [segmentId, encodeId("seg", newId()), contactId(ids[0]), encodeId("con", newId()), "not an address"]
    expect(faultsOf(await post(mailOf(sender, to)))).toEqual(["/to/4"])
    expect(faultsOf(await post(mailOf(sender, to.slice(0, 4))))).toEqual(["/to/1", "/to/3"])
    const other = await newBroadcaster()
    expect(faultsOf(await call(other, at, "", { body: mailOf(other, [segmentId]) }))).toEqual(["/to/0"])
  })

  test("without recipients, with more than 50, with cc, or without a body", async () => {
    expect(faultsOf(await post(mailOf(sender, [])))).toEqual(["/to"])
    const many = Array.from({ length: 51 }, (_, place) => `r${place}@x.example`)
    expect(faultsOf(await post(mailOf(sender, many)))).toEqual(["/to"])
    expect(faultsOf(await post(mailOf(sender, [segmentId], { cc: ["a@x.example"] })))).toEqual(["/cc"])
    const { text: _text, ...bare } = mailOf(sender, [segmentId])
    expect(faultsOf(await post(bare))).toEqual(["/html"])
    expect(faultsOf(await post({ ...bare, html: "", text: "\u00a0" }))).toEqual(["/text"])
  })

  test("where it would not carry our link to unsubscribe", async () => {
    const without = { trackingSettings: { unsubscribeTracking: false } }
    expect(faultsOf(await post(mailOf(sender, [segmentId], without)))).toEqual([
      "/trackingSettings/unsubscribeTracking",
    ])
    const theirs = { headers: { "List-Unsubscribe": "<https://x.example/u>" } }
    expect(faultsOf(await post(mailOf(sender, [segmentId], theirs)))).toEqual(["/headers/List-Unsubscribe"])
  })

  test("for a time that is past or too far, and with a topic of nobody", async () => {
    for (const scheduledAt of [
      new Date(Date.now() - 1).toISOString(),
      new Date(Date.now() + 40 * 86_400_000).toISOString(),
    ])
      expect(faultsOf(await post(mailOf(sender, [segmentId], { scheduledAt })))).toEqual(["/scheduledAt"])
    const topicId = encodeId("top", newId())
    expect(faultsOf(await post(mailOf(sender, [segmentId], { topicId })))).toEqual(["/topicId"])
  })

  test("from a domain that is not verified or in a suspended project, though a draft may wait for both", async () => {
    const from = "hello@elsewhere.example"
    const refused = await post(mailOf(sender, [segmentId], { from }))
    expectProblem(refused, 422, "email.from_domain_not_verified")
    const { json: draft } = await post(mailOf(sender, [segmentId], { from, draft: true }))
    expect(draft.status).toBe("draft")
    const sent = await call(sender, `POST ${one}/send`, draft.id)
    expectProblem(sent, 422, "email.from_domain_not_verified")
    expect((await read(sender, draft.id)).status).toBe("draft")
  })

  test("when too many have not ended", async () => {
    const full = await newBroadcaster()
    const members = await newMembers(full, 1)
    await pool().query(
      `INSERT INTO broadcasts (id, project_id, status, subject, from_header, entries, content)
        SELECT gen_random_uuid(), $1, 'paused', 's', 'a@x.example', '{}', '{}' FROM generate_series(1, 100)`,
      [full.projectId],
    )
    const refused = await call(full, at, "", { body: mailOf(full, [members.segmentId]) })
    expectProblem(refused, 403, "project.limit_reached")
    const draft = await create(full, [members.segmentId], { draft: true })
    expect((await call(full, `POST ${one}/send`, draft)).json.code).toBe("project.limit_reached")
  })
})

describe("the same idempotency key", () => {
  test("makes one broadcast, however many requests bring it at once", async () => {
    const body = mailOf(sender, [segmentId], { idempotencyKey: "november", draft: true })
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(body)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
    const again = await post({ ...body, subject: "Another" })
    expect({ idempotentReplayed: again.headers.get("idempotent-replayed"), subject: again.json.subject }).toEqual({
      idempotentReplayed: "true",
      subject: "News",
    })
  })
})

describe("a draft", () => {
  test("is sent by nobody before it is asked for, can be changed, and goes to whom it names then", async () => {
    const id = await create(sender, ["old@x.example"], { draft: true, html: "<p>Old</p>" })
    await runDue()
    expect(await addressesOf(id)).toEqual([])
    const changed = await call(sender, `PATCH ${one}`, id, {
      body: { subject: "Newer", to: ["new@x.example"], html: null, tags: { issue: "8" } },
    })
    expect(changed.json).toMatchObject({
      status: "draft",
      subject: "Newer",
      to: ["new@x.example"],
      tags: { issue: "8" },
    })
    expect({ html: changed.json.html, text: changed.json.text }).toEqual({ html: undefined, text: "Hello" })
    expect((await call(sender, `POST ${one}/send`, id)).json.status).toBe("preparing")
    await runDue()
    expect(await addressesOf(id)).toEqual(["new@x.example"])
  })

  test("is checked as a new one when it is changed", async () => {
    const id = await create(sender, [segmentId], { draft: true })
    const change = async (body: object) => faultsOf(await call(sender, `PATCH ${one}`, id, { body }))
    expect(await change({ text: null })).toEqual(["/html"])
    expect(await change({ text: " " })).toEqual(["/text"])
    expect(await change({ to: [segmentId, encodeId("top", newId())] })).toEqual(["/to/1"])
    expect(await change({ subject: "" })).toEqual(["/subject"])
    expect(await change({ scheduledAt: new Date(0).toISOString() })).toEqual(["/scheduledAt"])
    expect((await read(sender, id)).subject).toBe("News")
  })

  test("loses a body that is changed to one without content, and keeps one that is left out", async () => {
    const id = await create(sender, [segmentId], { draft: true, html: "<p>Hello</p>" })
    const { json } = await call(sender, `PATCH ${one}`, id, { body: { html: "\u200b " } })
    expect(json).toMatchObject({ text: "Hello", status: "draft" })
    expect(json).not.toHaveProperty("html")
  })

  test("with a body without content is stored without it", async () => {
    const id = await create(sender, [segmentId], { draft: true, html: "" })
    expect(await read(sender, id)).toMatchObject({ status: "draft", text: "Hello" })
    expect(await read(sender, id)).not.toHaveProperty("html")
  })

  test("that an earlier release stored has neither an empty body nor a header that is refused now", async () => {
    const id = await create(sender, [segmentId], { draft: true })
    const stored = { html: " ", headers: { "X-SMTPAPI": "{}", "X-A": "1", "x-a": "2" } }
    await pool().query("UPDATE broadcasts SET content = content || $2 WHERE id = $1", [decodeId("bc", id), stored])
    expect(await read(sender, id)).toMatchObject({ headers: { "X-A": "1" }, text: "Hello" })
    expect(await read(sender, id)).not.toHaveProperty("html")
    expect(faultsOf(await call(sender, `PATCH ${one}`, id, { body: { subject: "Newer" } }))?.toSorted()).toEqual([
      "/headers/X-SMTPAPI",
      "/headers/x-a",
    ])
  })

  test("with a time waits for it once it is sent, and is deleted without a trace", async () => {
    const scheduledAt = inAnHour()
    const id = await create(sender, [segmentId], { draft: true, scheduledAt })
    expect((await call(sender, `POST ${one}/send`, id)).json).toMatchObject({ status: "scheduled", scheduledAt })
    const other = await create(sender, [segmentId], { draft: true })
    expect((await call(sender, `DELETE ${one}`, other)).status).toBe(204)
    expect((await call(sender, `GET ${one}`, other)).status).toBe(404)
    expect((await call(sender, `DELETE ${one}`, id)).json.code).toBe("broadcast.status_conflict")
  })
})

describe("a scheduled broadcast", () => {
  test("is moved, made a draft again, sent at once, or cancelled", async () => {
    const schedule = () => create(sender, [segmentId], { scheduledAt: inAnHour() })
    const id = await schedule()
    const later = new Date(Date.now() + 7200_000).toISOString()
    expect((await call(sender, `PATCH ${one}`, id, { body: { scheduledAt: later } })).json).toMatchObject({
      ...{ status: "scheduled", scheduledAt: later },
    })
    const { rows } = await pool().query("SELECT due_at FROM broadcasts WHERE id = $1", [decodeId("bc", id)])
    expect(rows[0].due_at.toISOString()).toBe(later)
    const draft = (await call(sender, `PATCH ${one}`, id, { body: { scheduledAt: null } })).json
    expect({ status: draft.status, scheduledAt: draft.scheduledAt }).toEqual({
      status: "draft",
      scheduledAt: undefined,
    })

    const now = await schedule()
    expect((await call(sender, `POST ${one}/send`, now)).json.status).toBe("preparing")
    const never = await schedule()
    expect((await call(sender, `POST ${one}/cancel`, never)).json.status).toBe("cancelled")
    await runDue()
    expect({ status: (await read(sender, now)).status, addresseCount: (await addressesOf(never)).length }).toEqual({
      status: "sent",
      addresseCount: 0,
    })
  })
})

test("each step changes when a broadcast was last updated, and one that is refused does not", async () => {
  const id = await create(sender, [segmentId])
  const updated = [(await read(sender, id)).updatedAt]
  for (const step of ["pause", "resume", "cancel", "resume"] as const) {
    await wait(5)
    await call(sender, `POST ${one}/${step}`, id)
    updated.push((await read(sender, id)).updatedAt)
  }
  expect(updated).toEqual(updated.toSorted())
  expect(new Set(updated.slice(0, 4)).size).toBe(4)
  expect(updated[4]).toBe(updated[3])
})

test("a step that the status does not allow is 409 and changes nothing", async () => {
  const id = await create(sender, ["one@x.example"])
  await runDue()
  for (const step of ["send", "pause", "resume", "cancel"] as const) {
    const { status, json } = await call(sender, `POST ${one}/${step}`, id)
    expect({ status, code: json.code, detail: json.detail }).toEqual({
      status: 409,
      code: "broadcast.status_conflict",
      detail: expect.stringContaining("sent"),
    })
  }
  expect((await call(sender, `PATCH ${one}`, id, { body: { subject: "Late" } })).status).toBe(409)
  expect(await read(sender, id)).toMatchObject({ status: "sent", subject: "News" })
})

test("reading needs emails:read alone, and everything else emails:send", async () => {
  const id = await create(sender, [segmentId], { draft: true })
  const { apiKey: reader } = await newKey(sender.projectId, ["emails:read"])
  const { apiKey: writer } = await newKey(sender.projectId, ["emails:send"])
  expect((await call(sender, `GET ${one}`, id, { key: reader })).status).toBe(200)
  expect((await call(sender, `GET ${one}`, id, { key: writer })).status).toBe(403)
  expect((await call(sender, `POST ${one}/send`, id, { key: reader })).status).toBe(403)
  expect((await call(sender, `DELETE ${one}`, id, { key: writer })).status).toBe(204)
})

test("the list shows broadcasts newest first, by status, without their content", async () => {
  const own = await newBroadcaster()
  const made = [await create(own, ["a@x.example"], { draft: true }), await create(own, ["b@x.example"])]
  await runDue()
  const list = (query = {}) =>
    api("GET /v1/projects/{projectId}/broadcasts", { key: own.apiKey, params: { projectId: own.project }, query })
  const { json } = await list()
  expect(json.data.map(({ id }: { id: string }) => id)).toEqual(made.toReversed())
  expect(Object.keys(json.data[0])).not.toContain("text")
  expect((await list({ status: "draft" })).json).toMatchObject({ data: [{ id: made[0] }], page: { total: 1 } })
})

test("each step is in the audit log", async () => {
  const own = await newBroadcaster()
  const id = await create(own, ["a@x.example"], { draft: true })
  await call(own, `PATCH ${one}`, id, { body: { subject: "B" } })
  await call(own, `POST ${one}/send`, id)
  await call(own, `POST ${one}/pause`, id)
  await call(own, `POST ${one}/resume`, id)
  await call(own, `POST ${one}/cancel`, id)
  const { rows } = await pool().query(
    "SELECT action FROM audit_entries WHERE project_id = $1 AND target = $2 ORDER BY id",
    [own.projectId, id],
  )
  expect(rows.map(({ action }) => action)).toEqual(
    ["create", "update", "send", "pause", "resume", "cancel"].map((verb) => `broadcasts.${verb}`),
  )
})
