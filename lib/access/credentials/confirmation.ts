import { sessionDetails } from "@/lib/access/people/people-store"
import { confirmationRequired } from "@/lib/access/problems"
import { recentlyConfirmed } from "@/lib/access/rules"
import type { Clock } from "@/lib/platform/clock"
import type { SessionPrincipal } from "@/lib/platform/http/scope"

/**
 * Lets pass who signed in, or gave their password again, within the last 15 minutes: a session left open on a desk makes
 * no keys.
 * @throws confirmationRequired
 */
export async function mustBeConfirmed({ sessionId }: SessionPrincipal, clock: Clock): Promise<void> {
  const details = await sessionDetails(sessionId)
  if (!details || !recentlyConfirmed(details.confirmedAt, clock.now())) throw confirmationRequired()
}
