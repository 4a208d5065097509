import { generateKeyPair } from "node:crypto"
import { promisify } from "node:util"

/** PKCS#8 PEM, and base64 of the SPKI DER as a DKIM record carries it (RFC 6376 3.6.1). */
export type DkimKeyPair = { privateKeyPem: string; publicKeyBase64: string }

const modulusBits = 2048

/** A fresh RSA key pair, made off the main thread (some hundred milliseconds of work). */
export async function generateDkimKey(): Promise<DkimKeyPair> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: modulusBits,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "der" },
  })
  return { privateKeyPem: privateKey, publicKeyBase64: publicKey.toString("base64") }
}

/** What a sealed private key is bound to: its own row. */
export function keyPurpose(keyId: string): string {
  return `dkim_keys.private_key:${keyId}`
}
