import { beforeAll, expect, test } from "vitest"
import { call, create, newBroadcaster, newMembers, read, runDue } from "@/e2e/support/broadcasting"
import type { Sending } from "@/e2e/support/delivery/sending"
import { api } from "@/e2e/support/world"
import { addEvents } from "@/lib/emails/data"
import { pool } from "@/lib/platform/database/db"
import { decodeId } from "@/lib/platform/ids"

let sender: Sending

beforeAll(async () => {
  sender = await newBroadcaster()
})

const one = "GET /v1/projects/{projectId}/broadcasts/{broadcastId}" as const

async function emailsOf(id: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM emails WHERE broadcast_id = $1 ORDER BY id", [
    decodeId("bc", id),
  ])
  return rows.map(({ id: email }) => email)
}

/** As the job that judges clicks writes them. */
async function clicked(emailId: string | undefined, urls: readonly string[], more: Record<string, string> = {}) {
  const type = "clicked"
  const events = urls.map((url) => ({ emailId: emailId ?? "", type, data: { url, ...more } }))
  await addEvents({ project: { id: sender.projectId } }, events)
  if (!more.machine) await pool().query("UPDATE emails SET status = 'clicked' WHERE id = $1", [emailId])
}

test("clicks are counted by link and by people, those of machines and of other broadcasts left out", async () => {
  const { segmentId } = await newMembers(sender, 4, "clicker")
  const [id, other] = [await create(sender, [segmentId]), await create(sender, [segmentId])]
  await runDue()
  const [ada, bob, eve] = await emailsOf(id)
  const [a, b] = ["https://x.example/a", "https://x.example/b"]
  await clicked(ada, [a, a, b])
  await clicked(bob, [a])
  await clicked(eve, [b], { machine: "true" })
  await clicked((await emailsOf(other))[0], ["https://x.example/other"])
  expect((await call(sender, `${one}/links`, id)).json).toEqual({
    data: [
      { url: a, clicks: 3, people: 2 },
      { url: b, clicks: 1, people: 1 },
    ],
    complete: true,
  })
})

test("what is tracked is what the broadcast says, else what the project did when it began", async () => {
  const { segmentId } = await newMembers(sender, 1, "tracked")
  const settings = (openTracking: boolean) =>
    api("PATCH /v1/projects/{projectId}", {
      ...{ key: sender.apiKey, params: { projectId: sender.project } },
      body: {
        trackingSettings: { openTracking, clickTracking: false, readEngagement: false, unsubscribeTracking: false },
      },
    })
  expect((await settings(true)).status).toBe(200)
  const id = await create(sender, [segmentId], { trackingSettings: { clickTracking: true } })
  const draft = await create(sender, [segmentId], { draft: true })
  await runDue()
  await settings(false)
  expect((await read(sender, id)).tracked).toEqual({ opens: true, clicks: true })
  expect((await read(sender, draft)).tracked).toEqual({ opens: false, clicks: false })
})

test("a copy is a draft with the content and recipients of the other, and is changed by itself", async () => {
  const { segmentId } = await newMembers(sender, 1, "copied")
  const html = "<p>Hi {{contact.firstName | there}}</p>"
  const id = await create(sender, [segmentId], { html, placeholders: true, tags: { month: "may" } })
  await runDue()
  const { status, json: copy } = await call(
    sender,
    "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/duplicate",
    id,
  )
  expect(status).toBe(201)
  expect(copy).toMatchObject({ status: "draft", to: [segmentId], html, placeholders: true, tags: { month: "may" } })
  expect(copy.counts).toMatchObject({ accepted: 0, sent: 0 })
  const body = { subject: "Another" }
  await call(sender, "PATCH /v1/projects/{projectId}/broadcasts/{broadcastId}", copy.id, { body })
  expect((await read(sender, id)).subject).toBe("News")
})

test("a change that builds on an earlier state is refused, and tells so instead of overwriting", async () => {
  const { segmentId } = await newMembers(sender, 1, "changed")
  const id = await create(sender, [segmentId], { draft: true })
  const { updatedAt: unchangedSince } = await read(sender, id)
  const change = (body: object) => call(sender, "PATCH /v1/projects/{projectId}/broadcasts/{broadcastId}", id, { body })
  const [first, second] = [
    await change({ subject: "Hers", unchangedSince }),
    await change({ subject: "His", unchangedSince }),
  ]
  expect([first.status, second.status, second.json.code]).toEqual([200, 409, "broadcast.changed_meanwhile"])
  expect((await read(sender, id)).subject).toBe("Hers")
  expect((await change({ subject: "His", unchangedSince: first.json.updatedAt })).status).toBe(200)
  const both = await Promise.all(["a", "b"].map((subject) => change({ subject })))
  expect(both.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
})
