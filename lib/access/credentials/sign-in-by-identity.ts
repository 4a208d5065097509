import { admit } from "@/lib/access/people/admission-store"
import { personAddress } from "@/lib/addresses/person-address"
import type { Identity } from "@/lib/access/credentials/identity-providers"
import { findPerson, linkIdentity, userOfIdentity } from "@/lib/access/people/people-store"
import { open, type SignedIn, type SignInOrigin } from "@/lib/access/credentials/sign-in"
import { forgetAttempt, mayAttempt } from "@/lib/access/credentials/sign-in-limits"

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
