import {
  addSignInLink,
  findSession,
  type LinkRecipient,
  type NewSession,
  openSession,
  revokeSessions,
  type SignInWay,
  takeSignInLink,
} from "@/lib/access/credentials/data"
import { type Identity, type Grants, grantsOf } from "@/lib/access/credentials/identity-providers"
import { passwordMatches } from "@/lib/access/credentials/passwords"
import { sessionIdOf } from "@/lib/access/credentials/session"
import {
  forgetAttempt,
  mayAttempt,
  mayAttemptPassword,
  mayTrySecondStep,
  passwordSucceeded,
  secondStepSucceeded,
} from "@/lib/access/credentials/sign-in-limits"
import { addGrantedUser, applyGrants } from "@/lib/access/groups/data"
import { admit } from "@/lib/access/invites/data"
import { auditFailedSignIn, auditPerson, findPerson, linkIdentity, userOfIdentity } from "@/lib/access/people/data"
import { findPasskey, recordPasskeyUse, takeChallenge } from "@/lib/access/passkeys/data"
import type { PasskeyAssertion } from "@/lib/access/passkeys/schema"
import { userHandleOf, verifyAssertion } from "@/lib/access/passkeys/webauthn"
import { passwordLength } from "@/lib/access/rules"
import {
  addPendingSignIn,
  findPendingSignIn,
  finishPendingSignIn,
  openAfterFirstStep,
  type SecondStep,
} from "@/lib/access/second-factor/data"
import { personAddress } from "@/lib/addresses/address"
import { sha256 } from "@/lib/platform/crypto"
import { env } from "@/lib/platform/env/env"
import { networkOf } from "@/lib/platform/networks"
import { encodeId } from "@/lib/platform/ids"
import { type Io, systemRandom } from "@/lib/platform/io"
import { log } from "@/lib/platform/log"
import { cutText } from "@/lib/platform/format"

/** Where an attempt to sign in comes from. */
export type SignInOrigin = { ip: string; userAgent?: string; cookie?: string }

export type SignedIn = { userId: string; sessionId: string }

/** The first step was passed, and the user has a second factor: the token under which the sign-in waits for it. */
export type SecondStepWanted = { secondStepToken: string }

/**
 * Signs in by email and password. Null for every refusal alike: no such user, no password, an incorrect one, no attempts
 * left. Each of the first three costs one Argon2 check and the same statements.
 */
export async function signInByPassword(
  email: string,
  password: string,
  from: SignInOrigin,
): Promise<SignedIn | SecondStepWanted | null> {
  if (password.length > passwordLength.max) return null
  const address = personAddress(email)
  const attempt = { account: address ?? cutText(email, 320), ip: from.ip }
  if (!(await mayAttemptPassword(attempt))) return null
  const person = await findPerson(address ?? "")
  const matches = await passwordMatches(person?.passwordHash ?? null, password)
  if (!person || !matches) {
    if (person) noteFailure(person, from)
    return null
  }
  await passwordSucceeded(attempt)
  return open(person.id, { by: "password", passwordHash: person.passwordHash ?? "" }, from)
}

const failureNotedAfterMs = 5_000

/** Records it when the answer is long gone, whose time must not tell whether the account exists. */
function noteFailure({ id, email }: { id: string; email: string }, { ip }: SignInOrigin) {
  const record = () =>
    auditFailedSignIn({ userId: id, ip }, email).catch((error: unknown) =>
      log.warn({ err: error }, "a failed sign-in could not be recorded"),
    )
  setTimeout(() => void record(), failureNotedAfterMs).unref()
}

/** Signs in by the token of a sign-in link, which works once. */
export async function signInByLink(token: string, from: SignInOrigin): Promise<SignedIn | SecondStepWanted | null> {
  const attempt = { account: `link ${networkOf(from.ip)}`, ip: from.ip }
  if (token.length > 200 || !(await mayAttempt(attempt))) return null
  const userId = await redeemSignInLink(token, from)
  if (!userId) return null
  await forgetAttempt(attempt)
  return open(userId, { by: "link" }, from)
}

/**
 * Signs in by an account at an identity provider, whose verified address must be a user's, or invited, or whose groups give it
 * a role. The first sign-in links the account to the user, and it stays theirs when its address changes to one that no other user
 * has (OpenID Connect Core 1.0, section 5.7); another account with the same address (a recycled one) is refused later. Null for
 * every refusal alike.
 */
export async function signInByIdentity(
  identity: Identity,
  from: SignInOrigin,
): Promise<SignedIn | SecondStepWanted | null> {
  const email = personAddress(identity.email)
  const attempt = { account: `${identity.provider} ${identity.subject}`, ip: from.ip }
  if (!email || !(await mayAttempt(attempt))) return null
  const [linked, person] = await Promise.all([userOfIdentity(identity), findPerson(email)])
  if (linked && person && linked.id !== person.id) return null
  const grants = grantsTo(identity)
  const userId = linked && !person ? linked.id : await userOfAddress(email, identity, grants, from)
  if (!userId || !(await linkIdentity(userId, identity))) return null
  if (grants) await applyGrants({ id: userId, email: linked?.email ?? email, ip: from.ip }, grants)
  await forgetAttempt(attempt)
  return open(userId, { by: identity.provider }, from)
}

/** The user of an address that the provider has verified; a new one where an invite or a group lets them in. */
async function userOfAddress(
  email: string,
  { provider }: Identity,
  grants: Grants | null,
  { ip }: SignInOrigin,
): Promise<string | null> {
  const admitted = await admit({ email }, { by: provider, ip })
  return admitted ?? (grants?.size ? addGrantedUser(email) : null)
}

/** What the groups of the account give. Null where groups have no say: nothing is given or taken then. */
function grantsTo({ groups }: Identity): Grants | null {
  const mapping = env().identity.oidc?.roles ?? []
  return groups && mapping.length ? grantsOf(groups, mapping) : null
}

type Opening = { by: SignInWay; passwordHash?: string }

/** After the first step: a session, or for a user with a second factor a sign-in that waits for it and gives access to nothing. */
async function open(userId: string, opening: Opening, from: SignInOrigin): Promise<SignedIn | SecondStepWanted | null> {
  const sessionId = await openAfterFirstStep(userId, newSession(opening, from))
  if (sessionId === null) return null
  if (sessionId !== "second-step") return started({ userId, sessionId }, opening, from)
  const token = systemRandom.bytes(tokenBytes).toString("base64url")
  const waits = await addPendingSignIn({ userId, ...opening }, sha256(token))
  return waits ? { secondStepToken: token } : null
}

/**
 * Finishes a sign-in that waits under the token, with a code of the authenticator app or a recovery code. "expired" when
 * none waits, "refused" when the code is not right or no attempts are left.
 */
export async function signInBySecondStep(
  token: string | null,
  code: string,
  from: SignInOrigin,
): Promise<SignedIn | "expired" | "refused"> {
  const pending = token && token.length <= 200 ? await findPendingSignIn(sha256(token)) : null
  if (!token || !pending) return "expired"
  const { userId, email } = pending
  const attempt = { userId, ip: from.ip }
  if (!(await mayTrySecondStep(attempt))) return "refused"
  const { ip, userAgent } = from
  const place = { ip, ...(userAgent && { userAgent }) }
  const passed = code.length <= 100 ? await finishPendingSignIn(sha256(token), code, place) : null
  if (!passed) {
    await auditFailedSignIn(attempt, email)
    return "refused"
  }
  await secondStepSucceeded(attempt)
  return started({ userId, sessionId: passed.sessionId }, passed, from)
}

/**
 * Signs in with a passkey alone: its device has asked who holds it, so that there is no second step. Null for every refusal
 * alike.
 */
export async function signInByPasskey(given: PasskeyAssertion, from: SignInOrigin): Promise<SignedIn | null> {
  const attempt = { account: `passkey ${networkOf(from.ip)}`, ip: from.ip }
  if (!(await mayAttempt(attempt))) return null
  const passkey = await findPasskey(given.credentialId)
  if (!passkey || (given.userHandle && given.userHandle !== userHandleOf(passkey.userId))) return null
  const { userId, email } = passkey
  const counter = await verifyAssertion(given, passkey, (challenge) => takeChallenge(challenge, null))
  if (counter === null) {
    noteFailure({ id: userId, email }, from)
    return null
  }
  if (!(await recordPasskeyUse(passkey, counter))) return null
  await forgetAttempt(attempt)
  return openNow(userId, { by: "passkey" }, from)
}

type Opened = Opening & { factor?: SecondStep["factor"] }

/** Opens a session where no further step is asked for. */
async function openNow(userId: string, opened: Opened, from: SignInOrigin): Promise<SignedIn | null> {
  const sessionId = await openSession(userId, newSession(opened, from))
  return sessionId === null ? null : started({ userId, sessionId }, opened, from)
}

function newSession({ by, passwordHash }: Opening, { ip, userAgent }: SignInOrigin): NewSession {
  return { by, ip, ...(passwordHash !== undefined && { passwordHash }), ...(userAgent && { userAgent }) }
}

/** A new session was opened: the browser's earlier one is ended, and the audit log says who signed in. */
async function started(signedIn: SignedIn, { by, factor }: Opened, from: SignInOrigin): Promise<SignedIn> {
  const before = await sessionIdOf(from.cookie ?? null)
  if (before) await revokeSessions({ id: before })
  const { userId } = signedIn
  const { ip, userAgent } = from
  const changes = {
    by,
    ...(factor && { secondFactor: factor }),
    ...(userAgent && { userAgent: cutText(userAgent, 200) }),
  }
  await auditPerson({ userId, ip }, { action: "user.signed_in", target: encodeId("usr", userId), changes })
  return signedIn
}

/** Ends a session at its user's wish. */
export async function signOut(sessionId: string, { ip }: SignInOrigin): Promise<void> {
  const session = await findSession(sessionId)
  await revokeSessions({ id: sessionId })
  if (!session) return
  const { userId, email } = session
  await auditPerson({ userId, ip }, { action: "user.signed_out", target: encodeId("usr", userId), name: email })
}

const validMs = 15 * 60_000
const tokenBytes = 32

/**
 * A link that signs a user or an invited address in, once, within 15 minutes. Only its hash is stored. `wanted` is the path
 * of ours that it leads on to.
 */
export async function newSignInLink(
  recipient: LinkRecipient,
  io: Pick<Io, "clock" | "random">,
  wanted?: string,
): Promise<{ url: string; expiresAt: Date }> {
  const token = io.random.bytes(tokenBytes).toString("base64url")
  const expiresAt = new Date(io.clock.now().getTime() + validMs)
  await addSignInLink(recipient, sha256(token), expiresAt)
  const query = new URLSearchParams({ token, ...(wanted && { callbackUrl: wanted }) })
  return { url: `${env().baseUrl}/sign-in/link?${query.toString()}`, expiresAt }
}

/** The user whom a link's token signs in, once; null when it is unknown, used or expired, or its invite is no longer open. */
async function redeemSignInLink(token: string, { ip }: { ip: string }): Promise<string | null> {
  const recipient = await takeSignInLink(sha256(token))
  return recipient && admit(recipient, { by: "link", ip })
}
