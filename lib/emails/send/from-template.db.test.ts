import { beforeAll, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { newId } from "@/lib/platform/ids"

let world: World
let templateId: string
const name = "receipt"
const link = "https://x.example/?a=1&b=2"
const hostile = '<b>"{{link}}"</b>\r\nBcc: x@y.example'

beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
  templateId = await newTemplate({
    ...{ name, subject: "Receipt for {{who}}", text: "{{who}} {{link}}" },
    html: '<a href="{{link}}">{{who}}</a> {{plan}}',
    variables: [{ name: "who" }, { name: "link", type: "url" }, { name: "plan", fallback: "free & easy" }],
  })
})

async function newTemplate(body: object): Promise<string> {
  const params = { projectId: world.project }
  const { json } = await api("POST /v1/projects/{projectId}/templates", { key: world.apiKey, params, body })
  await api("POST /v1/projects/{projectId}/templates/{templateId}/publish", {
    ...{ key: world.apiKey, params: { ...params, templateId: json.id } },
  })
  return json.id
}

const from = "Acme <hello@acme.test>"
const send = (body: object) =>
  api("POST /v1/emails", { key: world.apiKey, body: { from, to: "ada@lovelace.example", ...body } })
const read = async (id: string) => {
  const { json } = await api("GET /v1/emails/{emailId}", { key: world.apiKey, params: { emailId: id } })
  return { subject: json.subject, html: json.html, text: json.text }
}
const pointers = ({ json }: { json: { errors: { pointer: string }[] } }) => json.errors.map(({ pointer }) => pointer)

const expected = {
  subject: 'Receipt for <b>"{{link}}"</b> Bcc: x@y.example',
  html: `<a href="https://x.example/?a=1&amp;b=2">&lt;b&gt;&quot;{{link}}&quot;&lt;/b&gt;\r\nBcc: x@y.example</a> free &amp; easy`,
  text: `${hostile} ${link}`,
}

test("an email is made from its template by id or name, and hostile values stay text", async () => {
  for (const ref of [{ id: templateId }, { name }]) {
    const { status, json } = await send({ template: { ...ref, variables: { who: hostile, link } }, subject: "" })
    expect(status).toBe(201)
    expect(await read(json.id)).toEqual(expected)
  }
})

test("in a batch each item has its own template, and one that lacks a value is refused alone", async () => {
  const item = (variables: object) => ({ from, to: "ada@lovelace.example", template: { name, variables } })
  const body = { items: [item({ who: hostile, link }), item({ who: "x" })] }
  const { json } = await api("POST /v1/emails/batch", { key: world.apiKey, body })
  expect(await read(json.results[0].id)).toEqual(expected)
  expect(json.results[1].problem.errors[0].pointer).toBe("/items/1/template/variables/link")
})

test("missing, unknown and unfit values are refused with their pointers", async () => {
  const refused = await send({ template: { name, variables: { link: "javascript:alert(1)", more: 1 } } })
  expect({ status: refused.status, pointers: pointers(refused) }).toEqual({
    status: 400,
    pointers: ["/template/variables/link", "/template/variables/more", "/template/variables/who"],
  })
  const slashed = await send({ template: { name, variables: { link, who: "x", "a/b~c": "x" } } })
  expect(pointers(slashed), "the pointer of a name with / and ~ (RFC 6901)").toEqual(["/template/variables/a~1b~0c"])
})

test("a number is shown with the digits that were given, or refused", async () => {
  const faultsOf = async (body: string) => {
    const text = `{"from":"${from}","to":"ada@lovelace.example","template":{"name":"${name}","variables":{"link":"${link}","who":${body}}}}`
    const answer = await api("POST /v1/emails", {
      ...{ key: world.apiKey, rawBody: text, headers: { "content-type": "application/json" } },
    })
    return answer.status === 201 ? (await read(answer.json.id)).subject : answer.json.errors
  }
  for (const digits of ["7", "-0.1", "1234.5678", "9007199254740991"])
    expect(await faultsOf(digits), digits).toBe(`Receipt for ${digits}`)
  for (const inexact of ["12345678901234567890", "9007199254740993", "1e21", "1e-7"])
    expect(await faultsOf(inexact), inexact).toEqual([
      { pointer: "/template/variables/who", detail: "Give it as text: as a number it is not exact." },
    ])
})

test("a template that is unknown, not published or given beside content is refused", async () => {
  const variables = { who: "x", link }
  await api("POST /v1/projects/{projectId}/templates", {
    ...{ key: world.apiKey, params: { projectId: world.project }, body: { name: "draft", subject: "x", text: "x" } },
  })
  const faultsOf = async (body: object) => pointers(await send(body))
  expect(await faultsOf({ template: { name: "none" } })).toEqual(["/template/name"])
  expect(await faultsOf({ template: { id: "tpl_x" } })).toEqual(["/template/id"])
  expect(await faultsOf({ template: { name: "draft" } })).toEqual(["/template/name"])
  expect(await faultsOf({ template: { variables } })).toEqual(["/template/id"])
  expect(await faultsOf({ template: { name, variables }, subject: "x", html: "x" })).toEqual(["/subject", "/html"])
  expect(await faultsOf({ html: "x" })).toEqual(["/subject"])
})

test("fields of the contact are those of the one recipient", async () => {
  await newTemplate({ name: "hello", subject: "Hi {{contact.firstName | there}}", text: "{{contact.email}}" })
  const [to, other] = [`${newId()}@x.example`, `${newId()}@x.example`]
  await api("POST /v1/projects/{projectId}/contacts", {
    ...{ key: world.apiKey, params: { projectId: world.project }, body: { email: to, firstName: "Ada" } },
  })
  const template = { name: "hello" }
  expect(await read((await send({ to, template })).json.id)).toMatchObject({ subject: "Hi Ada", text: to })
  expect(await read((await send({ to: other, template })).json.id)).toMatchObject({ subject: "Hi there", text: other })
  expect(pointers(await send({ to: [to, other], template }))).toEqual(["/to"])
})

test("a key is replayed with the email that its template made, whatever has become of the template", async () => {
  const idempotencyKey = newId()
  const id = await newTemplate({ name: "once", subject: "Once", text: "x" })
  const first = await send({ template: { id }, idempotencyKey })
  await api("DELETE /v1/projects/{projectId}/templates/{templateId}", {
    ...{ key: world.apiKey, params: { projectId: world.project, templateId: id } },
  })
  const again = await send({ template: { id }, idempotencyKey })
  expect({ status: again.status, id: again.json.id }).toEqual({ status: 201, id: first.json.id })
})
