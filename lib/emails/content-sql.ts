import type { NewEmail } from "@/lib/emails/send-schema"
import { pool } from "@/lib/platform/database/db"

type GivenFile = NonNullable<NewEmail["attachments"]>[number]

/** The content of a send that is stored apart from its messages; `id` is its first message's. */
export type LargeContent = {
  id: string
  text: string | null
  html: string | null
  files: readonly GivenFile[]
  bytes: number
}

/** What is stored of an attachment besides its octets. */
type StoredFile = Omit<GivenFile, "content"> & { size: number }

export type ContentFile = Omit<GivenFile, "content"> & { content: Buffer }

/**
 * Stores the content of a send that is not decided yet, in a statement of its own that holds no lock. What is `inUse` is kept
 * although no message has its id, as that of a broadcast. On `pg`, because it is part of accepting a send.
 *
 * False where the project may not store that much: then nothing is stored.
 */
export async function storeContent(
  projectId: string,
  { id, text, html, files, bytes }: LargeContent,
  { inUse = false } = {},
): Promise<boolean> {
  const decoded = files.map(({ content }) => Buffer.from(content, "base64"))
  const described = files.map(({ content: _content, ...rest }, at): StoredFile => ({
    ...rest,
    size: decoded[at]?.length ?? 0,
  }))
  const { rowCount } = await pool().query(
    `INSERT INTO email_contents (id, project_id, text, html, attachments, files, in_use)
      SELECT $1, p.id, $3, $4, $5, $6, $7 FROM projects p JOIN send_allowances a ON a.project_id = p.id
        WHERE p.id = $2 AND a.stored_bytes + $8::bigint <= p.max_stored_bytes`,
    [id, projectId, text, html, JSON.stringify(described), Buffer.concat(decoded), inUse, bytes],
  )
  return rowCount === 1
}

export type Content = { text: string | null; html: string | null; files: ContentFile[] }

/**
 * The content that the messages of a send share; null if it is stored with its first message, or was removed. On `pg`,
 * because Prisma would encode mebibytes of attachments as base64, and every delivery of a large send reads it.
 */
export async function findContent(projectId: string, groupId: string): Promise<Content | null> {
  const { rows } = await pool().query<ContentRow>({
    name: "emails.content",
    text: "SELECT text, html, attachments, files FROM email_contents WHERE project_id = $1 AND id = $2",
    values: [projectId, groupId],
  })
  return rows[0] ? toContent(rows[0]) : null
}

export type ContentRow = { text: string | null; html: string | null; attachments: StoredFile[]; files: Buffer }

export function toContent({ text, html, attachments, files }: ContentRow): Content {
  let end = 0
  const parts = attachments.map(({ size, ...file }) => ({ ...file, content: files.subarray(end, (end += size)) }))
  return { text, html, files: parts }
}
