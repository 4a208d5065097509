import PostalMime from "postal-mime"
import { afterAll, beforeAll, expect, test } from "vitest"
import { addMembers, call, contactId, create, mailOf, newBroadcaster, read, runDue } from "@/e2e/support/broadcasting"
import { faultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, relayAt, type Sending } from "@/e2e/support/delivery/sending"
import { addContacts, newSegment } from "@/e2e/support/segments/audience"
import { expectProblem } from "@/e2e/support/expect-problem"
import { api, newKey } from "@/e2e/support/world"
import type { Relays } from "@/lib/delivery/regions/relays"
import { newId } from "@/lib/platform/ids"

let sender: Sending
let server: Awaited<ReturnType<typeof faultServer>>
let relays: Relays

beforeAll(async () => {
  sender = await newBroadcaster()
  server = await faultServer({})
  relays = relayAt(server.port)
  const { status } = await api("POST /v1/projects/{projectId}/contact-properties", {
    ...{ key: sender.apiKey, params: { projectId: sender.project }, body: { key: "plan", type: "string" } },
  })
  expect(status).toBe(201)
})

afterAll(async () => {
  await relays.close()
  await server.close()
})

const written = {
  subject: "{{contact.firstName | Dear reader}}, plan {{contact.plan}}",
  html: '<h1>Hi {{contact.firstName | there}}</h1><p>Your <a href="https://x.example/?plan={{contact.plan}}">plan</a></p>',
  text: "Hi {{contact.firstName | there}}.",
  placeholders: true,
}

type Contact = { email: string; firstName?: string; properties?: Record<string, string>; unsubscribed?: boolean }

async function segmentOf(contacts: readonly Contact[]) {
  const segmentId = await newSegment(sender)
  const ids = await addContacts(sender, contacts)
  await addMembers(sender, segmentId, ids)
  return { segmentId, contactIds: ids.map(contactId) }
}

function preview(body: object) {
  const params = { projectId: sender.project }
  return api("POST /v1/projects/{projectId}/broadcasts/preview", { key: sender.apiKey, params, body })
}

const storedPreview = async (id: string, body: object) =>
  (await call(sender, "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/preview", id, { body })).json

/** The tokens of links are made for each delivery. */
const withoutTokens = (text = "") => text.replaceAll(/\/(u|t)\/[\w-]+/g, "/$1/token")

async function received(to: string) {
  const raw = server.messages.findLast((message) => message.includes(`To: ${to}`)) ?? ""
  const { subject, html, text } = await PostalMime.parse(raw)
  // The line break before a boundary belongs to the boundary; the parser leaves it to the part.
  const part = (shown = "") => withoutTokens(shown).replace(/\n$/, "")
  return { subject, html: part(html), text: part(text) }
}

test("what a preview shows of a contact is byte for byte what that contact gets, tracked links and the footer included", async () => {
  const [ada, eve] = [`ada-${newId()}@x.example`, `eve-${newId()}@x.example`]
  const { segmentId, contactIds } = await segmentOf([
    { email: ada, firstName: "Ada & Co", properties: { plan: "pro" } },
    { email: eve },
  ])
  const content = {
    ...mailOf(sender, [segmentId], written),
    trackingSettings: { openTracking: true, clickTracking: true },
  }
  const { json: first } = await preview(content)
  expect(first).toMatchObject({
    person: { contactId: contactIds[0], email: ada },
    people: [{ email: ada }, { email: eve }],
    ...{ sendable: 2, complete: true },
    lacking: [{ key: "plan", count: 1 }],
  })

  const id = await create(sender, [segmentId], { ...written, trackingSettings: content.trackingSettings })
  await runDue()
  await deliverDue(relays)
  for (const [at, to] of [ada, eve].entries()) {
    const { json } = await preview({ ...content, contactId: contactIds[at] })
    expect(json.html).toContain("/t/")
    expect(json.html).toContain("Unsubscribe, or choose which emails you get")
    const { subject, html, text } = json
    const shown = { subject, html: withoutTokens(html), text: withoutTokens(text) }
    expect(shown, `the preview for ${to}`).toEqual(await received(to))
    expect(await storedPreview(id, { contactId: contactIds[at] })).toMatchObject({ subject, html, text })
  }
  expect((await received(ada)).subject).toBe("Ada & Co, plan pro")
  expect((await received(eve)).html).toContain("<h1>Hi there</h1>")
  const bare = await storedPreview(id, { contactId: contactIds[1], asSent: false })
  expect(bare.text).toBe("Hi there.")
  expect(await read(sender, id)).toMatchObject({ placeholders: true, subject: written.subject, html: written.html })
})

test("a key that reads contacts and no email previews what it gives, and neither a stored broadcast nor a template", async () => {
  const { segmentId } = await segmentOf([{ email: `a-${newId()}@x.example`, firstName: "Ada" }])
  const id = await create(sender, [segmentId], { ...written, scheduledAt: new Date(Date.now() + 3_600_000) })
  const params = { projectId: sender.project, broadcastId: id }
  const template = { name: `News ${newId()}`, subject: "Secret", text: "Not for everybody" }
  const { json: stored } = await api("POST /v1/projects/{projectId}/templates", {
    ...{ key: sender.apiKey, params, body: template },
  })
  await api("POST /v1/projects/{projectId}/templates/{templateId}/publish", {
    ...{ key: sender.apiKey, params: { ...params, templateId: stored.id } },
  })
  const asked = async (key: string) =>
    Promise.all([
      api("POST /v1/projects/{projectId}/broadcasts/preview", { key, params, body: mailOf(sender, [segmentId]) }),
      api("POST /v1/projects/{projectId}/broadcasts/preview", {
        ...{ key, params, body: { to: [segmentId], template: { id: stored.id } } },
      }),
      api("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/preview", { key, params, body: {} }),
    ])
  const { apiKey: contactsAlone } = await newKey(sender.projectId, ["contacts:read"])
  const [given, ...refused] = await asked(contactsAlone)
  expect(given?.status).toBe(200)
  for (const answer of refused) expectProblem(answer, 403, "auth.permission_missing")
  const { apiKey: both } = await newKey(sender.projectId, ["contacts:read", "emails:read"])
  expect((await asked(both)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test("people who would not get it are not counted among those who lack a value, and an audience of nobody has a preview", async () => {
  const { segmentId } = await segmentOf([
    { email: `a-${newId()}@x.example`, unsubscribed: true },
    { email: `b-${newId()}@x.example`, firstName: "Bea" },
  ])
  const text = "{{contact.firstName}}, hello"
  const counted = async (to: string) => (await preview({ to: [to], subject: "News", text, placeholders: true })).json
  expect(await counted(segmentId)).toMatchObject({ sendable: 1, lacking: [] })
  const nobody = await counted((await segmentOf([])).segmentId)
  expect(nobody).toMatchObject({ sendable: 0, people: [], lacking: [] })
  expect(nobody.person).toBeUndefined()
  expect(nobody.text).toMatch(/^, hello\n/)
})

test("a placeholder that names nothing is refused where it is, and without placeholders it is sent as it is written", async () => {
  const to = `${newId()}@x.example`
  const content = { subject: "{{first_name}}", html: "<p>{{contact.nope | x}}</p>", text: "Hi {{ contact.firstName" }
  const body = mailOf(sender, [to], { ...content, placeholders: true })
  const refused = await call(sender, "POST /v1/projects/{projectId}/broadcasts", "", { body })
  expect(refused.status).toBe(400)
  const pointers = ({ errors }: { errors: { pointer: string }[] }) => errors.map(({ pointer }) => pointer)
  expect(pointers(refused.json)).toEqual(["/subject", "/html", "/text"])
  expect(pointers((await preview(body)).json)).toEqual(["/subject", "/html", "/text"])
  expect((await preview({ to, ...content })).json.text).toContain("Hi {{ contact.firstName")

  const id = await create(sender, [to], { ...written, draft: true })
  const edit = (change: object) =>
    call(sender, "PATCH /v1/projects/{projectId}/broadcasts/{broadcastId}", id, { body: change })
  expect(pointers((await edit({ text: "{{contact.nope}}" })).json)).toEqual(["/text"])
  expect((await edit({ text: "Dear {{contact.email}}" })).json).toMatchObject({ placeholders: true })
  expect((await storedPreview(id, {})).text).toContain(`Dear ${to}`)
  expect((await edit({ placeholders: false })).json).toMatchObject({ placeholders: false })
  expect((await storedPreview(id, {})).text).toContain("Dear {{contact.email}}")
})
