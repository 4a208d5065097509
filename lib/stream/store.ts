import { currentTime, databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { shownEventData } from "@/lib/explanation/words"
import type { Scope } from "@/lib/platform/http/scope"
import { streamedTypes, type StreamEvent } from "@/lib/stream/schema"

const tokenSeconds = 60

/** Tokens of a project that can still open a stream. */
const liveTokensMax = 30

/** A stream counts as open for so long after its process last said so. */
const seenSeconds = 15

/**
 * Stores the hash of a token that may open one stream within 60 s; beyond 30 live tokens the oldest is deleted.
 * @returns when it expires
 */
export async function addToken(scope: Scope, hash: Buffer): Promise<Date> {
  const { principal } = scope
  const holder = {
    keyId: principal.kind === "key" ? principal.keyId : null,
    sessionId: principal.kind === "session" ? principal.sessionId : null,
  }
  return db(scope).$transaction(async (tx) => {
    // Concurrent ones would not count each other, and each would delete what the other is deleting.
    await takeLock(`mailroom.stream_tokens ${scope.project.id}`, tx)
    const now = await currentTime(tx)
    const expiresAt = secondsAfter(now, tokenSeconds)
    const tokenHash = new Uint8Array(hash)
    await tx.streamToken.createMany({ data: { tokenHash, ...holder, expiresAt, createdAt: now } })
    const tooOld = await tx.streamToken.findMany({
      where: { usedAt: null, expiresAt: { gt: now } },
      orderBy: { createdAt: "desc" },
      skip: liveTokensMax,
      select: { tokenHash: true },
    })
    if (tooOld.length > 0)
      await tx.streamToken.deleteMany({ where: { tokenHash: { in: tooOld.map((one) => one.tokenHash) } } })
    return expiresAt
  })
}

/** Who may read a stream. `hash` names it while it is open. */
export type Ticket = { hash: Buffer; projectId: string }

/**
 * Uses a token: of any number of concurrent calls one gets the ticket. `open` counts the streams that the project has open
 * on any process, with this one.
 */
export async function redeemToken(hash: Buffer): Promise<{ ticket: Ticket; open: number } | null> {
  const now = await databaseTime()
  const [token] = await unscoped().streamToken.updateManyAndReturn({
    where: { tokenHash: new Uint8Array(hash), usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now, seenAt: now },
    select: { projectId: true },
  })
  if (!token) return null
  const open = await db({ project: { id: token.projectId } }).streamToken.count({
    where: { seenAt: { gt: secondsAfter(now, -seenSeconds) } },
  })
  return { ticket: { hash, projectId: token.projectId }, open }
}

export async function markClosed({ hash, projectId }: Ticket): Promise<void> {
  const ofProject = db({ project: { id: projectId } })
  await ofProject.streamToken.updateMany({ where: { tokenHash: new Uint8Array(hash) }, data: { seenAt: null } })
}

/** The newest events that a stream carries, oldest first. */
export async function findRecentEvents(scope: Scope, most: number): Promise<StreamEvent[]> {
  const rows = await db(scope).event.findMany({
    where: { seq: { not: null }, emailId: { not: null }, type: { in: [...streamedTypes] } },
    select: { id: true, type: true, emailId: true, occurredAt: true, data: true },
    orderBy: { seq: "desc" },
    take: most,
  })
  return rows.reverse().flatMap(({ emailId, type, data, ...row }) =>
    // The filter names the types; texts are all that our own events hold.
    emailId === null
      ? []
      : { ...row, emailId, type: type as StreamEvent["type"], data: shownEventData(data as Record<string, string>) },
  )
}
