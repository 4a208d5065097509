import type { Claimed } from "@/lib/delivery/claim-store"
import { gather } from "@/lib/delivery/gather"
import { pool } from "@/lib/platform/db"

/** What a hand-off needs to know of the message. */
export type Message = {
  id: string
  projectId: string
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
  category: string
  /** The topic it belongs to. */
  topicId: string | null
  testMode: boolean
  /** Deliveries of the message, whatever became of them. */
  recipients: number
  giveUpAfterSeconds: number | null
  /** Since it was accepted, or since the time it was scheduled for. */
  ageSeconds: number
  ambiguousPolicy: "resend" | "hold"
  /** It was made ready for a hand-off before. */
  composed: boolean
  /** Undefined for a large message, which is read when its turn comes. */
  body?: Body
}

/** `raw` stands alone once the message is composed. */
export type Body =
  { raw: Buffer } | { raw: null; text: string | null; html: string | null; attachments: StoredAttachment[] }

export type StoredAttachment = {
  filename: string
  /** base64 */
  content: string
  contentType: string
  contentId?: string
  disposition?: "attachment" | "inline"
}

/** Bodies up to this size are read together with the others of a claim: some hundred are in memory at once. */
const readTogetherBytesMax = 64 * 1024

/** The messages of a group of deliveries in one query, by email id. */
export async function findMessages(claimed: readonly Claimed[]): Promise<Map<string, Message>> {
  const emails = new Map(claimed.map(({ emailId, projectId }) => [emailId, projectId]))
  const { rows } = await pool().query<MessageRow>({
    name: "delivery.find_messages",
    text: `SELECT e.id, e.project_id, e.domain_id, e.from_header, e.to_headers, e.cc_headers, e.reply_to, e.subject,
        e.message_id, e.headers, e.topic_id, e.category, coalesce((e.tracking->>'unsubscribeTracking')::boolean, false) AS unsubscribe, e.test_mode,
        cardinality(e.to_headers) + cardinality(e.cc_headers) + cardinality(e.bcc_headers) AS recipients,
        e.give_up_after, extract(epoch FROM now() - coalesce(e.scheduled_at, e.created_at))::float8 AS age,
        p.ambiguous_policy, e.size <= $3 AS small, b.composed, b.text, b.html, b.attachments, b.raw
      FROM unnest($1::uuid[], $2::uuid[]) AS wanted(project_id, id)
      JOIN emails e ON e.project_id = wanted.project_id AND e.id = wanted.id
      JOIN projects p ON p.id = e.project_id
      LEFT JOIN LATERAL (
        SELECT raw IS NOT NULL AS composed, CASE WHEN e.size <= $3 THEN raw END AS raw,
          CASE WHEN e.size <= $3 AND raw IS NULL THEN text END AS text,
          CASE WHEN e.size <= $3 AND raw IS NULL THEN html END AS html,
          CASE WHEN e.size <= $3 AND raw IS NULL THEN attachments END AS attachments
          FROM email_bodies WHERE project_id = e.project_id AND email_id = e.id
      ) b ON true`,
    values: [[...emails.values()], [...emails.keys()], readTogetherBytesMax],
  })
  return new Map(rows.map((row) => [row.id, toMessage(row)]))
}

type BodyRow = { text: string | null; html: string | null; attachments: StoredAttachment[] | null; raw: Buffer | null }

type MessageRow = BodyRow & {
  id: string
  project_id: string
  domain_id: string
  from_header: string
  to_headers: string[]
  cc_headers: string[]
  reply_to: string | null
  subject: string
  message_id: string
  headers: Record<string, string> | null
  unsubscribe: boolean
  category: string
  topic_id: string | null
  test_mode: boolean
  recipients: number
  give_up_after: number | null
  age: number
  ambiguous_policy: Message["ambiguousPolicy"]
  small: boolean
  composed: boolean | null
}

function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    projectId: row.project_id,
    domainId: row.domain_id,
    fromHeader: row.from_header,
    toHeaders: row.to_headers,
    ccHeaders: row.cc_headers,
    replyTo: row.reply_to,
    subject: row.subject,
    messageId: row.message_id,
    headers: row.headers ?? {},
    unsubscribe: row.unsubscribe,
    category: row.category,
    topicId: row.topic_id,
    testMode: row.test_mode,
    recipients: row.recipients,
    giveUpAfterSeconds: row.give_up_after,
    ageSeconds: row.age,
    ambiguousPolicy: row.ambiguous_policy,
    composed: row.composed === true,
    ...(row.small ? { body: toBody(row) } : {}),
  }
}

function toBody({ raw, text, html, attachments }: BodyRow): Body {
  return raw ? { raw } : { raw: null, text, html, attachments: attachments ?? [] }
}

export async function findBody({ projectId, id }: Pick<Message, "projectId" | "id">): Promise<Body> {
  const { rows } = await pool().query<BodyRow>(
    `SELECT raw, CASE WHEN raw IS NULL THEN text END AS text, CASE WHEN raw IS NULL THEN html END AS html,
        CASE WHEN raw IS NULL THEN attachments END AS attachments
      FROM email_bodies WHERE project_id = $1 AND email_id = $2`,
    [projectId, id],
  )
  if (!rows[0]) throw new Error("The message has no body.")
  return toBody(rows[0])
}

type Composed = { projectId: string; emailId: string; raw: Buffer }

/**
 * Keeps the signed bytes of a message at its first hand-off and answers those to send: ours, or those that another
 * worker kept before.
 */
export function keepRaw(composed: Composed): Promise<Buffer> {
  return composed.raw.length <= readTogetherBytesMax ? keepWithOthers(composed) : keepAll([composed]).then(only)
}

const keepWithOthers = gather(keepAll, { most: 200, spacingMs: 40 })

async function keepAll(composed: Composed[]): Promise<Buffer[]> {
  const ends = endsOf(composed)
  const { rows } = await pool().query<{ email_id: string }>({
    name: "delivery.keep_raw",
    // One value for all, because in an array each would travel and be read as hexadecimal text.
    text: `UPDATE email_bodies b SET raw = substr($4::bytea, given.start + 1, given.length), composed_at = now()
      FROM unnest($1::uuid[], $2::uuid[], $3::int[], $5::int[]) AS given(project_id, email_id, start, length)
      WHERE b.project_id = given.project_id AND b.email_id = given.email_id AND b.raw IS NULL RETURNING b.email_id`,
    values: [
      composed.map(({ projectId }) => projectId),
      composed.map(({ emailId }) => emailId),
      composed.map(({ raw }, at) => (ends[at] ?? 0) - raw.length),
      Buffer.concat(composed.map(({ raw }) => raw)),
      composed.map(({ raw }) => raw.length),
    ],
  })
  const kept = new Set(rows.map(({ email_id }) => email_id))
  return Promise.all(composed.map((one) => (kept.has(one.emailId) ? one.raw : keptBefore(one))))
}

function endsOf(composed: Composed[]): number[] {
  let end = 0
  return composed.map(({ raw }) => (end += raw.length))
}

async function keptBefore({ projectId, emailId }: Composed): Promise<Buffer> {
  const body = await findBody({ projectId, id: emailId })
  if (!body.raw) throw new Error("The composed message could not be kept.")
  return body.raw
}

function only(raws: Buffer[]): Buffer {
  const [raw] = raws
  if (!raw) throw new Error("The composed message could not be kept.")
  return raw
}
