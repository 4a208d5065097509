import { takeLock } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { dropOldestTokens, insertToken } from "@/lib/stream/token-sql"

/** Tokens of a project that can still open a stream. */
const liveTokensMax = 30

/**
 * Stores the hash of a token that may open one stream within 60 s; beyond 30 live tokens the oldest is deleted.
 * @returns when it expires
 */
export async function addToken(scope: Scope, hash: Buffer): Promise<Date> {
  return db(scope).$transaction(async (tx) => {
    // Concurrent ones would not count each other, and each would delete what the other is deleting.
    await takeLock(`mailroom.stream_tokens ${scope.project.id}`, tx)
    const expiresAt = await insertToken(scope, hash, tx)
    await dropOldestTokens(scope, liveTokensMax, tx)
    return expiresAt
  })
}

/** Who may read a stream. `hash` names it while it is open. */
export type Ticket = { hash: Buffer; projectId: string }

export async function markClosed({ hash, projectId }: Ticket): Promise<void> {
  const ofProject = db({ project: { id: projectId } })
  await ofProject.streamToken.updateMany({ where: { tokenHash: new Uint8Array(hash) }, data: { seenAt: null } })
}
