import type { HeldBroadcast } from "@/lib/broadcasts/claim-sql"
import { readContent, readEntries } from "@/lib/broadcasts/content"
import { sourcesOf, type Source } from "@/lib/broadcasts/sources"
import type { NewEmail } from "@/lib/emails/send-schema"
import { db } from "@/lib/platform/database/scoped-db"

/** The content and the recipients. */
export type Plan = { email: NewEmail; sources: Source[]; topicId: string | null }

/** Null where the broadcast was removed with its project. */
export async function findPlan({ projectId, id }: HeldBroadcast): Promise<Plan | null> {
  const select = { content: true, entries: true, topicId: true } as const
  const row = await db({ project: { id: projectId } }).broadcast.findUnique({ where: { id }, select })
  if (!row) return null
  return {
    email: { ...readContent(row.content), to: [] },
    sources: sourcesOf(readEntries(row.entries)),
    topicId: row.topicId,
  }
}
