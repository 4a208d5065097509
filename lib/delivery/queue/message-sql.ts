import { bodyOf, ownBody, readTogetherBytesMax, type Body, type BodyRow } from "@/lib/delivery/message/body-sql"
import type { Claimed } from "@/lib/delivery/queue/claim-sql"
import { pool } from "@/lib/platform/database/db"

// On `pg`, because the delivery loop runs these for every message or group of all projects (lib/README.md, "Data access").

/** A message as an attempt needs it. */
export type Message = {
  id: string
  projectId: string
  /** The first message of its send, with which shared content is stored. */
  groupId: string
  domainId: string
  fromHeader: string
  toHeaders: string[]
  ccHeaders: string[]
  replyTo: string | null
  subject: string
  /** With its angle brackets. */
  messageId: string
  headers: Record<string, string>
  unsubscribe: boolean
  /** As the request says, else as the project does now. */
  tracking: { opens: boolean; clicks: boolean; reading: boolean; marks: boolean }
  category: string
  /** The topic it belongs to. */
  topicId: string | null
  testMode: boolean
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
    text: `SELECT e.id, e.project_id, e.group_id, e.domain_id, e.from_header, e.to_headers, e.cc_headers, e.reply_to, e.subject,
        e.message_id, e.headers, e.topic_id, e.category, coalesce((e.tracking->>'unsubscribeTracking')::boolean, false) AS unsubscribe, e.test_mode,
        ${tracks("openTracking", "open_tracking")} AS opens, ${tracks("clickTracking", "click_tracking")} AS clicks,
        ${tracks("readEngagement", "read_engagement")} AS reading, p.scroll_depth AS marks,
        cardinality(e.to_headers) + cardinality(e.cc_headers) + cardinality(e.bcc_headers) AS recipients,
        e.give_up_after, extract(epoch FROM now() - coalesce(e.scheduled_at, e.created_at))::float8 AS age,
        p.ambiguous_policy, e.size <= $3 AS small, coalesce(b.composed, false) AS composed, b.raw, b.cuts, b.text, b.html, b.attachments
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

type MessageRow = BodyRow & {
  id: string
  project_id: string
  group_id: string
  domain_id: string
  from_header: string
  to_headers: string[]
  cc_headers: string[]
  reply_to: string | null
  subject: string
  message_id: string
  headers: Record<string, string> | null
  unsubscribe: boolean
  opens: boolean
  clicks: boolean
  reading: boolean
  marks: boolean
  category: string
  topic_id: string | null
  test_mode: boolean
  recipients: number
  give_up_after: number | null
  age: number
  ambiguous_policy: Message["ambiguousPolicy"]
  small: boolean
  composed: boolean
}

function toMessage(row: MessageRow): Message {
  const body = row.small ? ownBody(row) : undefined
  return {
    id: row.id,
    projectId: row.project_id,
    groupId: row.group_id,
    domainId: row.domain_id,
    fromHeader: row.from_header,
    toHeaders: row.to_headers,
    ccHeaders: row.cc_headers,
    replyTo: row.reply_to,
    subject: row.subject,
    messageId: row.message_id,
    headers: row.headers ?? {},
    unsubscribe: row.unsubscribe,
    tracking: { opens: row.opens, clicks: row.clicks, reading: row.reading, marks: row.marks },
    category: row.category,
    topicId: row.topic_id,
    testMode: row.test_mode,
    recipients: row.recipients,
    giveUpAfterSeconds: row.give_up_after,
    ageSeconds: row.age,
    ambiguousPolicy: row.ambiguous_policy,
    composed: row.composed,
    ...(body ? { body } : {}),
  }
}
