import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server"
import type { NewPasskey, PasskeyAssertion } from "@/lib/access/passkeys/schema"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"

/** Passkeys are bound to the host of BASE_URL: at another name of the installation they do not exist. */
function relyingParty() {
  const { hostname, origin } = new URL(env().baseUrl)
  return { expectedRPID: hostname, expectedOrigin: origin }
}

/** How long a person may take to answer, which is how long a challenge waits. */
export const challengeSeconds = 300

type Person = { userId: string; email: string; name: string | null }

/** For `navigator.credentials.create`: a passkey that the device finds by itself and that asks who holds it. */
export async function creationOptions({ userId, email, name }: Person, known: readonly string[]) {
  return generateRegistrationOptions({
    rpName: "Mailroom",
    rpID: relyingParty().expectedRPID,
    userID: new Uint8Array(Buffer.from(userHandleOf(userId), "base64url")),
    userName: email,
    userDisplayName: name ?? email,
    timeout: challengeSeconds * 1_000,
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  })
}

/** For `navigator.credentials.get`: any passkey of this installation. */
export async function requestOptions() {
  return generateAuthenticationOptions({
    rpID: relyingParty().expectedRPID,
    userVerification: "required",
    timeout: challengeSeconds * 1_000,
  })
}

/** Whether the challenge is one of ours that waits, which it then no longer does. */
type TakeChallenge = (challenge: string) => Promise<boolean>

export type VerifiedPasskey = { credentialId: string; publicKey: Uint8Array<ArrayBuffer>; counter: number }

/** The key that a new passkey has shown, or null when what it answered is not valid. */
export async function verifyNewPasskey(given: NewPasskey, take: TakeChallenge): Promise<VerifiedPasskey | null> {
  const { credentialId, clientDataJSON, attestationObject } = given
  const response = { clientDataJSON, attestationObject }
  const { verified, registrationInfo } = await orUnverified(() =>
    verifyRegistrationResponse({
      ...relyingParty(),
      expectedChallenge: take,
      response: { ...credential(credentialId), response },
    }),
  )
  if (!verified || !registrationInfo) return null
  const { id, publicKey, counter } = registrationInfo.credential
  return { credentialId: id, publicKey, counter }
}

/** The new value of the passkey's counter, or null when its signature is not valid or the counter went back. */
export async function verifyAssertion(
  given: PasskeyAssertion,
  known: VerifiedPasskey,
  take: TakeChallenge,
): Promise<number | null> {
  const { credentialId, ...response } = given
  const { verified, authenticationInfo } = await orUnverified(() =>
    verifyAuthenticationResponse({
      ...relyingParty(),
      expectedChallenge: take,
      response: { ...credential(credentialId), response },
      credential: { id: known.credentialId, publicKey: known.publicKey, counter: known.counter },
    }),
  )
  return verified && authenticationInfo ? authenticationInfo.newCounter : null
}

/** The user handle that a passkey answers, in base64url: the bytes of the user's id, which say nothing about the person. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId.replaceAll("-", ""), "hex").toString("base64url")
}

function credential(id: string) {
  return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} }
}

/** The library throws at whatever does not fit. */
async function orUnverified<T>(
  verify: () => Promise<T>,
): Promise<T | { verified: false; registrationInfo?: never; authenticationInfo?: never }> {
  try {
    return await verify()
  } catch (error) {
    if (isUnavailable(error)) throw error
    log.info({ err: error }, "a passkey was refused")
    return { verified: false }
  }
}
