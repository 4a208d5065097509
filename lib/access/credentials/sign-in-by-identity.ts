import { admit } from "@/lib/access/people/admission-store"
import { personAddress } from "@/lib/addresses/person-address"
import { linkIdentity, userOfIdentity } from "@/lib/access/credentials/identity-store"
import type { Identity } from "@/lib/access/credentials/identity-providers"
import { findPerson } from "@/lib/access/people/people-store"
import { open, type SignedIn, type SignInOrigin } from "@/lib/access/credentials/sign-in"
import { forgetTry, mayTry } from "@/lib/access/credentials/sign-in-limit-store"

/**
 * Signs in whom an identity provider knows: the verified address must be that of a user, or invited. The account at the
 * provider is bound to the user at the first time; another account that shows the same address later (a recycled one)
 * opens nothing. Null for every refusal alike.
 */
export async function signInByIdentity(identity: Identity, from: SignInOrigin): Promise<SignedIn | null> {
  const email = personAddress(identity.email)
  const attempt = { account: `${identity.provider} ${identity.subject}`, ip: from.ip }
  if (!email || !(await mayTry(attempt))) return null
  const [bound, person] = await Promise.all([userOfIdentity(identity), findPerson(email)])
  if (bound && bound !== person?.id) return null
  const userId = await admit({ email }, { by: identity.provider, ip: from.ip })
  if (!userId || !(await linkIdentity(userId, identity))) return null
  await forgetTry(attempt)
  return open(userId, { by: identity.provider }, from)
}
