import {
  addSignInLink,
  type LinkRecipient,
  openSession,
  revokeSessions,
  type SignInWay,
  takeSignInLink,
} from "@/lib/access/credentials/data"
import type { Identity } from "@/lib/access/credentials/identity-providers"
import { passwordMatches } from "@/lib/access/credentials/passwords"
import { sessionIdOf } from "@/lib/access/credentials/session"
import {
  forgetAttempt,
  mayAttempt,
  mayAttemptPassword,
  passwordSucceeded,
} from "@/lib/access/credentials/sign-in-limits"
import { admit } from "@/lib/access/invites/data"
import { findPerson, linkIdentity, userOfIdentity } from "@/lib/access/people/data"
import { passwordLength } from "@/lib/access/rules"
import { personAddress } from "@/lib/addresses/person-address"
import { sha256 } from "@/lib/platform/crypto"
import { env } from "@/lib/platform/env/env"
import { networkOf } from "@/lib/platform/http/client-address"
import type { Io } from "@/lib/platform/io"
import { cutText } from "@/lib/platform/text"

/** Where an attempt to sign in comes from. */
export type SignInOrigin = { ip: string; userAgent?: string; cookie?: string }

export type SignedIn = { userId: string; sessionId: string }

/**
 * Signs in by email and password. Null for every refusal alike: no such user, no password, an incorrect one, no attempts
 * left. Each of the first three costs one Argon2 check and the same statements.
 */
export async function signInByPassword(email: string, password: string, from: SignInOrigin): Promise<SignedIn | null> {
  if (password.length > passwordLength.max) return null
  const address = personAddress(email)
  const attempt = { account: address ?? cutText(email, 320), ip: from.ip }
  if (!(await mayAttemptPassword(attempt))) return null
  const person = await findPerson(address ?? "")
  const matches = await passwordMatches(person?.passwordHash ?? null, password)
  if (!person || !matches) return null
  await passwordSucceeded(attempt)
  return open(person.id, { by: "password", passwordHash: person.passwordHash ?? "" }, from)
}

/** Signs in by the token of a sign-in link, which works once. */
export async function signInByLink(token: string, from: SignInOrigin): Promise<SignedIn | null> {
  const attempt = { account: `link ${networkOf(from.ip)}`, ip: from.ip }
  if (token.length > 200 || !(await mayAttempt(attempt))) return null
  const userId = await redeemSignInLink(token, from)
  if (!userId) return null
  await forgetAttempt(attempt)
  return open(userId, { by: "link" }, from)
}

/**
 * Signs in by an account at an identity provider, whose verified address must be a user's, or invited. The first sign-in
 * links the account to the user; another account with the same address (a recycled one) is refused later. Null for every
 * refusal alike.
 */
export async function signInByIdentity(identity: Identity, from: SignInOrigin): Promise<SignedIn | null> {
  const email = personAddress(identity.email)
  const attempt = { account: `${identity.provider} ${identity.subject}`, ip: from.ip }
  if (!email || !(await mayAttempt(attempt))) return null
  const [linked, person] = await Promise.all([userOfIdentity(identity), findPerson(email)])
  if (linked && linked !== person?.id) return null
  const userId = await admit({ email }, { by: identity.provider, ip: from.ip })
  if (!userId || !(await linkIdentity(userId, identity))) return null
  await forgetAttempt(attempt)
  return open(userId, { by: identity.provider }, from)
}

type Opening = { by: SignInWay; passwordHash?: string }

/** Opens a new session; the browser's earlier one is ended. */
async function open(userId: string, opening: Opening, from: SignInOrigin): Promise<SignedIn | null> {
  const before = await sessionIdOf(from.cookie ?? null)
  if (before) await revokeSessions({ id: before })
  const { ip, userAgent } = from
  const sessionId = await openSession(userId, { ...opening, ip, ...(userAgent && { userAgent }) })
  return sessionId === null ? null : { userId, sessionId }
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
