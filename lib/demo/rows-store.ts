import type { Queryable } from "@/lib/platform/database/db"
import { idAt, type Seeded } from "@/lib/demo/seeded"
import type { Story } from "@/lib/demo/story"
import { bodiesOf } from "@/lib/demo/templates"

export type DemoPlace = { projectId: string; domains: Record<string, string>; keys: { shop: string; news: string } }

const perStatement = 1_000

/** Writes stories down as the product would have done while they happened; events wait for the dispatcher to count them. */
export async function addStories(
  client: Queryable,
  place: DemoPlace,
  stories: readonly Story[],
  random: Seeded,
): Promise<void> {
  for (let from = 0; from < stories.length; from += perStatement) {
    const some = stories.slice(from, from + perStatement)
    const events = some.flatMap((story) => eventRows(place, story, random))
    await insert(
      client,
      "emails",
      some.map((story) => emailRow(place, story)),
    )
    await insert(
      client,
      "email_bodies",
      some.map((story) => bodyRow(place, story)),
    )
    await insert(
      client,
      "deliveries",
      some.map((story) => deliveryRow(place, story)),
    )
    await insert(
      client,
      "delivery_attempts",
      some.flatMap((story) => attemptRows(place, story, random)),
    )
    await insert(client, "events", events)
    await insert(
      client,
      "suppressions",
      some.flatMap((story) => suppressionRow(place, story, events, random)),
      "ON CONFLICT DO NOTHING",
    )
  }
  await client.query("UPDATE send_allowances SET emails = emails + $2 WHERE project_id = $1", [
    place.projectId,
    stories.length,
  ])
}

type Row = Record<string, unknown>

/** Rows of one table in one statement; all have the columns of the first. */
export async function insert(client: Queryable, table: string, rows: readonly Row[], rest = ""): Promise<void> {
  if (!rows[0]) return
  const columns = Object.keys(rows[0]).join(", ")
  await client.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(null::${table}, $1) ${rest}`,
    [JSON.stringify(rows)],
  )
}

function emailRow({ projectId, domains, keys }: DemoPlace, story: Story): Row {
  const { template, person, at, order } = story
  const admitted = ["suppressed", "scheduled"].includes(story.status) ? story.status : "queued"
  const domain = story.from.slice(story.from.lastIndexOf("@") + 1, -1)
  const lastAt = story.events.at(-1)?.at ?? at
  return {
    id: story.id,
    project_id: projectId,
    idempotency_key: template.sender === "shop" ? `${template.kind}-${order}` : null,
    group_id: story.id,
    group_index: 0,
    status: story.status,
    admitted_status: admitted,
    domain_id: domains[domain],
    from_header: story.from,
    to_headers: [`${person.name} <${person.address}>`],
    cc_headers: [],
    bcc_headers: [],
    subject: story.subject,
    message_id: `<${story.id.replaceAll("-", "")}@${domain}>`,
    category: template.category,
    broadcast_id: story.broadcastId ?? null,
    tags: { kind: template.kind },
    metadata: { order: String(order) },
    tracking: { openTracking: true, clickTracking: true, unsubscribeTracking: template.category === "marketing" },
    size: 900,
    reason: story.reason?.code ?? null,
    reason_facts: story.reason?.facts ?? null,
    key_id: keys[template.sender],
    scheduled_at: story.scheduledAt ?? null,
    due_at: story.scheduledAt ?? null,
    sent_at: story.sentAt ?? null,
    attempt: 0,
    test_mode: false,
    created_at: at,
    updated_at: lastAt,
  }
}

function bodyRow({ projectId }: DemoPlace, story: Story): Row {
  return { project_id: projectId, email_id: story.id, ...bodiesOf(story.template, story.person, story.order) }
}

function deliveryRow({ projectId }: DemoPlace, story: Story): Row {
  const [first] = story.attempts
  const reacted = ["opened", "clicked", "complained"].includes(story.status)
  return {
    id: story.deliveryId,
    project_id: projectId,
    email_id: story.id,
    region: "eu-west-1",
    role: "to",
    address: story.person.address,
    canonical: story.person.address,
    status: reacted ? "delivered" : story.status,
    attempt: story.attempts.length,
    attempt_count: story.attempts.length,
    unfinished: 0,
    due_at: story.nextTryAt ?? null,
    first_attempt_at: first?.startedAt ?? null,
    sent_at: story.sentAt ?? null,
    delivered_at: story.deliveredAt ?? null,
    ended_at: story.endedAt ?? null,
    bounce_type: story.bounce?.type ?? null,
    bounce_code: story.bounce?.code ?? null,
    diagnostic: story.bounce?.diagnostic ?? null,
    reason: story.reason?.code ?? null,
    reason_facts: story.reason?.facts ?? null,
    created_at: story.at,
    updated_at: story.endedAt ?? story.at,
  }
}

function attemptRows({ projectId }: DemoPlace, story: Story, random: Seeded): Row[] {
  return story.attempts.map((attempt, at) => ({
    id: idAt(attempt.startedAt, random),
    project_id: projectId,
    email_id: story.id,
    delivery_id: story.deliveryId,
    attempt: at + 1,
    outcome: attempt.outcome,
    phase: attempt.phase,
    code: attempt.code,
    enhanced: attempt.enhanced,
    text: attempt.text,
    remote: attempt.remote,
    tls: attempt.tls,
    conversation: attempt.conversation.join("\n"),
    started_at: attempt.startedAt,
    ended_at: attempt.endedAt,
  }))
}

/** In the order in which they happened, which their ids have too: one attempt sends and delivers in the same millisecond. */
function eventRows({ projectId }: DemoPlace, story: Story, random: Seeded) {
  const events = story.events.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const ids = events.map(({ at }) => idAt(at, random)).sort()
  return events.map(({ type, at, data }, index) => ({
    id: ids[index],
    project_id: projectId,
    email_id: story.id,
    // Admission speaks of the email, what follows of its one delivery.
    delivery_id: type === "queued" || type === "scheduled" ? null : story.deliveryId,
    type,
    data,
    occurred_at: at,
    created_at: at,
  }))
}

/** The event that suppresses, by the reason. */
const causes = { bounce: "bounced", complaint: "complained", unsubscribe: "unsubscribed" }

function suppressionRow(
  { projectId }: DemoPlace,
  story: Story,
  events: ReturnType<typeof eventRows>,
  random: Seeded,
): Row[] {
  const { suppress } = story
  if (!suppress) return []
  const cause = events.findLast(({ email_id, type }) => email_id === story.id && type === causes[suppress])
  const at = cause?.occurred_at ?? story.at
  const evidence = story.bounce?.diagnostic ?? null
  return [
    {
      id: idAt(at, random),
      project_id: projectId,
      email: story.person.address,
      reason: suppress,
      email_id: story.id,
      event_id: cause?.id ?? null,
      evidence,
      created_at: at,
    },
  ]
}
