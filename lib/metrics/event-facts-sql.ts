import { dayMs } from "@/lib/platform/time"
import { presentBody } from "@/lib/emails/message-rules"
import { countableTypes, countersOf, type CountableEvent, type Counter } from "@/lib/metrics/rules"
import type { Mail } from "@/lib/metrics/slice-rules"
import type { Queryable } from "@/lib/platform/database/db"
import { firstIdAt, idTime } from "@/lib/platform/ids"

// On `pg`, for events of all projects, because the dispatcher reads this in its transaction.

export type DeliveryFacts = { recipient: string; attempts: number }

/** Emails of these events, by id. */
export async function mailsOf(
  client: Queryable,
  events: readonly CountableEvent[],
): Promise<Map<string, Omit<Mail, "recipient">>> {
  const { rows } = await client.query<Omit<Mail, "recipient"> & { emailId: string }>({
    name: "metrics.mails_of",
    text: `SELECT id AS "emailId", group_id AS "groupId", topic_id AS "topicId", broadcast_id AS "broadcastId", from_header AS "fromHeader", tags
      FROM emails WHERE project_id = ANY ($1) AND id = ANY ($2)`,
    values: [distinct(events, "projectId"), distinct(events, "emailId")],
  })
  return new Map(rows.map((row) => [row.emailId, row]))
}

/** The recipients of these events' deliveries, and how many attempts each took so far. */
export async function deliveriesOf(
  client: Queryable,
  events: readonly CountableEvent[],
): Promise<Map<string, DeliveryFacts>> {
  const ids = distinct(events, "deliveryId")
  if (!ids.length) return new Map()
  const { rows } = await client.query<DeliveryFacts & { id: string }>({
    name: "metrics.deliveries_of",
    text: `SELECT id, canonical AS recipient, attempt_count AS attempts FROM deliveries
      WHERE project_id = ANY ($1) AND id = ANY ($2)`,
    values: [distinct(events, "projectId"), ids],
  })
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

/** Octets of HTML above which Gmail cuts a message off, and with it the link to unsubscribe. */
export const clippedAboveBytes = 102 * 1024

/** A body without content is stored only by earlier releases, and is short: those alone are read. */
const shortBytes = 64

/** What is wrong with the bodies of emails, by id. The sizes are read from the row, without the bodies themselves. */
export async function faultsOf(
  client: Queryable,
  projectIds: readonly string[],
  emailIds: readonly string[],
): Promise<Map<string, Counter[]>> {
  if (!emailIds.length) return new Map()
  type Bodies = { id: string; clipped: boolean; noText: boolean; shortHtml: string | null; shortText: string | null }
  const { rows } = await client.query<Bodies>({
    name: "metrics.faults_of",
    text: `SELECT e.id, octet_length(b.html) > ${clippedAboveBytes} AS clipped, b.text IS NULL AS "noText",
        CASE WHEN octet_length(b.html) <= ${shortBytes} THEN b.html END AS "shortHtml",
        CASE WHEN octet_length(b.text) <= ${shortBytes} THEN b.text END AS "shortText"
      FROM emails e CROSS JOIN LATERAL (
        SELECT coalesce(own.html, first.html, shared.html) AS html, coalesce(own.text, first.text, shared.text) AS text
          FROM email_bodies own
          LEFT JOIN email_bodies first ON first.project_id = own.project_id
            AND first.email_id = CASE WHEN own.html IS NULL AND own.text IS NULL THEN e.group_id END
          LEFT JOIN email_contents shared ON shared.project_id = own.project_id
            AND shared.id = CASE WHEN own.html IS NULL AND own.text IS NULL THEN e.group_id END
          WHERE own.project_id = e.project_id AND own.email_id = e.id) b
      WHERE e.project_id = ANY ($1) AND e.id = ANY ($2) AND b.html IS NOT NULL
        AND (b.text IS NULL OR octet_length(b.text) <= ${shortBytes} OR octet_length(b.html) > ${clippedAboveBytes})`,
    values: [projectIds, emailIds],
  })
  return new Map(
    rows.flatMap(({ id, clipped, noText, shortHtml, shortText }) => {
      const isEmpty = (short: string | null) => short !== null && presentBody(short) === undefined
      const htmlOnly = !isEmpty(shortHtml) && (noText || isEmpty(shortText))
      const faults = [...(htmlOnly ? ["htmlOnly" as const] : []), ...(clipped ? ["clipped" as const] : [])]
      return faults.length ? [[id, faults]] : []
    }),
  )
}

/** What earlier rounds have counted of the same recipients: an event that comes twice counts once. */
export async function countedBefore(client: Queryable, events: readonly CountableEvent[]): Promise<Set<string>> {
  const [first] = events
  if (!first) return new Set()
  const projects = new Map(events.flatMap(({ emailId, projectId }) => (emailId ? [[emailId, projectId] as const] : [])))
  const emailIds = [...projects.keys()]
  const { rows } = await client.query<Pick<CountableEvent, "emailId" | "deliveryId" | "type" | "data">>({
    name: "metrics.counted_before",
    // OFFSET 0 and + 0: without statistics a plan would read all events of the project, by their ids or their numbers.
    text: `SELECT DISTINCT e.email_id AS "emailId", e.delivery_id AS "deliveryId", e.type,
        jsonb_strip_nulls(jsonb_build_object('simulator', e.data -> 'simulator', 'machine', e.data -> 'machine',
          'bounceType', e.data -> 'bounceType', 'deliveryReported', e.data -> 'deliveryReported')) AS data
      FROM unnest($1::uuid[], $2::uuid[]) AS mail(project_id, id), LATERAL (
        SELECT email_id, delivery_id, type, data FROM events
          WHERE project_id = mail.project_id AND email_id = mail.id AND type = ANY ($5) AND seq + 0 < $3 AND id >= $4
          OFFSET 0) e`,
    // Events are younger than their email: older partitions need no search. A day is for clocks that differ.
    values: [
      [...projects.values()],
      emailIds,
      String(first.seq),
      firstIdAt(new Date(oldestOf(emailIds) - dayMs)),
      countableTypes,
    ],
  })
  return new Set(rows.flatMap((event) => countersOf(event).map((counter) => onceKey(event, counter))))
}

/** A recipient, or the whole email where an event names none, and a counter. */
export function onceKey(event: Pick<CountableEvent, "emailId" | "deliveryId">, counter: Counter): string {
  return `${event.deliveryId ?? event.emailId}|${counter}`
}

export function distinct(events: readonly CountableEvent[], field: "projectId" | "emailId" | "deliveryId"): string[] {
  return [...new Set(events.flatMap((event) => event[field] ?? []))]
}

/** The time inside the oldest of these UUIDv7 in milliseconds. */
function oldestOf(ids: readonly string[]): number {
  return Math.min(...ids.map(idTime))
}
