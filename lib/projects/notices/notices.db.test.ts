import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { oneWaits, withRival } from "@/e2e/support/platform/rival"
import { newReceiver, type Receiver } from "@/e2e/support/webhooks/http-receiver"
import { local } from "@/e2e/support/webhooks/receiver"
import { api, newMember, newSession, newWorld, type World } from "@/e2e/support/world"
import { tellOwners } from "@/lib/access/system-mail/data"
import { noticeEmail } from "@/lib/access/system-mail/notice-messages"
import type { Notice } from "@/lib/access/system-mail/system-mail"
import { pool, unscopedTransaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { saveTarget } from "@/lib/projects/notices/data"
import { runNoticePosts } from "@/lib/projects/worker"
import { removeProjects, sweep } from "@/lib/worker/housekeeping"

const gone = (webhook: string): Notice => ({
  kind: "webhook-disabled",
  webhook,
  host: "hooks.example.com",
  reason: "gone",
})

async function tell(world: World, notice: Notice) {
  const project = { id: world.projectId, organizationId: world.organizationId, name: "Shop" }
  await unscopedTransaction((tx) => tellOwners(project, { notice, page: "webhooks/whk_1" }, tx))
}

type Listed = { id: string; title: string; read: boolean }
type List = { unread: number; data: Listed[]; cursor: { nextCursor: string | null } }

async function listed(cookie: string, query: Record<string, string> = {}): Promise<List> {
  const { status, json } = await api("GET /v1/session/notices", { cookie, query })
  expect(status).toBe(200)
  return json as List
}

describe("the notices of a person", () => {
  let world: World
  let cookie: string

  beforeAll(async () => {
    world = await newWorld()
    cookie = await newSession(world.userId)
  })

  test("say what the mail says, to every member and to nobody else, and each has read what they marked", async () => {
    await pool().query("UPDATE projects SET name = 'Shop' WHERE id = $1", [world.projectId])
    await tell(world, gone("Orders"))
    const viewer = await newMember(world, "viewer")
    const [notice, ...more] = (await api("GET /v1/session/notices", { cookie: viewer.cookie })).json.data
    expect(more).toEqual([])
    const url = `http://localhost:3000/projects/${world.project}/webhooks/whk_1`
    const mail = noticeEmail({ ...gone("Orders"), project: "Shop", url }, "localhost:3000")
    expect(notice).toMatchObject({
      ...{ title: mail.subject, kind: "webhook-disabled", page: "webhooks/whk_1", read: false },
      ...{ project: "Shop", projectId: world.project, details: [] },
    })
    expect(mail.text.startsWith(`${notice.message}\n`)).toBe(true)

    const stranger = await newWorld()
    expect(await listed(await newSession(stranger.userId))).toMatchObject({ unread: 0, data: [] })

    expect((await listed(cookie)).unread).toBe(1)
    const marked = await api("PUT /v1/session/notice-reads", { cookie, body: { upTo: notice.at } })
    expect(marked.status).toBe(204)
    expect(await listed(cookie)).toMatchObject({ unread: 0, data: [{ id: notice.id, read: true }] })
    expect(await listed(viewer.cookie)).toMatchObject({ unread: 1, data: [{ id: notice.id, read: false }] })
  })

  test("come in pages, with those to operators in between, each once and the newest first", async () => {
    const own = await newWorld()
    const mine = await newSession(own.userId)
    await pool().query("UPDATE users SET operator_since = now() WHERE id = $1", [own.userId])
    await pool().query("DELETE FROM operator_notices")
    const facts = { queueId: 1, region: "eu-west-1", address: "203.0.113.5", destination: "A", reply: "no" }
    for (let nth = 0; nth < 7; nth++) {
      await tell(own, gone(`Hook ${nth}`))
      await pool().query("INSERT INTO operator_notices (id, kind, facts) VALUES ($1, 'address_blocked', $2)", [
        newId(),
        { ...facts, destination: `Mail ${nth}` },
      ])
    }
    const titles: string[] = []
    let after: string | null = null
    do {
      const page: List = await listed(mine, { size: "4", ...(after && { after }) })
      expect(page.unread).toBe(14)
      titles.push(...page.data.map(({ title }) => title))
      after = page.cursor.nextCursor
    } while (after && titles.length < 50)
    expect(titles).toEqual(
      [6, 5, 4, 3, 2, 1, 0].flatMap((nth) => [`Mail ${nth} refuses 203.0.113.5`, `Webhook Hook ${nth} is disabled`]),
    )
    // Who is no operator any more sees those of the projects alone.
    await pool().query("UPDATE users SET operator_since = NULL WHERE id = $1", [own.userId])
    expect((await listed(await newSession(own.userId), { size: "100" })).data).toHaveLength(7)
  })

  test("are kept for 90 days, and end with their project", async () => {
    const own = await newWorld()
    await tell(own, gone("Old"))
    await tell(own, gone("New"))
    const count = async () =>
      Number((await pool().query("SELECT count(*) FROM notices WHERE project_id = $1", [own.projectId])).rows[0].count)
    await pool().query(
      "UPDATE notices SET id = first_id_at(now() - interval '91 days') WHERE project_id = $1 AND facts->>'webhook' = 'Old'",
      [own.projectId],
    )
    await sweep()
    expect(await count()).toBe(1)
    await pool().query("UPDATE projects SET deleted_at = now() - interval '365 days' WHERE id = $1", [own.projectId])
    await removeProjects(10_000)
    expect(await count()).toBe(0)
  })
})

/** No wait between two posts is as long: so a test sees whether a post is still under way. */
const leaseSeconds = 100

describe("the chat of a project", () => {
  let world: World
  let cookie: string
  let receiver: Receiver
  let status = 200
  let stop: AbortController
  let running: Promise<void>
  const params = () => ({ projectId: world.project })

  beforeEach(async () => {
    status = 200
    world = await newWorld()
    cookie = await newSession(world.userId)
    receiver = await newReceiver((_, response) => response.writeHead(status).end())
    stop = new AbortController()
    running = runNoticePosts({ signal: stop.signal, guard: local, intervalMs: 20, leaseMs: leaseSeconds * 1_000 })
  })
  afterEach(async () => {
    stop.abort()
    await running
    receiver.close()
  })

  /** As the API saves it, which would refuse the receiver's address. */
  const save = (url = receiver.url) =>
    saveTarget(
      {
        project: { id: world.projectId, organizationId: world.organizationId, name: "Shop" },
        principal: { kind: "session", userId: world.userId },
        request: { id: newId(), ip: "127.0.0.1" },
      } as unknown as Parameters<typeof saveTarget>[0],
      new URL(url),
    )
  const target = async () =>
    (await api("GET /v1/projects/{projectId}/notice-target", { cookie, params: params() })).json.target
  const soon = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 20_000, interval: 20 })
  const makeDue = () =>
    pool().query(
      "UPDATE notices SET due_at = now() - interval '1 second' WHERE project_id = $1 AND due_at IS NOT NULL",
      [world.projectId],
    )

  test("gets a notice as text and blocks, and the settings say so without the URL", async () => {
    await save()
    await tell(world, gone("Orders"))
    await soon(() => expect(receiver.received).toHaveLength(1))
    const body = JSON.parse(receiver.received[0]?.body ?? "{}")
    expect(Object.keys(body)).toEqual(["text", "blocks"])
    expect(body.text).toContain("*Webhook Orders is disabled*\n")
    expect(body.text).toContain(`/projects/${world.project}/webhooks/whk_1|Open the webhook>`)
    expect(body.blocks[0]).toEqual({
      type: "section",
      text: { type: "mrkdwn", text: expect.stringMatching(/^\*Webhook/) },
    })
    await soon(async () => expect(await target()).toHaveProperty("lastSuccessAt"))
    const shown = await target()
    expect(Object.keys(shown).sort()).toEqual(["host", "lastSuccessAt", "updatedAt"])
    expect(shown.host).toBe(new URL(receiver.url).host)
  })

  test("that fails is tried again, six times in all, and the failure is shown until a post is taken", async () => {
    status = 500
    await save()
    await tell(world, gone("Orders"))
    for (let attempts = 1; attempts <= 6; attempts++) {
      await soon(() => expect(receiver.received.length).toBe(attempts))
      await soon(async () => {
        const { rows } = await pool().query(
          `SELECT attempt, due_at IS NULL AS ended, coalesce(due_at - now() BETWEEN $2 * interval '0.7 seconds' AND $2 * interval '1 second', false) AS held
            FROM notices WHERE project_id = $1`,
          [world.projectId, leaseSeconds],
        )
        expect(rows).toEqual([{ attempt: attempts, ended: attempts === 6, held: false }])
        expect(await target()).toMatchObject({ failure: "answered", statusCode: 500 })
      })
      if (attempts < 6) await soon(async () => expect((await makeDue()).rowCount).toBe(1))
    }
    status = 204
    await tell(world, gone("Second"))
    await soon(async () => expect(await target()).not.toHaveProperty("failure"))
    expect(receiver.received).toHaveLength(7)
  })

  test("is tested by an owner, and what the test was answered is said", async () => {
    await save()
    status = 404
    // Over the API the receiver's private address is refused.
    const refused = await api("POST /v1/projects/{projectId}/notice-target/tests", { cookie, params: params() })
    expect(refused.json).toEqual({ delivered: false, failure: "refused" })
    expect(await target()).toMatchObject({ failure: "refused" })
    expect(receiver.received).toEqual([])
  })

  test("that was replaced says nothing of the one in its place", async () => {
    const late: (() => void)[] = []
    const former = await newReceiver((_, response) => void late.push(() => void response.writeHead(500).end()))
    await save(former.url)
    await tell(world, gone("Orders"))
    await soon(() => expect(late).toHaveLength(1))
    await save()
    late[0]?.()
    await soon(async () => {
      const { rows } = await pool().query(
        "SELECT due_at > now() + interval '5 s' AS waits FROM notices WHERE project_id = $1",
        [world.projectId],
      )
      expect(rows).toEqual([{ waits: true }])
    })
    expect(await target()).not.toHaveProperty("failure")
    former.close()
  })

  test("is set by two at once, of whom the later one counts", async () => {
    await withRival(async (rival) => {
      await rival.query("BEGIN")
      await rival.query("INSERT INTO notice_targets (project_id, url, host) VALUES ($1, '', 'first.example')", [
        world.projectId,
      ])
      const saved = save()
      await oneWaits()
      await rival.query("COMMIT")
      await saved
    })
    expect((await target()).host).toBe(new URL(receiver.url).host)
  })

  test("leads to no private address, is set by owners and admins alone, and can be removed", async () => {
    const put = (by: string, url: string) =>
      api("PUT /v1/projects/{projectId}/notice-target", { cookie: by, params: params(), body: { url } })
    for (const url of ["http://127.0.0.1/x", "https://10.0.0.1/x", "https://localhost/x", "ftp://example.com/x", "x"])
      expect((await put(cookie, url)).json).toMatchObject({ code: "request.invalid", errors: [{ pointer: "/url" }] })
    for (const role of ["viewer", "developer"] as const)
      expect((await put((await newMember(world, role)).cookie, "https://hooks.example.com/x")).status).toBe(403)
    const secret = "https://hooks.example.com/services/very-secret"
    const saved = await put((await newMember(world, "admin")).cookie, secret)
    expect([saved.status, JSON.stringify(saved.json)]).toEqual([200, expect.not.stringContaining("very-secret")])
    const rows = await pool().query("SELECT row_to_json(t)::text AS text FROM notice_targets t")
    expect(JSON.stringify(rows.rows)).not.toContain("very-secret")
    const remove = () => api("DELETE /v1/projects/{projectId}/notice-target", { cookie, params: params() })
    expect((await remove()).status).toBe(204)
    expect((await remove()).json.code).toBe("notice_target.not_found")
    expect(await target()).toBe(undefined)
  })
})
