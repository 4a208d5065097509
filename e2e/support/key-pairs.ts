import { generateKeyPair, generateKeyPairSync } from "node:crypto"
import { promisify } from "node:util"

/** As the product makes it for DKIM: PKCS#8 PEM, and SPKI DER in base64. */
export type KeyPair = { privateKey: string; publicKey: string }

const modulusLength = 2048

/** No test tells more keys than these apart. */
const count = 8

/** For a whole run: a fresh pair takes a tenth of a second of processor, a domain has two, and tests register hundreds. */
export function makeKeyPairs(): KeyPair[] {
  return Array.from({ length: count }, makeKeyPair)
}

/** A fresh one, which is not handed out to anybody else. */
export function makeKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "der" },
  })
  return { privateKey, publicKey: publicKey.toString("base64") }
}

/** Whoever awaits a new pair in this process gets the next of these. */
export function handOutKeyPairs(pairs: KeyPair[]) {
  let next = 0
  const handOut = async () => {
    const pair = pairs[next++ % pairs.length]
    return pair && { ...pair, publicKey: Buffer.from(pair.publicKey, "base64") }
  }
  Object.assign(generateKeyPair, { [promisify.custom]: handOut })
}
