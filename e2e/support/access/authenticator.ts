import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"

/** What a browser and its authenticator answer, made in software: ES256, attestation "none". */
export type Authenticator = ReturnType<typeof newAuthenticator>

type Faults = { origin?: string; rpId?: string; type?: string; flags?: number; counter?: number }

const present = 0x01
const verified = 0x04
const hasKey = 0x40

export function newAuthenticator({ origin = "http://localhost:3000" } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { x = "", y = "" } = publicKey.export({ format: "jwk" })
  const credentialId = randomBytes(32)
  const rpIdOf = (at: string) => new URL(at).hostname

  function clientData(type: string, challenge: string, at: string) {
    return Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))
  }
  function authenticatorData(rpId: string, flags: number, counter: number, rest = Buffer.alloc(0)) {
    const numbers = Buffer.alloc(5)
    numbers.writeUInt8(flags)
    numbers.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash("sha256").update(rpId).digest(), numbers, rest])
  }

  return {
    credentialId: credentialId.toString("base64url"),

    /** As for `navigator.credentials.create`. */
    create(challenge: string, faults: Faults = {}) {
      const at = faults.origin ?? origin
      // COSE: kty EC2, alg ES256, crv P-256, x, y.
      const key = [Buffer.from("a5010203262001215820", "hex"), bytes(x), Buffer.from("225820", "hex"), bytes(y)]
      const length = Buffer.from([0, credentialId.length])
      const rest = Buffer.concat([Buffer.alloc(16), length, credentialId, ...key])
      const flags = faults.flags ?? present | verified | hasKey
      const data = authenticatorData(faults.rpId ?? rpIdOf(at), flags, faults.counter ?? 0, rest)
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}.
      const attestation = [
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
        Buffer.from([data.length]),
        data,
      ]
      return {
        credentialId: credentialId.toString("base64url"),
        clientDataJSON: clientData(faults.type ?? "webauthn.create", challenge, at).toString("base64url"),
        attestationObject: Buffer.concat(attestation).toString("base64url"),
      }
    },

    /** As for `navigator.credentials.get`. */
    get(challenge: string, userHandle: string, faults: Faults = {}) {
      const at = faults.origin ?? origin
      const client = clientData(faults.type ?? "webauthn.get", challenge, at)
      const data = authenticatorData(faults.rpId ?? rpIdOf(at), faults.flags ?? present | verified, faults.counter ?? 0)
      const signed = Buffer.concat([data, createHash("sha256").update(client).digest()])
      return {
        credentialId: credentialId.toString("base64url"),
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
        userHandle,
      }
    },
  }
}

function bytes(base64url: string): Buffer {
  return Buffer.from(base64url, "base64url")
}
