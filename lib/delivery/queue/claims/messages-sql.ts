import { type Body, bodyColumns, type BodyRow, ownBody, readTogetherBytesMax } from "@/lib/delivery/message/data"
import type { Claimed } from "@/lib/delivery/queue/claims/data"
import type { TlsDemand } from "@/lib/emails/message-rules"
import type { Reason } from "@/lib/explanation/codes"
import { pool } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"
import { findOptOuts } from "@/lib/topics/data"
import { topicDeleted, topicOptOut } from "@/lib/topics/rules"
import type { Prisma } from "@/prisma/generated/client"

// What a worker reads of its claims. On `pg`, as these.

const messageShape = {
  ...{ id: true, projectId: true, groupId: true, domainId: true, fromHeader: true, toHeaders: true, ccHeaders: true },
  ...{ replyTo: true, subject: true, messageId: true, category: true, topicId: true, testMode: true },
} as const

/** A message as an attempt needs it; `messageId` has its angle brackets. */
export type Message = Prisma.EmailGetPayload<{ select: typeof messageShape }> & {
  headers: Record<string, string>
  unsubscribe: boolean
  /** As the request says, else as the project does now. */
  tracking: { opens: boolean; clicks: boolean; reading: boolean; marks: boolean }
  /** Deliveries of the message, of any status. */
  recipients: number
  giveUpAfterSeconds: number | null
  /** Since it was accepted, or since the time it was scheduled for. */
  ageSeconds: number
  ambiguousPolicy: "resend" | "hold"
  /** As the request says, else as the project does now. */
  tls: TlsDemand
  /** That of its project. */
  organizationId: string
  /** The pool of addresses that its project sends from. */
  egressPool: string
  /** Its project is suspended, or deleted: nothing of it is claimed. */
  suspended: boolean
  /** It has been composed and signed already. */
  composed: boolean
  /** So large that few are in memory at once. */
  large: boolean
  /** Undefined if it is large or stored separately: it is then read right before the attempt. */
  body?: Body
}

/** The messages of a batch of deliveries in one query, by email id. */
export async function findMessages(claimed: readonly Claimed[]): Promise<Map<string, Message>> {
  const emails = new Map(claimed.map(({ emailId, projectId }) => [emailId, projectId]))
  const { rows } = await pool().query<MessageColumns>({
    name: "delivery.find_messages",
    text: `SELECT ${columnsOf(messageShape, "e")}, e.headers,
        coalesce((e.tracking->>'unsubscribeTracking')::boolean, false) AS unsubscribe,
        ${tracks("openTracking", "open_tracking")} AS opens, ${tracks("clickTracking", "click_tracking")} AS clicks,
        ${tracks("readEngagement", "read_engagement")} AS reading, p.scroll_depth AS marks,
        cardinality(e.to_headers) + cardinality(e.cc_headers) + cardinality(e.bcc_headers) AS recipients,
        e.give_up_after AS "giveUpAfterSeconds",
        extract(epoch FROM now() - coalesce(e.scheduled_at, e.created_at))::float8 AS "ageSeconds",
        p.ambiguous_policy AS "ambiguousPolicy", coalesce(e.tls, p.tls) AS tls,
        p.organization_id AS "organizationId", p.egress_pool AS "egressPool",
        p.suspended_at IS NOT NULL OR p.deleted_at IS NOT NULL AS suspended, e.size > $3 AS large, coalesce(b.composed, false) AS composed,
        b.raw, b.cuts, b.text, b.html, b.attachments
      FROM unnest($1::uuid[], $2::uuid[]) AS wanted(project_id, id)
      JOIN emails e ON e.project_id = wanted.project_id AND e.id = wanted.id
      JOIN projects p ON p.id = e.project_id
      LEFT JOIN LATERAL (
        ${bodyColumns({ projectId: "e.project_id", emailId: "e.id", groupId: "e.group_id", wanted: "e.size <= $3" })}
      ) b ON true`,
    values: [[...emails.values()], [...emails.keys()], readTogetherBytesMax],
  })
  return new Map(rows.map((row) => [row.id, toMessage(row)]))
}

const tracks = (setting: string, column: string) => `coalesce((e.tracking->>'${setting}')::boolean, p.${column})`

type MessageColumns = Omit<Message, "headers" | "tracking" | "body"> &
  Message["tracking"] &
  BodyRow & { headers: Message["headers"] | null }

function toMessage(row: MessageColumns): Message {
  const { opens, clicks, reading, marks, raw, cuts, text, html, attachments, headers, ...message } = row
  const body = message.large ? undefined : ownBody({ raw, cuts, text, html, attachments })
  return { ...message, headers: headers ?? {}, tracking: { opens, clicks, reading, marks }, ...(body ? { body } : {}) }
}

/** Why nothing is sent: what suppressed the delivery, and the reason of the email. */
export type Suppressed = { by: string; reason: Reason<"suppressed" | "topic_opt_out" | "topic_deleted"> }

/** Those deliveries, by id, whose recipient is on the project's suppression list now. */
export async function findSuppressed(claimed: readonly Claimed[]): Promise<Map<string, Suppressed>> {
  const { rows } = await pool().query<{ id: string; reason: string }>({
    name: "delivery.find_suppressed",
    text: `SELECT d.id, s.reason FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS d(id, project_id, canonical)
      JOIN suppressions s ON s.project_id = d.project_id AND s.email = d.canonical`,
    values: [
      claimed.map(({ id }) => id),
      claimed.map(({ projectId }) => projectId),
      claimed.map(({ canonical }) => canonical),
    ],
  })
  return new Map(rows.map(({ id, reason }) => [id, { by: reason, reason: { code: "suppressed", facts: {} } }]))
}

/** Those deliveries, by id, whose recipient is out of the topic of their message now, or whose topic was deleted. */
export async function findOptedOut(
  claimed: readonly { claimed: Claimed; topicId: string }[],
): Promise<Map<string, Suppressed>> {
  const optOuts = await findOptOuts(claimed.map(({ claimed, topicId }) => ({ ...claimed, topicId })))
  return new Map(
    claimed.flatMap(({ claimed: { id } }, at) => {
      const reason = optOuts[at]
      return reason ? [[id, { by: reason.code, reason }] as const] : []
    }),
  )
}

/** Why nothing may be sent for a delivery, as `accept_emails` decides it; NULL where it may. */
export function suppressedBy(delivery: string, topicId: string): string {
  return `coalesce(
    (SELECT s.reason FROM suppressions s WHERE s.project_id = ${delivery}.project_id AND s.email = ${delivery}.canonical),
    CASE WHEN ${topicId} IS NULL OR NOT left_topic(${delivery}.project_id, ${topicId}, ${delivery}.canonical) THEN NULL
      WHEN EXISTS (SELECT 1 FROM topics t
        WHERE t.project_id = ${delivery}.project_id AND t.id = ${topicId} AND t.deleted_at IS NULL) THEN '${topicOptOut}'
      ELSE '${topicDeleted}' END)`
}
