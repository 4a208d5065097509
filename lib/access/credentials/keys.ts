import { crc32 } from "node:zlib"
import { sha256 } from "@/lib/platform/crypto"
import { cellName } from "@/lib/platform/env/fields"
import type { Random } from "@/lib/platform/io"

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
