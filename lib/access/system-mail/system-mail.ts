import { env, regions, type RegionProfile } from "@/lib/platform/env/env"

/**
 * What waits in the queue of system mail. A wish for a sign-in link is queued whoever asks; whether the address is
 * anybody's is looked up when the mail is made, far from the request, so that no answer tells it by words or time.
 */
export type SystemMail =
  | { kind: "sign-in-link"; to: string; wanted?: string }
  | { kind: "password-removed"; to: string }
  | { kind: "invite"; to: string; inviteId?: string; organization: string; role: string; inviter: string; url: string }

/** System mail is retried for so long, then it is undelivered. */
export const retrySystemMailForMs = 24 * 3_600_000
/** Mail that has no end of its own is dropped here at the latest, should no worker have given it up. */
export const systemMailWorthMs = retrySystemMailForMs + 3_600_000

/** The way on which system mail leaves: the first region with a mail server. Null while all of them are sandboxes. */
export function systemRelay(): RegionProfile | null {
  const profiles = env().regions
  return regions.map((region) => profiles[region]).find(({ transport }) => transport !== "sandbox") ?? null
}
