import { dayMs, hourMs } from "@/lib/platform/time"
import type { Queryable } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import { addSegment } from "@/lib/segments/data"
import type { DemoPerson } from "@/lib/demo/people"
import { insert } from "@/lib/demo/rows-store"
import { idAt, type Seeded } from "@/lib/demo/seeded"

const perStatement = 1_000

const topics = [
  {
    name: "The Friday Letter",
    description: "A letter from the workshop, every Friday.",
    default_subscription: "opt_in",
    visibility: "public",
    chosen: 0.3,
  },
  {
    name: "Sales",
    description: "Two or three times a year.",
    default_subscription: "opt_in",
    visibility: "public",
    chosen: 0.2,
  },
  {
    name: "Evenings in Brennbach",
    description: "Readings and open workshops.",
    default_subscription: "opt_out",
    visibility: "public",
    chosen: 0.12,
  },
] as const

const cities = ["Brennbach", "Northgate", "Oakhill", "Lakeside", "Harbor Town", "Old Mill"]

/**
 * The customers as contacts, with what is known of them, what they want to hear, and segments by hand. Who has
 * unsubscribed by a mail of the story is unsubscribed here too. Database triggers keep the counts.
 */
export async function addAudience(
  client: Queryable,
  projectId: string,
  people: readonly DemoPerson[],
  unsubscribed: ReadonlySet<string>,
  now: Date,
  random: Seeded,
) {
  const contacts = people.map((person) => contactRow(projectId, person, unsubscribed, now, random))
  for (let from = 0; from < contacts.length; from += perStatement)
    await insert(client, "contacts", contacts.slice(from, from + perStatement))
  const yearAgo = new Date(now.getTime() - 365 * dayMs)
  const dated = { created_at: yearAgo, updated_at: yearAgo }
  await insert(client, "contact_properties", [
    { id: idAt(yearAgo, random), project_id: projectId, key: "city", type: "string", fallback_value: null, ...dated },
    { id: idAt(yearAgo, random), project_id: projectId, key: "orders", type: "number", fallback_value: "0", ...dated },
  ])
  for (const { chosen, ...topic } of topics) {
    const id = idAt(yearAgo, random)
    await insert(client, "topics", [
      { id, project_id: projectId, ...topic, opt_in_count: 0, opt_out_count: 0, ...dated },
    ])
    // The mail of the story was written before there were topics: its emails are the topic's.
    await client.query("UPDATE emails SET topic_id = $2 WHERE project_id = $1 AND from_header LIKE $3 || ' <%'", [
      projectId,
      id,
      topic.name,
    ])
    const choosing = contacts.filter(() => random.chance(chosen))
    await insert(
      client,
      "topic_preferences",
      choosing.map((contact) => ({
        project_id: projectId,
        topic_id: id,
        contact_id: contact.id,
        // People mostly speak up to get what they do not get by default.
        subscription: (topic.default_subscription === "opt_in") === random.chance(0.25) ? "opt_in" : "opt_out",
        updated_at: new Date(now.getTime() - random.whole(1, 30 * 24) * hourMs),
      })),
    )
  }
  for (const [name, share] of [
    ["Workshop visitors", 0.06],
    ["Wholesale", 0.015],
  ] as const) {
    const id = idAt(yearAgo, random)
    await insert(client, "segments", [
      {
        id,
        project_id: projectId,
        name,
        filter_version: 0,
        contact_count: 0,
        unsubscribed_count: 0,
        pass_attempt: 0,
        pass_done: 0,
        pass_total: 0,
        passed_version: 0,
        watches_events: false,
        ...dated,
      },
    ])
    const members = contacts.filter(() => random.chance(share))
    await insert(
      client,
      "segment_members",
      members.map((contact) => ({
        project_id: projectId,
        segment_id: id,
        contact_id: contact.id,
        origin: "added",
        created_at: new Date(now.getTime() - random.whole(1, 30 * 24) * hourMs),
      })),
    )
  }
}

/** Segments by filter: the worker finds their members, as for any other. */
export async function addFilters(scope: Scope) {
  const engaged = { field: "engagement", event: "clicked", operator: "within_days", days: 30 } as const
  const near = { field: "property", key: "city", operator: "equals", value: "Brennbach" } as const
  await addSegment(scope, { name: "Clicked this month", filter: { all: [engaged] } })
  await addSegment(scope, {
    name: "Regulars of Brennbach",
    filter: { all: [near, { field: "property", key: "orders", operator: "at_least", value: 3 }] },
  })
}

function contactRow(
  projectId: string,
  person: DemoPerson,
  unsubscribed: ReadonlySet<string>,
  now: Date,
  random: Seeded,
) {
  const createdAt = new Date(now.getTime() - 31 * dayMs - Math.floor(random.number() ** 2 * 700 * dayMs))
  return {
    id: idAt(createdAt, random),
    project_id: projectId,
    email: person.address,
    first_name: person.first,
    last_name: person.last,
    properties: { city: random.pick(cities), orders: String(Math.floor(random.number() ** 3 * 24)) },
    unsubscribed: unsubscribed.has(person.address),
    validation_status: "valid",
    validated_at: createdAt,
    created_at: createdAt,
    updated_at: createdAt,
  }
}
