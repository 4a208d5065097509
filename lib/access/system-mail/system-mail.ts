import { dayMs, hourMs } from "@/lib/platform/time"
import type { Notice } from "@/lib/access/system-mail/notices"
import { regionNames } from "@/lib/regions/regions"
import { regionSettings, type RegionProfile } from "@/lib/regions/settings"

/**
 * Queued system mail. A request for a sign-in link is queued for any address; whether it has an account is checked when the
 * email is composed, so that neither the answer nor its timing reveals it.
 */
export type SystemMail =
  | { kind: "sign-in-link"; to: string; wanted?: string }
  | { kind: "password-removed"; to: string }
  | { kind: "invite"; to: string; inviteId?: string; organization: string; role: string; inviter: string; url: string }
  | (Notice & { to: string; project: string; url: string })

/** System mail is retried for this long, then it is undelivered. */
export const retrySystemMailForMs = dayMs
/** Mail without an earlier end expires after this, if no worker has given it up. */
export const systemMailExpiresAfterMs = retrySystemMailForMs + hourMs

/** The relay of system mail: the first region with a mail server. Null while all regions are sandboxes. */
export function systemRelay(): RegionProfile | null {
  const { profiles } = regionSettings()
  return regionNames.map((region) => profiles[region]).find(({ transport }) => transport !== "sandbox") ?? null
}

/** What the sealed content of a queued mail is bound to. */
export function contentPurpose(id: string): string {
  return `system_mails|content|${id}|`
}
