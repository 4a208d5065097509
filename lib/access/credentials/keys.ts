import { crc32 } from "node:zlib"
import { sha256 } from "@/lib/platform/crypto"
import type { Random } from "@/lib/platform/io"

export const KEY_PREFIX = "mr_live_"
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const FORM = /^mr_live_[0-9A-Za-z]{38}$/
/** Characters of a key that are stored to recognise it by. */
const START_LENGTH = 12

export type NewKey = { secret: string; hash: Buffer; start: string }

/** A fresh API key: prefix, 32 random base62 characters (190 bits), 6 characters of CRC32. Shown once, stored hashed. */
export function mintKey(random: Random): NewKey {
  const body = KEY_PREFIX + randomText(random, RANDOM_LENGTH)
  const secret = body + checksum(body)
  return { secret, hash: sha256(secret), start: secret.slice(0, START_LENGTH) }
}

/** The hash to look a key up by, or null when the text cannot be a key: typos cost no query. */
export function hashOfKey(text: string): Buffer | null {
  if (!FORM.test(text)) return null
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return checksum(body) === text.slice(-CHECKSUM_LENGTH) ? sha256(text) : null
}

function randomText(random: Random, length: number): string {
  let text = ""
  while (text.length < length) {
    // 248 = 4 x 62: bytes beyond it would favour the first characters.
    for (const byte of random.bytes(length)) if (byte < 248 && text.length < length) text += BASE62[byte % 62]
  }
  return text
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ""
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
