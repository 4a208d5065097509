import { generateKeyPair } from "node:crypto"
import { promisify } from "node:util"
import { dkimValue, type ExpectedRecord, type RecordState, type WatchedRecord } from "@/lib/domains/records/records"
import { dayMs } from "@/lib/platform/time"

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

/** How long the TXT of a key that was rotated out has to stay: mail on its way is still checked against it. */
const retiredKeepMs = 7 * dayMs

/**
 * The states after a rotation: the idle selector waits for a new value, beside which the old one is shown until nobody
 * needs it.
 */
export function rotatedStates(
  states: RecordState[],
  idle: "dkim-a" | "dkim-b",
  retiredKey: string,
  now: Date,
): RecordState[] {
  const keepUntil = new Date(now.getTime() + retiredKeepMs).toISOString()
  const waiting: RecordState = {
    key: idle,
    status: "pending",
    found: [],
    retired: { value: dkimValue(retiredKey), keepUntil },
  }
  return [...states.filter(({ key }) => key !== idle).map(withoutRetired), waiting]
}

/** Whether the retired value still has to be published at the record's name. */
export function mustStay({ retired }: Pick<WatchedRecord, "retired">, now: Date): boolean {
  return retired !== undefined && now.getTime() < Date.parse(retired.keepUntil)
}

/** What belongs at the record's name now: the retired value as long as it must stay, then the new one. */
export function dueValue(record: ExpectedRecord & Pick<WatchedRecord, "retired">, now: Date): string {
  return record.retired && mustStay(record, now) ? record.retired.value : record.value
}

/** A key in use replaces nothing any more. */
function withoutRetired({ retired: _retired, ...state }: RecordState): RecordState {
  return state
}
