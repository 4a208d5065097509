import { claimSystemMails } from "@/lib/access/system-mail/data"
import { systemEmailOf } from "@/lib/access/system-mail/messages"
import type { Notice, SystemMail } from "@/lib/access/system-mail/system-mail"
import { pool } from "@/lib/platform/database/db"
import { systemIo } from "@/lib/regions/io"

type NoticeMail = Extract<SystemMail, Notice>

const others = ["sign-in-link", "password-removed", "account-changed", "invite", "address-blocked"]

/** Takes the notices to the owners of an organization out of the queue, each with its email, and removes all others. */
export async function takeNotices({ organizationId }: { organizationId: string }) {
  const { rows } = await pool().query<{ email: string }>(
    "SELECT u.email FROM members m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1",
    [organizationId],
  )
  const members = new Set(rows.map(({ email }) => email))
  const claimed = await claimSystemMails(500, 60_000)
  await pool().query("DELETE FROM system_mails")
  const mails = claimed.flatMap(({ mail }) => (members.has(mail.to) && isNotice(mail) ? [mail] : []))
  return Promise.all(mails.map(async (mail) => ({ mail, email: await systemEmailOf(mail, systemIo()) })))
}

function isNotice(mail: SystemMail): mail is NoticeMail {
  return !others.includes(mail.kind)
}

/** What the service wrote into the audit log of an organization, oldest first. */
export async function systemEntries({ organizationId }: { organizationId: string }) {
  const { rows } = await pool().query<{ action: string; target: string; changes: Record<string, unknown> }>(
    `SELECT action, target, changes FROM audit_entries WHERE organization_id = $1 AND actor_kind = 'system' ORDER BY id`,
    [organizationId],
  )
  return rows
}
