import type { NewAuditEntry } from "@/lib/access/audit/data"
import type { AuditAction } from "@/lib/access/audit/rules"
import { auditPerson } from "@/lib/access/people/data"
import { tellOfAccount } from "@/lib/access/system-mail/data"
import type { AccountChange } from "@/lib/access/system-mail/system-mail"
import type { RequestInfo, SessionPrincipal } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"

/** What a person is told of by email, whoever did it in their session. */
const told: Partial<Record<AuditAction, AccountChange>> = {
  "user.password_changed": "password-changed",
  "user.totp_enabled": "totp-enabled",
  "user.totp_disabled": "totp-disabled",
  "user.recovery_codes_created": "recovery-codes-created",
  "user.passkey_added": "passkey-added",
  "user.passkey_removed": "passkey-removed",
}

/**
 * Records a change of the signed-in user's own account, in the log of each of their organizations, and tells them by email if it
 * changes how they sign in.
 */
export async function recordAccountChange(
  { userId, email }: SessionPrincipal,
  { ip, id }: RequestInfo,
  entry: Pick<NewAuditEntry, "action" | "changes">,
): Promise<void> {
  const by = { userId, ip, requestId: encodeId("req", id) }
  await auditPerson(by, { ...entry, target: encodeId("usr", userId), name: email })
  const change = told[entry.action]
  if (change) await tellOfAccount({ to: email, change, ip })
}
