import { addAudit } from "@/lib/access/audit/data"
import { open, seal } from "@/lib/platform/crypto"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { NoticeTarget, PostFailure } from "@/lib/projects/notices/schema"

type OfProject = { project: { id: string } }

/** The target as it is shown: of its URL, which is a secret, only the host. */
export async function findTarget(scope: OfProject): Promise<NoticeTarget | null> {
  const row = await db(scope).noticeTarget.findFirst({
    select: {
      ...{ host: true, lastSuccessAt: true, lastFailureAt: true, failure: true, statusCode: true, updatedAt: true },
    },
  })
  if (!row) return null
  return {
    ...{ host: row.host, updatedAt: row.updatedAt },
    lastSuccessAt: present(row.lastSuccessAt),
    lastFailureAt: present(row.lastFailureAt),
    // `recordPost` alone writes it.
    failure: present(row.failure) as PostFailure | undefined,
    statusCode: present(row.statusCode),
  }
}

/** A chat, by its URL and as that is stored. */
type ChatUrl = { href: string; sealed: Uint8Array<ArrayBuffer> }

/** Where notices of a project are posted; null if nowhere. */
export async function targetUrl(scope: OfProject): Promise<ChatUrl | null> {
  const row = await db(scope).noticeTarget.findFirst({ select: { url: true } })
  return row && { href: open(Buffer.from(row.url), purposeOf(scope)).toString(), sealed: row.url }
}

export async function saveTarget(scope: Scope, url: URL): Promise<void> {
  const data = { url: new Uint8Array(seal(url.href, purposeOf(scope))), host: url.host }
  await db(scope).$transaction(async (tx) => {
    const forgotten = { lastSuccessAt: null, lastFailureAt: null, failure: null, statusCode: null }
    // Of two who set the first one at the same time, the later one counts.
    const { count } = await tx.noticeTarget.createMany({ data, skipDuplicates: true })
    if (!count) await tx.noticeTarget.updateMany({ data: { ...data, ...forgotten } })
    await audit(scope, { noticeHost: url.host }, tx)
  })
}

/** @returns whether there was one */
export async function removeTarget(scope: Scope): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const { count } = await tx.noticeTarget.deleteMany()
    if (count > 0) await audit(scope, { noticeHost: null }, tx)
    return count > 0
  })
}

function audit(scope: Scope, changes: Record<string, unknown>, tx: Parameters<typeof addAudit>[2]): Promise<void> {
  const target = encodeId("proj", scope.project.id)
  return addAudit(scope, { action: "project.updated", target, name: scope.project.name, changes }, tx)
}

/** How a post ended; for a target that took it, nothing else. */
export type PostOutcome = { failure?: PostFailure; statusCode?: number; retryAfterSeconds?: number }

/** Keeps the end of a post for the settings page, unless the project has another chat by now. */
export async function recordPost(
  scope: OfProject,
  { sealed }: ChatUrl,
  { failure, statusCode }: PostOutcome,
): Promise<void> {
  const now = await databaseTime()
  const data = failure
    ? { lastFailureAt: now, failure, statusCode: statusCode ?? null }
    : { lastSuccessAt: now, failure: null, statusCode: null }
  await db(scope).noticeTarget.updateMany({ where: { url: sealed }, data })
}

function purposeOf({ project }: OfProject): string {
  return `notice_targets|url|${project.id}|`
}
