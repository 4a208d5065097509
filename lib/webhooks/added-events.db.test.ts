import { dispatchAll } from "@/lib/worker/dispatcher"
import sharp from "sharp"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { createImporting } from "@/e2e/support/contacts/importing"
import { pool, transaction } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import { addedEvents } from "@/lib/webhooks/rules"
import { newWebhook } from "@/e2e/support/webhooks/receiver"
import { endAll, receiver, settled, work } from "@/e2e/support/webhooks/working"

let world: World
beforeEach(async () => {
  world = await newWorld()
})
afterEach(endAll)

const contacts = "/v1/projects/{projectId}/contacts"
const suppressions = "/v1/projects/{projectId}/suppressions"
const at = (params: Record<string, string> = {}) => ({
  key: world.apiKey,
  params: { projectId: world.project, ...params },
})
const addContact = async (body: object = {}) =>
  (await api(`POST ${contacts}`, { ...at(), body: { email: "ada@lovelace.example", ...body } })).json.id as string
const subscribe = (events: readonly string[] = addedEvents) => newWebhook(world, "http://127.0.0.1:1/", { events })

/** What was written for webhooks since the last call, oldest first. */
async function written(): Promise<[type: string, data: Record<string, string>][]> {
  const { rows } = await pool().query(
    "DELETE FROM events WHERE project_id = $1 AND type LIKE '%.%' RETURNING id, type, data",
    [world.projectId],
  )
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ type, data }) => [type, data])
}

describe("one event for each change", () => {
  test("of a contact, with what it is now and what was changed", async () => {
    await subscribe()
    const id = await addContact({ firstName: "Ada" })
    const [[created, facts] = []] = await written()
    expect({ created, facts }).toEqual({
      created: "contact.created",
      facts: { contactId: expect.any(String), email: "ada@lovelace.example", firstName: "Ada", unsubscribed: "false" },
    })
    const change = (body: object) => api(`PATCH ${contacts}/{contactId}`, { ...at({ contactId: id }), body })
    await change({ lastName: "Lovelace", firstName: "Augusta Ada" })
    expect(await written()).toEqual([
      ["contact.updated", { ...facts, firstName: "Augusta Ada", lastName: "Lovelace", changed: "firstName,lastName" }],
    ])
    await change({ lastName: "Lovelace" })
    expect(await written()).toEqual([])
    await api(`DELETE ${contacts}/{contactId}`, at({ contactId: id }))
    expect(await written()).toEqual([
      ["contact.deleted", { contactId: facts?.contactId, email: "ada@lovelace.example" }],
    ])
  })

  test("of a contact's picture, whether it is uploaded, replaced, removed or linked to", async () => {
    await subscribe(["contact.updated"])
    const id = await addContact()
    const image = `${contacts}/{contactId}/image` as const
    const upload = async (background: string) => {
      const png = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer()
      const rawBody = new FormData()
      rawBody.append("file", new Blob([new Uint8Array(png)]), "me.png")
      return api(`POST ${image}`, { ...at({ contactId: id }), rawBody })
    }
    const seen: unknown[] = []
    for (const change of [
      () => upload("#345"),
      () => upload("#678"),
      () => api(`DELETE ${image}`, at({ contactId: id })),
      () => api(`PUT ${image}`, { ...at({ contactId: id }), body: { url: "https://lovelace.example/ada.png" } }),
    ]) {
      const { status } = await change()
      seen.push([status, (await written()).map(([type, { changed }]) => `${type} ${changed}`)])
    }
    const told = ["contact.updated imageUrl"]
    expect(seen).toEqual([
      [200, told],
      [200, told],
      [204, told],
      [200, told],
    ])
  })

  test("of a suppression; a contact that unsubscribes is updated and suppressed, once each", async () => {
    await subscribe()
    await api(`POST ${suppressions}`, { ...at(), body: { email: "eve@example.com" } })
    await api(`POST ${suppressions}`, { ...at(), body: { email: "eve@example.com" } })
    expect(await written()).toEqual([
      ["suppression.added", { suppressionId: expect.any(String), email: "eve@example.com", reason: "manual" }],
    ])
    await api(`DELETE ${suppressions}/{email}`, at({ email: "eve@example.com" }))
    expect((await written()).map(([type]) => type)).toEqual(["suppression.removed"])

    const id = await addContact()
    await written()
    await api(`PATCH ${contacts}/{contactId}`, { ...at({ contactId: id }), body: { unsubscribed: true } })
    const all = await written()
    expect(all.map(([type]) => type).sort()).toEqual(["contact.updated", "suppression.added"])
    expect(all.find(([type]) => type === "contact.updated")?.[1]).toMatchObject({
      unsubscribed: "true",
      changed: "unsubscribed",
    })
  })

  test("of a domain, when it is added, removed, or its status changes, and not when it is checked", async () => {
    await subscribe()
    const added = await api("POST /v1/projects/{projectId}/domains", {
      ...at(),
      body: { domain: `events-${world.projectId.slice(-6)}.test`, region: "eu-west-1" },
    })
    expect(added.status).toBe(201)
    expect(await written()).toEqual([
      [
        "domain.created",
        { domainId: expect.any(String), domain: added.json.domain, region: "eu-west-1", status: "pending" },
      ],
    ])
    const become = (status: string) =>
      pool().query("UPDATE domains SET status = $2, checked_at = now() WHERE project_id = $1", [
        world.projectId,
        status,
      ])
    for (const status of ["verified", "verified", "degraded", "failed"]) await become(status)
    expect((await written()).map(([type, { previousStatus }]) => [type, previousStatus])).toEqual([
      ["domain.verified", "pending"],
      ["domain.degraded", "verified"],
      ["domain.failed", "degraded"],
    ])
    await api("DELETE /v1/projects/{projectId}/domains/{domainId}", at({ domainId: added.json.id }))
    expect((await written()).map(([type]) => type)).toEqual(["domain.deleted"])
  })
})

test("the ids of events have the order of their changes, within a millisecond too", async () => {
  const ids: string[] = []
  for (let n = 0; n < 500; n++) {
    const { rows } = await pool().query<{ id: string }>("SELECT new_event_id() AS id")
    ids.push(...rows.map(({ id }) => id))
  }
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(500)
  expect(ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toEqual(
    [],
  )
  const madeAt = Number.parseInt(ids.at(-1)?.replace("-", "").slice(0, 12) ?? "", 16)
  expect(Math.abs(Date.now() - madeAt)).toBeLessThan(60_000)
})

test("a change that is rolled back leaves no event", async () => {
  await subscribe()
  const insert = transaction(async (client) => {
    await client.query("INSERT INTO contacts (id, project_id, email) VALUES ($1, $2, 'gone@example.com')", [
      newId(),
      world.projectId,
    ])
    throw new Error("back")
  })
  await expect(insert).rejects.toThrow("back")
  expect(await written()).toEqual([])
})

test("where nobody asks for a type by its name, nothing is written: by no webhook, another type, or one that is disabled", async () => {
  const id = await addContact()
  await newWebhook(world, "http://127.0.0.1:1/")
  await subscribe(["contact.created"])
  const { id: paused } = await subscribe(["contact.deleted", "suppression.added"])
  await pool().query("UPDATE webhooks SET disabled_at = now() WHERE id = $1", [paused])
  await api(`PATCH ${contacts}/{contactId}`, { ...at({ contactId: id }), body: { firstName: "Ada" } })
  await api(`POST ${suppressions}`, { ...at(), body: { email: "eve@example.com" } })
  await api(`DELETE ${contacts}/{contactId}`, at({ contactId: id }))
  const other = await newWorld()
  await api(`POST ${contacts}`, {
    key: other.apiKey,
    params: { projectId: other.project },
    body: { email: "x@example.com" },
  })
  expect(await written()).toEqual([])
})

test("an import writes one event for each contact that it adds or changes, and none for those it leaves as they are", async () => {
  await subscribe()
  const importing = createImporting(world)
  const csv = (name: string) =>
    `email,firstName\n${Array.from({ length: 2_000 }, (_, row) => `person${row}@example.com,${row < 1_500 ? "Same" : name}`).join("\n")}\n`
  expect((await importing.bring(csv("First"))).created).toBe(2_000)
  const created = await written()
  expect(new Set(created.map(([type]) => type))).toEqual(new Set(["contact.created"]))
  expect(new Set(created.map(([, { email }]) => email)).size).toBe(2_000)
  await importing.bring(csv("Second"), { mode: "upsert" })
  const updated = await written()
  expect(updated).toHaveLength(500)
  expect(new Set(updated.map(([type, { changed }]) => `${type} ${changed}`))).toEqual(
    new Set(["contact.updated firstName"]),
  )
})

test("they go the way of all events, with public ids, past filters and transformations", async () => {
  const { url, received } = await receiver()
  const webhook = await newWebhook(world, url, {
    events: ["contact.created", "suppression.added"],
    filters: [{ field: "data.email", operator: "contains", value: "@lovelace.example" }],
    transformations: [{ type: "remove_field", field: "data.unsubscribed" }],
  })
  const id = await addContact()
  await addContact({ email: "grace@hopper.example" })
  await dispatchAll()
  work()
  await settled(webhook.id)
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([
    {
      id: expect.stringMatching(/^evt_/),
      type: "contact.created",
      timestamp: expect.any(String),
      createdAt: expect.any(String),
      projectId: encodeId("proj", world.projectId),
      data: { contactId: id, email: "ada@lovelace.example" },
    },
  ])
  const preview = await api("POST /v1/projects/{projectId}/webhooks/preview", {
    ...at(),
    body: { events: ["contact.created"] },
  })
  expect(preview.json.data).toHaveLength(2)
})

test("a project that is deleted with all it has tells nobody", async () => {
  await subscribe()
  await addContact()
  await written()
  await pool().query("DELETE FROM projects WHERE id = $1", [world.projectId])
  expect(await written()).toEqual([])
})
