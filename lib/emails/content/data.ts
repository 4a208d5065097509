import type { Cut } from "@/lib/emails/content/cuts"
import type { NewEmail } from "@/lib/emails/send/schema"
import { type ContactValues, createContactComposer, type FilledTemplate } from "@/lib/emails/templates/compose"
import { pool } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"

type GivenFile = NonNullable<NewEmail["attachments"]>[number]

/** The content of a send that is stored apart from its messages; `id` is its first message's. */
export type LargeContent = {
  id: string
  text: string | null
  html: string | null
  files: readonly GivenFile[]
  bytes: number
  /** Where each message shows values of its own: `text` and `html` are what it is without them. */
  template?: FilledTemplate | undefined
}

/** What is stored of an attachment besides its octets. */
type StoredFile = Omit<GivenFile, "content"> & { size: number }

export type ContentFile = Omit<GivenFile, "content"> & { content: Buffer }

/** Removes the content of a send that was refused or replayed. */
export async function dropContent(projectId: string, id: string): Promise<void> {
  const project = db({ project: { id: projectId } })
  if ((await project.email.count({ where: { id } })) === 0) await project.emailContent.deleteMany({ where: { id } })
}

// On `pg`: Prisma would encode mebibytes of attachments as base64, and accepting a send or the delivery loop waits for each of
// these, for all projects.

/**
 * Stores the content of a send that is not decided yet, in a statement of its own that holds no lock. What is `inUse` is kept
 * although no message has its id, as that of a broadcast.
 *
 * False where the project may not store that much: then nothing is stored.
 */
export async function storeContent(
  projectId: string,
  { id, text, html, files, bytes, template }: LargeContent,
  { inUse = false } = {},
): Promise<boolean> {
  const decoded = files.map(({ content }) => Buffer.from(content, "base64"))
  const described = files.map(({ content: _content, ...rest }, at): StoredFile => ({
    ...rest,
    size: decoded[at]?.length ?? 0,
  }))
  const { rowCount } = await pool().query(
    `INSERT INTO email_contents (id, project_id, text, html, attachments, files, in_use, template)
      SELECT $1, p.id, $3, $4, $5, $6, $7, $9::jsonb FROM projects p JOIN send_allowances a ON a.project_id = p.id
        WHERE p.id = $2 AND a.stored_bytes + $8::bigint <= p.max_stored_bytes`,
    [
      ...[id, projectId, text, html, JSON.stringify(described), Buffer.concat(decoded), inUse, bytes],
      template ? JSON.stringify(template) : null,
    ],
  )
  return rowCount === 1
}

type StoredBodies = { text: string | null; html: string | null }

export type StoredContent = StoredBodies & {
  files: ContentFile[]
  /** The bodies of one message, with what it shows of its contact. */
  bodiesFor: (contact: ContactValues) => StoredBodies
}

/**
 * The content that the messages of a send share; null if it is stored with its first message, or was removed.
 */
export async function findContent(projectId: string, groupId: string): Promise<StoredContent | null> {
  const { rows } = await pool().query<ContentRow>({
    name: "emails.content",
    text: "SELECT text, html, template, attachments, files FROM email_contents WHERE project_id = $1 AND id = $2",
    values: [projectId, groupId],
  })
  return rows[0] ? toContent(rows[0]) : null
}

type ContentRow = StoredBodies & { template: FilledTemplate | null; attachments: StoredFile[]; files: Buffer }

function toContent({ text, html, template, attachments, files }: ContentRow): StoredContent {
  let end = 0
  const parts = attachments.map(({ size, ...file }) => ({ ...file, content: files.subarray(end, (end += size)) }))
  return { text, html, files: parts, bodiesFor: template ? templateBodies(template) : () => ({ text, html }) }
}

/** Renders the bodies of a stored template; the same values give the same bodies. */
export function templateBodies(template: FilledTemplate): StoredContent["bodiesFor"] {
  const { bodies } = createContactComposer(template)
  return (contact) => {
    const { html = null, text = null } = bodies(contact)
    return { html, text }
  }
}

/** Values as a message stores them. */
export function readContactValues(stored: unknown): ContactValues {
  return new Map(Object.entries((stored ?? {}) as Record<string, string>))
}

/** Marks emails of all projects as being sent; one that another transaction has locked gets its status from that one. */
export async function markSending(emailIds: readonly string[]): Promise<void> {
  await pool().query({
    name: "delivery.mark_sending",
    text: `UPDATE emails SET status = 'sending', updated_at = now() WHERE id IN (
        SELECT id FROM emails WHERE id = ANY ($1) AND status = 'queued' FOR UPDATE SKIP LOCKED)`,
    values: [emailIds],
  })
}

/** A composed message, without the attachments that are stored once for its send. */
export type ComposedBody = {
  projectId: string
  id: string
  rest: Buffer
  cuts: Cut[] | null
  /** Null if nothing in it is tracked. */
  tracked: { host: string | null; urls: string[]; short: boolean } | null
}

/**
 * Stores composed messages, with the targets of their links, and drops the attachments that they contain. Returns the ids of
 * those that were not stored before.
 */
export async function storeComposed(composed: readonly ComposedBody[]): Promise<Set<string>> {
  const ends = endsOf(composed)
  const tracked = composed.flatMap(({ id, tracked }) => (tracked ? [{ email_id: id, ...tracked }] : []))
  const { rows } = await pool().query<{ email_id: string }>({
    name: tracked.length ? "delivery.store_tracked" : "delivery.store_raw",
    text: storeStatement(tracked.length > 0),
    values: [
      composed.map(({ projectId }) => projectId),
      composed.map(({ id }) => id),
      composed.map(({ rest }, at) => (ends[at] ?? 0) - rest.length),
      Buffer.concat(composed.map(({ rest }) => rest)),
      composed.map(({ rest }) => rest.length),
      composed.map(({ cuts }) => cuts && JSON.stringify(cuts)),
      ...(tracked.length ? [JSON.stringify(tracked)] : []),
    ],
  })
  return new Set(rows.map(({ email_id }) => email_id))
}

/** The bytes are one value for all: in an array each would be sent and parsed as hexadecimal text. */
const storeStatement = (tracked: boolean) => `WITH stored AS (
    UPDATE email_bodies b SET raw = substr($4::bytea, given.start + 1, given.length), cuts = given.cuts,
        attachments = NULL, composed_at = now()
      FROM unnest($1::uuid[], $2::uuid[], $3::int[], $5::int[], $6::jsonb[]) AS given(project_id, email_id, start, length, cuts)
      WHERE b.project_id = given.project_id AND b.email_id = given.email_id AND b.raw IS NULL
      RETURNING b.project_id, b.email_id
  ) ${tracked ? storeLinks : ""}
  SELECT email_id FROM stored`

const storeLinks = `, tracked AS (
    INSERT INTO tracked_emails (project_id, email_id, host, urls, short)
      SELECT s.project_id, s.email_id, t.host, t.urls, t.short
        FROM json_to_recordset($7) AS t(email_id uuid, host text, urls text[], short boolean) JOIN stored s USING (email_id)
      ON CONFLICT DO NOTHING
  )`

function endsOf(composed: readonly ComposedBody[]): number[] {
  let end = 0
  return composed.map(({ rest }) => (end += rest.length))
}
