import { sessionProof } from "@/lib/access/people/people-store"
import { confirmationRequired } from "@/lib/access/problems"
import { recentlyConfirmed } from "@/lib/access/rules"
import type { Clock } from "@/lib/platform/clock"
import type { SessionPrincipal } from "@/lib/platform/http/scope"

/**
 * Requires that the user signed in or confirmed their password within the last 15 minutes, so that an unattended session
 * cannot create keys.
 * @throws confirmationRequired
 */
export async function mustBeConfirmed({ sessionId }: SessionPrincipal, clock: Clock): Promise<void> {
  const proof = await sessionProof(sessionId)
  if (!proof || !recentlyConfirmed(proof.confirmedAt, clock.now())) throw confirmationRequired()
}
