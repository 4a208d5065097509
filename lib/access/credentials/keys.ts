import { crc32 } from "node:zlib"
import { sha256 } from "@/lib/platform/crypto"
import { cellName } from "@/lib/platform/env/fields"
import type { Random } from "@/lib/platform/io"
import { findKeys, type LiveKey } from "@/lib/access/credentials/data"
import type { KeyPrincipal } from "@/lib/platform/http/scope"

export const keyPrefix = "mr_live_"
const randomLength = 32
const checksumLength = 6
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const form = new RegExp(`^${keyPrefix}(?:${cellName}_)?[0-9A-Za-z]{38}$`)
/** Random characters of a key that are stored, behind its prefix, to recognise it by. */
const startLength = 4

export type NewKey = { secret: string; hash: Buffer; start: string }

/**
 * A fresh API key: prefix, 32 random base62 characters (190 bits), 6 characters of CRC32. Shown once, stored hashed.
 * @param cell the installation that issues it, by which a router knows where its requests go
 */
export function mintKey(random: Random, cell?: string): NewKey {
  const prefix = cell === undefined ? keyPrefix : `${keyPrefix}${cell}_`
  const body = prefix + randomText(random, randomLength)
  const secret = body + checksum(body)
  return { secret, hash: sha256(secret), start: secret.slice(0, prefix.length + startLength) }
}

/** The hash to look a key up by, or null when the text cannot be a key: typos cost no query. */
export function hashOfKey(text: string): Buffer | null {
  if (!form.test(text)) return null
  const body = text.slice(0, -checksumLength)
  return checksum(body) === text.slice(-checksumLength) ? sha256(text) : null
}

function randomText(random: Random, length: number): string {
  let text = ""
  while (text.length < length) {
    // 248 = 4 x 62: bytes beyond it would favour the first characters.
    for (const byte of random.bytes(length)) if (byte < 248 && text.length < length) text += base62[byte % 62]
  }
  return text
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ""
  for (let i = 0; i < checksumLength; i++) {
    text = base62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** A revocation takes effect within this time in every process. */
const ageMaxMs = 1_000
/** Live keys in use are read again at half that age, together with the requested ones; at most this many in a query. */
const aheadAfterMs = ageMaxMs / 2
const aheadMax = 200
const unusedMaxMs = 60_000
/** Unknown keys have entries too, so that a client that repeats one costs only a query a second. */
const entriesMax = 10_000

/** Times are of `performance`: a system clock that is set back must not keep a revoked key alive. */
type Entry = { key: LiveKey | null; readAt: number; usedAt: number }

const entries = new Map<string, Entry>()
const byPrincipal = new WeakMap<KeyPrincipal, LiveKey>()
let refresh: { hashes: Map<string, Buffer>; done: Promise<void> } | null = null
let walkedAt = -Infinity

/** The live key of a hash, at most 1 s old; null when unknown, revoked or expired. */
export async function liveKey(hash: Buffer): Promise<LiveKey | null> {
  const name = hash.toString("base64")
  const known = entries.get(name)
  if (known && performance.now() - known.readAt < ageMaxMs) return use(known)
  await refreshed(name, hash)
  const entry = entries.get(name)
  return entry ? use(entry) : null
}

/** The key as it was when its principal was authenticated, to build the scope of the same request. */
export function cachedKey(principal: KeyPrincipal): LiveKey | undefined {
  return byPrincipal.get(principal)
}

/** The number of entries, for tests of its limit. */
export function cachedEntries(): number {
  return entries.size
}

function use(entry: Entry): LiveKey | null {
  const now = performance.now()
  entry.usedAt = now
  const { key } = entry
  return key && (key.msToExpiry === null || entry.readAt + key.msToExpiry > now) ? key : null
}

/** One query reads all requested keys, and those in use that are about to expire from the cache. */
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
  const readAt = performance.now()
  if (readAt - walkedAt >= aheadAfterMs) walk(hashes, readAt)
  const found = await findKeys([...hashes.values()])
  for (const name of hashes.keys()) {
    const key = found.get(name) ?? null
    const usedAt = entries.get(name)?.usedAt ?? readAt
    // Inserted again, so that the entry read longest ago comes first.
    entries.delete(name)
    entries.set(name, { key, readAt, usedAt })
    if (key) byPrincipal.set(key.principal, key)
  }
  for (const name of entries.keys()) {
    if (entries.size <= entriesMax) break
    entries.delete(name)
  }
}

/** Removes unused entries, and adds the live keys in use that are about to expire from the cache. */
function walk(hashes: Map<string, Buffer>, now: number) {
  walkedAt = now
  for (const [name, { key, readAt, usedAt }] of entries) {
    if (now - usedAt > unusedMaxMs) entries.delete(name)
    else if (key && hashes.size < aheadMax && now - usedAt < ageMaxMs && now - readAt >= aheadAfterMs)
      hashes.set(name, Buffer.from(name, "base64"))
  }
}
