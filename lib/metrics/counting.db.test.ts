import fc from "fast-check"
import { beforeEach, describe, expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { type Counter, counters } from "@/lib/metrics/rules"
import { pool } from "@/lib/platform/database/db"
import { columnOf } from "@/lib/platform/database/shape"
import { newId } from "@/lib/platform/ids"
import { dispatchAll, dispatchOnce } from "@/lib/worker/dispatcher"
import { assertInTime } from "@/e2e/support/properties"

let world: World
beforeEach(async () => {
  world = await newWorld()
})

type Recipient = {
  emailId: string
  deliveryId: string
  address: string
  domain: string
  topicId: string | null
  tags: Record<string, string>
  attempts: number
  html: string | null
  text: string | null
}

async function store(recipient: Recipient): Promise<void> {
  const { emailId, deliveryId, address, domain, topicId, tags, attempts, html, text } = recipient
  await pool().query(
    `INSERT INTO emails (id, project_id, group_id, status, admitted_status, domain_id, from_header, to_headers, cc_headers,
        bcc_headers, subject, message_id, topic_id, tags)
      VALUES ($1, $2, $1, 'sent', 'queued', $1, $3, '{}', '{}', '{}', 's', 'm', $4, $5)`,
    [emailId, world.projectId, `Acme <hello@${domain}>`, topicId, JSON.stringify(tags)],
  )
  await pool().query("INSERT INTO email_bodies (project_id, email_id, html, text) VALUES ($1, $2, $3, $4)", [
    world.projectId,
    emailId,
    html,
    text,
  ])
  await pool().query(
    `INSERT INTO deliveries (id, project_id, email_id, region, role, address, canonical, status, attempt_count)
      VALUES ($1, $2, $3, 'eu-west-1', 'to', $4, $4, 'sent', $5)`,
    [deliveryId, world.projectId, emailId, address, attempts],
  )
}

const newRecipient = (given: Partial<Recipient> = {}): Recipient => ({
  emailId: newId(),
  deliveryId: newId(),
  address: "ada@gmail.com",
  domain: "acme.test",
  topicId: null,
  tags: {},
  attempts: 1,
  html: null,
  text: "Hi",
  ...given,
})

type Happening = { recipient: Recipient; type: string; data?: Record<string, string>; occurredAt: Date }

async function happen({ recipient, type, data = {}, occurredAt }: Happening): Promise<void> {
  await pool().query(
    `INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [newId(), world.projectId, recipient.emailId, recipient.deliveryId, type, JSON.stringify(data), occurredAt],
  )
}

/** What an event means, written down again without the code under test. */
function meaning(type: string, data: Record<string, string>): Counter[] {
  if (data.simulator) return []
  if (["sent", "delivered", "failed", "bounced"].includes(type)) return ["sent"]
  if (type === "opened") return data.machine ? ["machineOpens", "anyOpens"] : ["opened", "anyOpens"]
  if (data.machine || data.reason) return []
  const plain = {
    clicked: "clicked",
    complained: "complained",
    unsubscribed: "unsubscribed",
    delivery_delayed: "delayed",
  }
  const counter = (plain as Record<string, Counter>)[type]
  return counter ? [counter] : []
}

type Kept = { deliveryId: string; type: string; data: Record<string, string>; at: Date }

const bounces: Record<string, Counter | "refused"> = { hard: "bounced", ours: "refusedOurs", soft: "refused" }

/** What became of an email in the end, by all of its events in their order. */
function outcome(events: readonly Kept[]): Counter | "refused" | undefined {
  let ended: Counter | "refused" | undefined
  for (const { type, data } of events) {
    const isBounce = ended !== undefined && Object.values(bounces).includes(ended)
    if (type === "delivery_delayed" && data.reason && isBounce) ended = "pending"
    if (isBounce || ended === "failed") continue
    if (type === "bounced") ended = bounces[data.bounceType ?? ""]
    if (type === "failed" || type === "delivered") ended = type
    if (type === "sent" && ended !== "delivered")
      ended = data.deliveryReported || ended === "unreported" ? "unreported" : "pending"
  }
  return ended
}

type Place = { at: string; key: string; dimension: string; counter: Counter }

/** Counts the stored events anew, each recipient once, at the hour of the event that was dispatched first. */
async function recount(recipients: Recipient[]): Promise<Place[]> {
  const { rows } = await pool().query<Kept>(
    `SELECT delivery_id AS "deliveryId", type, data, occurred_at AS at FROM events WHERE project_id = $1 ORDER BY seq`,
    [world.projectId],
  )
  const seen = new Set<string>()
  return rows.flatMap(({ deliveryId, type, data, at }) => {
    const recipient = recipients.find((one) => one.deliveryId === deliveryId)
    if (!recipient) throw new Error("An event of nobody.")
    return meaning(type, data).flatMap((counter) => {
      if (seen.has(deliveryId + counter)) return []
      seen.add(deliveryId + counter)
      const also: Counter[] = []
      if (counter === "sent") {
        const ended = outcome(rows.filter((row) => row.deliveryId === deliveryId && !row.data.simulator))
        if (ended && ended !== "refused") also.push(ended)
        if (ended === "delivered" && recipient.attempts > 1) also.push("deferred")
      }
      if (counter === "sent" && recipient.html !== null) {
        if (recipient.text === null) also.push("htmlOnly")
        if (recipient.html.length > 104_448) also.push("clipped")
      }
      return [counter, ...also].flatMap((one) => placesOf(recipient, one, at))
    })
  })
}

function placesOf({ domain, address, topicId, tags }: Recipient, counter: Counter, instant: Date): Place[] {
  const provider = address.endsWith("@gmail.com") ? "gmail" : (address.split("@")[1] ?? "")
  const keys = [
    ["project", ""],
    ["domain", domain],
    ["provider", provider],
    ...(topicId ? [["topic", topicId]] : []),
    ...Object.entries(tags).map(([name, value]) => ["tag", `${name}:${value}`]),
  ] as [string, string][]
  const [hour, day] = [new Date(instant).setUTCMinutes(0, 0, 0), new Date(instant).setUTCHours(0, 0, 0, 0)]
  return keys.flatMap(([dimension, key]) => [
    { at: `hour ${new Date(hour).toISOString()}`, dimension, key, counter },
    ...(dimension === "project" ? [] : [{ at: `day ${new Date(day).toISOString()}`, dimension, key, counter }]),
  ])
}

function tally(places: Place[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { at, dimension, key, counter } of places) {
    const name = `${dimension} ${key} ${at} ${counter}`
    sums.set(name, (sums.get(name) ?? 0) + 1)
  }
  return new Map([...sums].toSorted())
}

async function kept(): Promise<Map<string, number>> {
  const { rows: hours } = await pool().query("SELECT * FROM metric_hours WHERE project_id = $1", [world.projectId])
  const { rows: slices } = await pool().query(
    "SELECT * FROM metric_slices WHERE project_id = $1 AND dimension IN ('domain', 'provider', 'topic', 'tag')",
    [world.projectId],
  )
  const rows = [
    ...hours.map((row) => ({ ...row, name: `project  hour ${row.hour.toISOString()}` })),
    ...slices.map((row) => ({
      ...row,
      name: `${row.dimension} ${row.key} ${row.grain} ${row.starts_at.toISOString()}`,
    })),
  ]
  const named = rows.flatMap((row) =>
    counters.flatMap((counter): [string, number][] =>
      row[columnOf(counter)] === 0 ? [] : [[`${row.name} ${counter}`, row[columnOf(counter)]]],
    ),
  )
  return new Map(named.toSorted())
}

const people = fc.record({
  address: fc.constantFrom("ada@gmail.com", "max@firma.example", "eva@web.example"),
  domain: fc.constantFrom("acme.test", "news.acme.test"),
  topic: fc.boolean(),
  tags: fc.constantFrom<Record<string, string>[]>({}, { kind: "receipt" }, { kind: "newsletter", team: "shop" }),
  attempts: fc.integer({ min: 1, max: 3 }),
  html: fc.constantFrom(null, "<p>Hi</p>", `<p>${"x".repeat(104_448)}</p>`),
  text: fc.constantFrom(null, "Hi"),
})
const happenings = fc.array(
  fc.record({
    who: fc.nat(4),
    type: fc.constantFrom(
      ...[
        "sent",
        "delivered",
        "bounced",
        "failed",
        "opened",
        "clicked",
        "complained",
        "unsubscribed",
        "delivery_delayed",
      ],
    ),
    bounceType: fc.constantFrom("hard", "soft", "ours"),
    machine: fc.boolean(),
    unreported: fc.boolean(),
    takenBack: fc.boolean(),
    simulator: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    minute: fc.nat(50 * 60),
    times: fc.integer({ min: 1, max: 3 }),
    breaks: fc.boolean(),
  }),
  { minLength: 30, maxLength: 60 },
)

describe("the counters", () => {
  test("equal a recount of the events, out of order and doubled, for the project, its domains, providers, topics and tags", async () => {
    await assertInTime(
      fc.asyncProperty(fc.array(people, { minLength: 5, maxLength: 5 }), happenings, async (given, events) => {
        world = await newWorld()
        const topicId = await newTopic()
        const recipients = given.map(({ topic, ...of }) => newRecipient({ ...of, topicId: topic ? topicId : null }))
        for (const recipient of recipients) await store(recipient)
        const start = Date.UTC(2026, 10, 20, 22, 30)
        for (const { who, type, bounceType, machine, unreported, takenBack, simulator, ...when } of events) {
          const { minute, times, breaks } = when
          const recipient = recipients[who]
          if (!recipient) throw new Error("Nobody.")
          const data = {
            ...(type === "bounced" ? { bounceType } : {}),
            ...(machine && (type === "opened" || type === "clicked") ? { machine: "true" } : {}),
            ...(type === "sent" && unreported ? { deliveryReported: "false" } : {}),
            ...(type === "delivery_delayed" && takenBack ? { reason: "bounce_taken_back" } : {}),
            ...(simulator ? { simulator: "true" } : {}),
          }
          // The same event comes again later, with a later time.
          for (let time = 0; time < times; time++) {
            await happen({ recipient, type, data, occurredAt: new Date(start + (minute + time * 70) * 60_000) })
            if (breaks) await dispatchOnce()
          }
        }
        await dispatchAll()
        expect(await kept()).toEqual(tally(await recount(recipients)))
      }),
      { numRuns: 15 },
    )
  }, 120_000)

  test("a topic's hours are the same in its performance and in the breakdown", async () => {
    const topicId = await newTopic()
    const recipient = newRecipient({ topicId })
    await store(recipient)
    for (const type of ["sent", "delivered", "opened"]) await happen({ recipient, type, occurredAt: new Date() })
    await dispatchAll()
    const sums = counters.map((name) => `sum(${columnOf(name)})::int AS ${columnOf(name)}`).join(", ")
    const { rows: byTopic } = await pool().query(`SELECT ${sums} FROM topic_hours WHERE topic_id = $1`, [topicId])
    const { rows: bySlice } = await pool().query(
      `SELECT ${sums} FROM metric_slices WHERE dimension = 'topic' AND key = $1::text AND grain = 'hour'`,
      [topicId],
    )
    expect(byTopic).toEqual(bySlice)
    expect(byTopic[0]).toMatchObject({ sent: 1, delivered: 1, opened: 1 })
  })

  test("a day keeps 200 domains of recipients and every known provider; the rest is one sum", async () => {
    const at = new Date("2026-11-20T12:00:00Z")
    for (let count = 0; count < 210; count++) {
      await happen({
        recipient: newRecipient(),
        type: "delivered",
        data: { to: `a@firm-${count}.example` },
        occurredAt: at,
      })
    }
    await dispatchAll()
    await happen({ recipient: newRecipient(), type: "delivered", data: { to: "a@gmail.com" }, occurredAt: at })
    await happen({ recipient: newRecipient(), type: "delivered", data: { to: "a@firm-7.example" }, occurredAt: at })
    await dispatchAll()
    const rows = async (grain: string) =>
      (
        await pool().query(
          `SELECT key, delivered FROM metric_slices WHERE project_id = $1 AND dimension = 'provider' AND grain = $2
            ORDER BY delivered DESC, key`,
          [world.projectId, grain],
        )
      ).rows
    const days = await rows("day")
    expect(days).toHaveLength(202)
    expect(days.slice(0, 2)).toEqual([
      { key: "", delivered: 10 },
      { key: "firm-7.example", delivered: 2 },
    ])
    expect(days).toContainEqual({ key: "gmail", delivered: 1 })
    expect(await rows("hour")).toEqual(days)
  })

  test("what the advisor points at is kept with the email and the code", async () => {
    const large = newRecipient({ html: `<p>${"x".repeat(120_000)}</p>`, text: null })
    await store(large)
    const refused = newRecipient()
    await store(refused)
    await happen({ recipient: large, type: "delivered", occurredAt: new Date() })
    const data = { bounceType: "ours", bounceCode: "5.7.26" }
    await happen({ recipient: refused, type: "bounced", data, occurredAt: new Date() })
    await dispatchAll()
    const { rows } = await pool().query(
      `SELECT dimension, key, clipped, html_only, refused_ours FROM metric_slices
        WHERE project_id = $1 AND grain = 'day' AND dimension IN ('clipped', 'htmlOnly', 'refusal') ORDER BY dimension`,
      [world.projectId],
    )
    expect(rows).toEqual([
      { dimension: "clipped", key: large.emailId, clipped: 1, html_only: 0, refused_ours: 0 },
      { dimension: "htmlOnly", key: large.emailId, clipped: 0, html_only: 1, refused_ours: 0 },
      { dimension: "refusal", key: "5.7.26 acme.test", clipped: 0, html_only: 0, refused_ours: 1 },
    ])
  })
})

async function newTopic(): Promise<string> {
  const { status } = await api("POST /v1/projects/{projectId}/topics", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { name: "News", defaultSubscription: "opt_in" },
  })
  expect(status).toBe(201)
  const { rows } = await pool().query("SELECT id FROM topics WHERE project_id = $1", [world.projectId])
  return rows[0].id
}
