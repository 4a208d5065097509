import { bodyOf, ownBody, readTogetherBytesMax, type Body, type BodyRow } from "@/lib/delivery/message/body-sql"
import type { Claimed } from "@/lib/delivery/queue/claim-sql"
import { pool } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"
import type { Prisma } from "@/prisma/generated/client"

// On `pg`, because the delivery loop runs these for every message or group of all projects (lib/README.md, "Data access").

const shape = {
  ...{ id: true, projectId: true, groupId: true, domainId: true, fromHeader: true, toHeaders: true, ccHeaders: true },
  ...{ replyTo: true, subject: true, messageId: true, category: true, topicId: true, testMode: true },
} as const

/** A message as an attempt needs it; `messageId` has its angle brackets. */
export type Message = Prisma.EmailGetPayload<{ select: typeof shape }> & {
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
  /** It has been composed and signed already. */
  composed: boolean
  /** Undefined if it is large or stored separately: it is then read right before the attempt. */
  body?: Body
}

/** The messages of a batch of deliveries in one query, by email id. */
export async function findMessages(claimed: readonly Claimed[]): Promise<Map<string, Message>> {
  const emails = new Map(claimed.map(({ emailId, projectId }) => [emailId, projectId]))
  const { rows } = await pool().query<MessageRow>({
    name: "delivery.find_messages",
    text: `SELECT ${columnsOf(shape, "e")}, e.headers,
        coalesce((e.tracking->>'unsubscribeTracking')::boolean, false) AS unsubscribe,
        ${tracks("openTracking", "open_tracking")} AS opens, ${tracks("clickTracking", "click_tracking")} AS clicks,
        ${tracks("readEngagement", "read_engagement")} AS reading, p.scroll_depth AS marks,
        cardinality(e.to_headers) + cardinality(e.cc_headers) + cardinality(e.bcc_headers) AS recipients,
        e.give_up_after AS "giveUpAfterSeconds",
        extract(epoch FROM now() - coalesce(e.scheduled_at, e.created_at))::float8 AS "ageSeconds",
        p.ambiguous_policy AS "ambiguousPolicy", e.size <= $3 AS small, coalesce(b.composed, false) AS composed,
        b.raw, b.cuts, b.text, b.html, b.attachments
      FROM unnest($1::uuid[], $2::uuid[]) AS wanted(project_id, id)
      JOIN emails e ON e.project_id = wanted.project_id AND e.id = wanted.id
      JOIN projects p ON p.id = e.project_id
      LEFT JOIN LATERAL (
        ${bodyOf({ projectId: "e.project_id", emailId: "e.id", groupId: "e.group_id", wanted: "e.size <= $3" })}
      ) b ON true`,
    values: [[...emails.values()], [...emails.keys()], readTogetherBytesMax],
  })
  return new Map(rows.map((row) => [row.id, toMessage(row)]))
}

const tracks = (setting: string, column: string) => `coalesce((e.tracking->>'${setting}')::boolean, p.${column})`

type MessageRow = Omit<Message, "headers" | "tracking" | "body"> &
  Message["tracking"] &
  BodyRow & { headers: Message["headers"] | null; small: boolean }

function toMessage(row: MessageRow): Message {
  const { opens, clicks, reading, marks, small, raw, cuts, text, html, attachments, headers, ...message } = row
  const body = small ? ownBody({ raw, cuts, text, html, attachments }) : undefined
  return { ...message, headers: headers ?? {}, tracking: { opens, clicks, reading, marks }, ...(body ? { body } : {}) }
}
