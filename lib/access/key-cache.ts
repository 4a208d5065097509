import type { KeyPrincipal, ProjectInScope } from "@/lib/platform/scope"
import { findKeys } from "@/lib/access/store"

/** What a request needs to know of its key: who it is, and the project it stands for. */
export type LiveKey = {
  principal: KeyPrincipal
  project: ProjectInScope
  projectDeleted: boolean
  organization: { id: string; multiRegion: boolean }
  expiresAt: Date | null
}

/** A revocation holds within this time on every process. */
const AGE_MAX_MS = 1_000

type Entry = { key: LiveKey | null; readAt: number; usedAt: number }

const entries = new Map<string, Entry>()
let refresh: { hashes: Map<string, Buffer>; done: Promise<void> } | null = null

/** The live key of a hash, at most 1 s old; null when unknown, revoked or expired. */
export async function liveKey(hash: Buffer): Promise<LiveKey | null> {
  const name = hash.toString("base64")
  const known = entries.get(name)
  if (known && Date.now() - known.readAt < AGE_MAX_MS) return use(known)
  await refreshed(name, hash)
  const entry = entries.get(name)
  return entry ? use(entry) : null
}

/** What the cache last knew of the key of a principal it gave out: enough to build the scope of the same request. */
export function cachedKey(keyId: string): LiveKey | undefined {
  return byKeyId.get(keyId)
}

const byKeyId = new Map<string, LiveKey>()

function use(entry: Entry): LiveKey | null {
  entry.usedAt = Date.now()
  const { key } = entry
  return key && (key.expiresAt === null || key.expiresAt.getTime() > Date.now()) ? key : null
}

/** One query reads all keys that were used in the last second, with the ones that wait. */
function refreshed(name: string, hash: Buffer): Promise<void> {
  if (!refresh) {
    const hashes = new Map<string, Buffer>()
    refresh = { hashes, done: Promise.resolve().then(() => readAll(hashes)) }
  }
  refresh.hashes.set(name, hash)
  return refresh.done
}

async function readAll(hashes: Map<string, Buffer>): Promise<void> {
  refresh = null
  const readAt = Date.now()
  for (const [name, entry] of entries) {
    if (readAt - entry.usedAt < AGE_MAX_MS) hashes.set(name, Buffer.from(name, "base64"))
    else if (readAt - entry.usedAt > 60_000) forget(name, entry)
  }
  const found = await findKeys([...hashes.values()])
  for (const name of hashes.keys()) {
    const key = found.get(name) ?? null
    entries.set(name, { key, readAt, usedAt: entries.get(name)?.usedAt ?? readAt })
    if (key) byKeyId.set(key.principal.keyId, key)
  }
}

function forget(name: string, entry: Entry) {
  entries.delete(name)
  if (entry.key) byKeyId.delete(entry.key.principal.keyId)
}
