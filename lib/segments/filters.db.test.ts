import fc from "fast-check"
import { beforeAll, describe, expect, test } from "vitest"
import { newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"
import { systemClock } from "@/lib/platform/time"
import type { Scope } from "@/lib/platform/http/scope"
import { explainContact, previewAudience } from "@/lib/segments/preview/data"
import { engagementEvents, type Group } from "@/lib/segments/rules"
import { addContacts, addDelivery, membersOf, newSegment } from "@/e2e/support/segments/audience"
import { evaluate, type Subject } from "@/e2e/support/segments/evaluate"
import { filters } from "@/e2e/support/segments/filters"
import { assertInTime } from "@/e2e/support/properties"

const day = 86_400_000
let world: World
let scope: Scope
let subjects: Map<string, Subject>
let topicIds: string[]
let segmentIds: string[]
const now = new Date()

beforeAll(async () => {
  world = await newWorld()
  scope = { project: { id: world.projectId } } as Scope
  topicIds = await Promise.all(["opt_in", "opt_out"].map(addTopic))
  await pool().query(
    "INSERT INTO contact_properties (id, project_id, key, type) SELECT gen_random_uuid(), $1, key, type FROM (VALUES ('plan', 'string'), ('age', 'number'), ('member', 'boolean'), ('joined', 'date')) AS p(key, type)",
    [world.projectId],
  )
  subjects = new Map(Array.from({ length: 40 }, (_, n) => subjectOf(n)))
  const ids = await addContacts(
    world,
    [...subjects.values()].map(({ firstName, engagementTier, ...one }) => ({
      ...one,
      ...(firstName === null ? {} : { firstName }),
      ...(engagementTier === null ? {} : { engagementTier }),
    })),
  )
  await pool().query("UPDATE contacts SET updated_at = created_at WHERE project_id = $1", [world.projectId])
  for (const [n, subject] of [...subjects.values()].entries()) {
    await addHistory(subject)
    for (const [at, topicId] of topicIds.entries()) {
      if ((n + at) % 3 === 0) continue
      const subscription = (n + at) % 3 === 1 ? "opt_in" : "opt_out"
      await pool().query(
        "INSERT INTO topic_preferences (project_id, topic_id, contact_id, subscription) VALUES ($1, $2, $3, $4)",
        [world.projectId, decodeId("top", topicId), ids[n], subscription],
      )
      ;(subject.topics as Map<string, string>).set(topicId, subscription)
    }
  }
  // One by a filter, one by hand.
  segmentIds = await Promise.all([
    newSegment(world, { all: [{ field: "unsubscribed", operator: "is", value: false }] }),
    newSegment(world),
  ])
  for (const [n, subject] of [...subjects.values()].entries()) {
    const isIn = [!subject.unsubscribed, n % 5 === 1]
    segmentIds.forEach((id, at) => isIn[at] && (subject.segments as Set<string>).add(id))
    if (!isIn[1]) continue
    await pool().query(
      "INSERT INTO segment_members (project_id, segment_id, contact_id, origin) VALUES ($1, $2, $3, 'added')",
      [world.projectId, decodeId("seg", segmentIds[1] ?? ""), ids[n]],
    )
  }
}, 60_000)

async function addTopic(subscription: string): Promise<string> {
  const id = newId()
  await pool().query("INSERT INTO topics (id, project_id, name, default_subscription) VALUES ($1, $2, $3, $3)", [
    id,
    world.projectId,
    subscription,
  ])
  return encodeId("top", id)
}

/** People that differ in all that can be asked, some of it missing. */
function subjectOf(n: number): [string, Subject] {
  const email = `${["ada", "bob", "cem", "dora"][n % 4]}${n}@${["x", "y"][n % 2]}.example`
  return [
    email,
    {
      email,
      firstName: n % 5 === 0 ? null : (["Ada", "bob", "O'Neil", "50%_off"][n % 4] ?? null),
      createdAt: new Date(now.getTime() - n * 13 * day - day / 2),
      updatedAt: new Date(now.getTime() - n * 13 * day - day / 2),
      unsubscribed: n % 7 === 0,
      validationStatus: ["valid", "risky", "invalid", "unknown"][n % 4] ?? "unknown",
      engagementTier: n % 6 === 0 ? null : (["new", "cold", "cool", "warm", "hot"][n % 5] ?? null),
      properties: {
        ...(n % 3 ? { plan: ["pro", "free", "' OR 1=1--"][n % 3] ?? "" } : {}),
        ...(n % 4 ? { age: n % 8 === 5 ? "unknown" : String(n - 20) } : {}),
        ...(n % 3 ? { member: String(n % 2 === 0) } : {}),
        ...(n % 5
          ? {
              joined:
                n % 8 === 5 ? "long ago" : new Date(now.getTime() + (100 - n * 20) * day).toISOString().slice(0, 10),
            }
          : {}),
      },
      segments: new Set(),
      topics: new Map(topicIds.map((id, at) => [id, at ? "opt_out" : "opt_in"])),
      happened: engagementEvents.flatMap((event, at) =>
        (n + at) % 4 ? [] : [{ event, at: new Date(now.getTime() - n * 9 * day - day / 3) }],
      ),
    },
  ]
}

async function addHistory({ email, happened }: Subject) {
  for (const { event, at } of happened) {
    const given = { sent: { sentAt: at }, delivered: { deliveredAt: at }, bounced: { bouncedAt: at } }[
      event as "sent"
    ] ?? { events: [{ type: event, at }] }
    await addDelivery(world, email, given)
  }
}

const pools = () => ({
  texts: fc.constantFrom(
    "a",
    "ADA",
    "o'neil",
    "50%_",
    "_",
    "%",
    "x.example",
    "pro",
    "free",
    "' OR 1=1--",
    "ada4@x.example",
  ),
  keys: ["plan"],
  numberKeys: ["age"],
  booleanKeys: ["member"],
  dateKeys: ["joined"],
  topics: topicIds,
  segments: segmentIds,
})

const expected = (filter: Group) =>
  [...subjects.values()]
    .filter((subject) => evaluate(filter, subject, now))
    .map(({ email }) => email)
    .sort()

describe("any filter", () => {
  test("makes those members that its meaning says, and tells of each why", async () => {
    await assertInTime(
      fc.asyncProperty(filters(pools()), fc.nat(39), async (filter, n) => {
        const members = expected(filter)
        const preview = await previewAudience(scope, { filter }, null, systemClock)
        expect({ count: preview.count, exact: preview.exact, scanned: preview.scanned }).toEqual({
          count: members.length,
          exact: true,
          scanned: 40,
        })
        expect(preview.sample.every(({ email }) => members.includes(email))).toBe(true)
        const email = [...subjects.keys()][n] ?? ""
        const { rows } = await pool().query("SELECT id FROM contacts WHERE project_id = $1 AND email = $2", [
          world.projectId,
          email,
        ])
        const told = await explainContact(scope, rows[0].id, { filter, segmentId: null, optedIn: null, topicId: null })
        expect(told?.matches).toBe(members.includes(email))
      }),
      { numRuns: 150 },
    )
  }, 60_000)

  test("selects the same contacts in a segment as in a preview", async () => {
    await assertInTime(
      fc.asyncProperty(filters(pools()), async (filter) => {
        expect(await membersOf(await newSegment(world, filter))).toEqual(expected(filter))
      }),
      { numRuns: 15 },
    )
  }, 60_000)
})
