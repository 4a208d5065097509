import { beforeAll, expect, test } from "vitest"
import { expectProblem } from "@/e2e/support/expect-problem"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const params = (templateId = "") => ({ projectId: world.project, ...(templateId && { templateId }) })
const create = (body: object) =>
  api("POST /v1/projects/{projectId}/templates", { key: world.apiKey, params: params(), body })
const change = (id: string, body: object) =>
  api("PATCH /v1/projects/{projectId}/templates/{templateId}", { key: world.apiKey, params: params(id), body })
const publish = (id: string) =>
  api("POST /v1/projects/{projectId}/templates/{templateId}/publish", { key: world.apiKey, params: params(id) })
const pointers = ({ json }: { json: { errors: { pointer: string }[] } }) => json.errors.map(({ pointer }) => pointer)

const variables = [
  { name: "plan", type: "string", fallback: "free" },
  { name: "link", type: "url" },
]

test("a template is saved, published, changed and published again; every version stays as it was", async () => {
  const created = await create({ name: newId(), subject: "One", text: "{{plan}} {{link}}", variables })
  expect({ status: created.status, version: created.json.version, isChanged: created.json.isChanged }).toEqual({
    ...{ status: 201, version: 0, isChanged: true },
  })
  const { id } = created.json
  expect((await publish(id)).json).toMatchObject({ version: 1, isChanged: false })
  expect((await change(id, { subject: "Two", html: "<p>{{plan}}</p>", text: "" })).json).toMatchObject({
    ...{ subject: "Two", html: "<p>{{plan}}</p>", version: 1, isChanged: true },
  })
  await publish(id)
  const { json } = await api("GET /v1/projects/{projectId}/templates/{templateId}/versions", {
    ...{ key: world.apiKey, params: params(id) },
  })
  expect(json.data.map(({ createdAt: _, ...version }: { createdAt: string }) => version)).toEqual([
    { version: 2, subject: "Two", html: "<p>{{plan}}</p>", variables },
    { version: 1, subject: "One", text: "{{plan}} {{link}}", variables },
  ])
  const { rows } = await pool().query("SELECT action, changes FROM audit_entries WHERE target = $1 ORDER BY id", [id])
  expect(rows.map(({ action }) => action)).toEqual(
    ["create", "publish", "update", "publish"].map((done) => `templates.${done}`),
  )
  expect(rows[2].changes).toEqual({ fields: ["subject", "html", "text"], targetName: created.json.name })
})

test("a template differs from its published version until it holds the same again", async () => {
  const { id } = (await create({ name: newId(), subject: "One", text: "{{plan}} {{link}}", variables })).json
  const isChanged = async (body: object) => {
    const { json } = await change(id, body)
    const read = await api("GET /v1/projects/{projectId}/templates/{templateId}", {
      ...{ key: world.apiKey, params: params(id) },
    })
    expect(read.json).toEqual(json)
    return json.isChanged
  }
  expect(await isChanged({ subject: "One" })).toBe(true)
  await publish(id)
  expect(await isChanged({ subject: "One", text: "{{plan}} {{link}}", variables })).toBe(false)
  expect(await isChanged({ name: newId() })).toBe(false)
  for (const [edit, back] of [
    [{ subject: "Two" }, { subject: "One" }],
    [{ html: "<p>Hi</p>" }, { html: "" }],
    [{ variables: [...variables, { name: "more", type: "string" }] }, { variables }],
  ] as const) {
    expect([await isChanged(edit), await isChanged({ name: newId() }), await isChanged(back)]).toEqual([
      true,
      true,
      false,
    ])
  }
  await change(id, { subject: "Two" })
  await publish(id)
  expect(await isChanged({ subject: "One" })).toBe(true)
})

test("unknown names, broken syntax and unfit fallbacks are refused when saved, each with its pointer", async () => {
  const refused = await create({ name: newId(), subject: "{{who}}", html: "<p>{{contact.shoeSize}}</p>", text: "{{" })
  expect({ status: refused.status, pointers: pointers(refused) }).toEqual({
    status: 400,
    pointers: ["/subject", "/html", "/text"],
  })
  const unfit = await create({
    ...{ name: newId(), subject: "x", text: "x" },
    variables: [
      { name: "a", type: "number", fallback: "many" },
      { name: "a", type: "url", fallback: "javascript:alert(1)" },
    ],
  })
  expect(pointers(unfit)).toEqual([...["/variables/0/fallback", "/variables/1/fallback", "/variables/1/name"]])
  const { json } = await create({ name: newId(), subject: "x", text: "{{plan}}", variables })
  expect(pointers(await change(json.id, { variables: [] }))).toEqual(["/text"])
  expect(pointers(await change(json.id, { text: " " }))).toEqual(["/text"])
})

test("a name is taken once in a project", async () => {
  const name = newId()
  await create({ name, subject: "x", text: "x" })
  expectProblem(await create({ name, subject: "x", text: "x" }), 409, "template.already_exists")
  const other = await create({ name: newId(), subject: "x", text: "x" })
  expectProblem(await change(other.json.id, { name }), 409, "template.already_exists")
})

test("the preview renders the published version where that is asked for", async () => {
  const key = world.apiKey
  const { json } = await create({ name: newId(), subject: "First", text: "One" })
  const preview = async () => {
    const body = { published: true }
    return api("POST /v1/projects/{projectId}/templates/{templateId}/preview", { key, params: params(json.id), body })
  }
  expect(pointers(await preview()), "before it is published").toEqual(["/published"])
  await api("POST /v1/projects/{projectId}/templates/{templateId}/publish", { key, params: params(json.id) })
  await api("PATCH /v1/projects/{projectId}/templates/{templateId}", {
    ...{ key, params: params(json.id), body: { subject: "Second" } },
  })
  expect((await preview()).json).toEqual({ subject: "First", text: "One" })
})

test("the preview renders what was saved for a contact, and names what has no value", async () => {
  const key = world.apiKey
  await api("POST /v1/projects/{projectId}/contact-properties", {
    ...{ key, params: params(), body: { key: "shoe", type: "string", fallbackValue: "none" } },
  })
  const contact = await api("POST /v1/projects/{projectId}/contacts", {
    ...{ key, params: params(), body: { email: `${newId()}@x.example`, firstName: "<Ada>" } },
  })
  const { json } = await create({
    ...{ name: newId(), subject: "Hi {{contact.firstName}} {{plan}}", variables },
    html: '<a href="{{link}}">{{contact.firstName}} {{contact.lastName | you}} {{contact.shoe}} {{plan}}</a>',
  })
  const preview = (body: object) =>
    api("POST /v1/projects/{projectId}/templates/{templateId}/preview", { key, params: params(json.id), body })
  const plan = "a\r\nBcc: x@y.example"
  const link = "https://x.example/?a=1&b={{plan}}"
  expect((await preview({ variables: { link, plan }, contactId: contact.json.id })).json).toEqual({
    subject: "Hi <Ada> a Bcc: x@y.example",
    html: '<a href="https://x.example/?a=1&amp;b={{plan}}">&lt;Ada&gt; you none a\r\nBcc: x@y.example</a>',
  })
  expect(pointers(await preview({ variables: { plane: "x" } }))).toEqual(["/variables/plane", "/variables/link"])
  const nobody = await preview({ variables: { link } })
  expect({ status: nobody.status, detail: nobody.json.errors[0].detail }).toEqual({
    status: 400,
    detail: "{{contact.firstName}} has neither a value nor a fallback.",
  })
})
