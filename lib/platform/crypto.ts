import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto"
import { env } from "@/lib/platform/env/env"

const version = 1
const nonceBytes = 12
const tagBytes = 16
const keyIdBytes = 4

/**
 * Encrypts a secret for the database: AES-256-GCM, random nonce, bound to `aad` (`table|column|row|project`), so that
 * a value copied into another row does not open. Layout: version, key id (4 bytes), nonce (12), tag (16), ciphertext.
 */
export function seal(plaintext: string | Uint8Array, aad: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", derivedKey("seal"), nonce).setAAD(Buffer.from(aad))
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(plaintext)), cipher.final()])
  return Buffer.concat([Buffer.from([version]), keyId(), nonce, cipher.getAuthTag(), ciphertext])
}

/** Opens what `seal` made under the same `aad`; throws when the key, the row or a byte differs. */
export function open(sealed: Uint8Array, aad: string): Buffer {
  const blob = Buffer.from(sealed)
  if (blob[0] !== version) throw new Error("Sealed secret of an unknown version.")
  if (!blob.subarray(1, 1 + keyIdBytes).equals(keyId())) throw new Error("Sealed with another SECRET_KEY.")
  const nonceAt = 1 + keyIdBytes
  const tagAt = nonceAt + nonceBytes
  const textAt = tagAt + tagBytes
  const decipher = createDecipheriv("aes-256-gcm", derivedKey("seal"), blob.subarray(nonceAt, tagAt))
    .setAAD(Buffer.from(aad))
    .setAuthTag(blob.subarray(tagAt, textAt))
  return Buffer.concat([decipher.update(blob.subarray(textAt)), decipher.final()])
}

/** SHA-256 of a high-entropy secret: what the database stores of keys and tokens. */
export function sha256(text: string | Uint8Array): Buffer {
  return createHash("sha256").update(text).digest()
}

/** HMAC-SHA256 under a key of its own per purpose, derived from SECRET_KEY. */
export function hmac(purpose: string, text: string | Uint8Array): Buffer {
  return createHmac("sha256", derivedKey(purpose)).update(text).digest()
}

/** A secret of its own per purpose, as hexadecimal text, for libraries that want one. */
export function derivedSecret(purpose: string): string {
  return derivedKey(purpose).toString("hex")
}

const derived = new Map<string, Buffer>()

function derivedKey(purpose: string): Buffer {
  const known = derived.get(purpose)
  if (known) return known
  const key = Buffer.from(hkdfSync("sha256", env().secretKey, "mailroom", purpose, 32))
  derived.set(purpose, key)
  return key
}

function keyId(): Buffer {
  return sha256(env().secretKey).subarray(0, keyIdBytes)
}
