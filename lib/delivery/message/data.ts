import { rememberEnded, type RetainedSigner } from "@/lib/domains/keys/data"
import { type Cut, putIn, takeOut } from "@/lib/emails/content/cuts"
import {
  type ComposedBody,
  type StoredContent,
  findContent,
  readContactValues,
  storeComposed,
} from "@/lib/emails/content/data"
import { presentBody } from "@/lib/emails/message-rules"
import { pool } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { batchWrites } from "@/lib/platform/jobs/batches"

// On `pg`: the delivery loop runs these for every message or group of all projects (lib/README.md, "Data access").

/** `raw` alone once the message is composed. `shared`: the attachments are stored once for all messages of the send. */
export type Body =
  | { raw: Buffer }
  | { raw: null; text: string | null; html: string | null; attachments: StoredAttachment[]; shared: boolean }

export type StoredAttachment = {
  filename: string
  /** Octets, or base64 where they are stored with the message. */
  content: Buffer | string
  contentType: string
  contentId?: string
  disposition?: "attachment" | "inline"
}

/** Bodies up to this size are read together with the others of a claim: some hundred are in memory at once. */
export const readTogetherBytesMax = 64 * 1024

/** Expressions for the ids, and the condition under which bodies are read. */
type Columns = { projectId: string; emailId: string; groupId: string; wanted: string }

/** The body of a message: its own, or the one stored with the first message of its send. */
export const bodyColumns = ({ projectId, emailId, groupId, wanted }: Columns) => `
  SELECT own.raw IS NOT NULL AS composed, CASE WHEN ${wanted} THEN own.raw END AS raw, own.cuts,
      CASE WHEN ${wanted} AND own.raw IS NULL THEN coalesce(own.text, first.text) END AS text,
      CASE WHEN ${wanted} AND own.raw IS NULL THEN coalesce(own.html, first.html) END AS html,
      CASE WHEN ${wanted} AND own.raw IS NULL THEN own.attachments END AS attachments,
      own.contact_values AS "contactValues"
    FROM email_bodies own
    LEFT JOIN email_bodies first ON first.project_id = own.project_id
      AND first.email_id = CASE WHEN own.raw IS NULL AND ${groupId} <> ${emailId} THEN ${groupId} END
    WHERE own.project_id = ${projectId} AND own.email_id = ${emailId}`

export type BodyRow = {
  text: string | null
  html: string | null
  attachments: StoredAttachment[] | null
  raw: Buffer | null
  cuts: Cut[] | null
}

/** Undefined if the body needs content that is stored separately. */
export function ownBody({ raw, cuts, text, html, attachments }: BodyRow): Body | undefined {
  if (raw) return cuts ? undefined : { raw }
  if (text === null && html === null) return undefined
  return { raw, ...presentBodies({ text, html }), attachments: attachments ?? [], shared: false }
}

/** Identifies a message and its send. */
export type MessageRef = { projectId: string; groupId: string; id: string }

export async function findBody({ projectId, groupId, id }: MessageRef): Promise<Body> {
  const { rows } = await pool().query<BodyRow & { contactValues: unknown }>({
    name: "delivery.find_body",
    text: bodyColumns({ projectId: "$1::uuid", emailId: "$2::uuid", groupId: "$3::uuid", wanted: "true" }),
    values: [projectId, id, groupId],
  })
  const [row] = rows
  const own = row && ownBody(row)
  if (own) return own
  const content = row && (await contentOf(projectId, groupId))
  if (!content) throw new Error("The content of the message is missing.")
  if (row.raw) return { raw: putIn({ rest: row.raw, cuts: row.cuts ?? [] }, octetsOf(content)) }
  const bodies = content.bodiesFor(readContactValues(row.contactValues))
  return { raw: null, ...presentBodies(bodies), attachments: content.files, shared: true }
}

/** Emails that were accepted before may have stored bodies without content. */
function presentBodies({ text, html }: Pick<StoredContent, "text" | "html">): Pick<StoredContent, "text" | "html"> {
  return { text: presentBody(text) ?? null, html: presentBody(html) ?? null }
}

function octetsOf({ files }: StoredContent): Buffer[] {
  return files.map(({ content }) => content)
}

/** Messages of one send follow each other: its content is read once for many of them. */
const contents = new Map<string, Promise<StoredContent | null>>()
const contentsMax = 2

function contentOf(projectId: string, groupId: string): Promise<StoredContent | null> {
  const content = contents.get(groupId) ?? findContent(projectId, groupId)
  contents.delete(groupId)
  contents.set(groupId, content)
  content.catch(() => contents.delete(groupId))
  const [oldest] = contents.keys()
  if (contents.size > contentsMax && oldest !== undefined) contents.delete(oldest)
  return content
}

type Composed = MessageRef & { raw: Buffer; shared: readonly Buffer[]; tracked: ComposedBody["tracked"] }

/**
 * Stores the signed bytes of a message at its first attempt and returns the bytes to send: these, or those that another
 * worker stored earlier. Attachments that are stored once for the whole send are not stored again.
 */
export function storeRaw({ shared, ...composed }: Composed): Promise<Buffer> {
  const { rest, cuts } = shared.length > 0 ? takeOut(composed.raw, shared) : { rest: composed.raw, cuts: [] }
  const all = { ...composed, rest, cuts: cuts.length > 0 ? cuts : null }
  return rest.length <= readTogetherBytesMax ? storeBatched(all) : storeAll([all]).then(only)
}

const storeBatched = batchWrites(storeAll, { max: 200, spacingMs: 40 })

async function storeAll(composed: (ComposedBody & MessageRef & { raw: Buffer })[]): Promise<Buffer[]> {
  const storedHere = await storeComposed(composed)
  return Promise.all(composed.map((one) => (storedHere.has(one.id) ? one.raw : storedEarlier(one))))
}

async function storedEarlier(message: MessageRef): Promise<Buffer> {
  const body = await findBody(message)
  if (!body.raw) throw new Error("The composed message could not be stored.")
  return body.raw
}

function only(raws: Buffer[]): Buffer {
  const [raw] = raws
  if (!raw) throw new Error("The composed message could not be stored.")
  return raw
}

/** Emails read in one step. */
const emailsMax = 1_000

/**
 * Reads the domain's next emails in the order of their ids and remembers up to where all have ended: what has ended
 * stays so, hence no email is read twice. `pending`: one of them is still to be sent.
 */
export async function pendingStep(signer: RetainedSigner) {
  const { projectId, domainId, endedUpTo } = signer
  const emails = await db({ project: { id: projectId } }).email.findMany({
    where: { domainId, id: { gt: endedUpTo } },
    orderBy: { id: "asc" },
    take: emailsMax,
    select: { id: true, deliveries: { where: { dueAt: { not: null } }, select: { id: true }, take: 1 } },
  })
  const waiting = emails.findIndex(({ deliveries }) => deliveries.length > 0)
  const ended = waiting < 0 ? emails : emails.slice(0, waiting)
  const last = ended.at(-1)?.id
  if (last !== undefined) await rememberEnded(signer, last)
  return { pending: waiting >= 0, read: emails.length > 0 }
}
