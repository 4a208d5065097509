import { agedDeletion, deletion } from "@/lib/platform/database/retention-sql"

const sessionDays = 30
const inviteDays = 90
const undeliveredDays = 30

/** Retention of what people and limits leave behind. Raw, as every deletion in batches. */
export const accessRetention = [
  // Rate limits write milliseconds.
  deletion("rate windows", "rate_windows WHERE expire < extract(epoch FROM now() - interval '1 minute') * 1000"),
  deletion("places", "places WHERE expires_at < now() - interval '1 minute'"),
  deletion("sign-in links", "sign_in_links WHERE expires_at < now() - interval '1 day'"),
  // Left behind if the last mail server was removed from the configuration: then no worker delivers system mail.
  deletion("system mails", "system_mails WHERE expires_at < now() - interval '1 hour'"),
  agedDeletion("undelivered system mails", "undelivered_system_mails", "failed_at", () => undeliveredDays),
  agedDeletion("sessions", "sessions", "expires_at", () => sessionDays),
  agedDeletion("invites", "invites", "expires_at", () => inviteDays),
]
