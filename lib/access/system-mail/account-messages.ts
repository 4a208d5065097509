import { emailOf, type SystemEmail } from "@/lib/access/system-mail/email-layout"
import type { AccountChange, AccountMail } from "@/lib/access/system-mail/system-mail"
import { env } from "@/lib/platform/env/env"

type Words = { subject: string; happened: string }

const words: Record<AccountChange, Words> = {
  "password-changed": { subject: "Your password for Mailroom was changed", happened: "the password was changed" },
  "totp-enabled": {
    subject: "An authenticator app was set up for your Mailroom account",
    happened: "an authenticator app was set up, with new recovery codes",
  },
  "totp-disabled": {
    subject: "The authenticator app of your Mailroom account was removed",
    happened: "the authenticator app was removed",
  },
  "recovery-codes-created": {
    subject: "New recovery codes were made for your Mailroom account",
    happened: "new recovery codes were made, and all earlier ones stopped working",
  },
  "passkey-added": { subject: "A passkey was added to your Mailroom account", happened: "a passkey was added" },
  "passkey-removed": { subject: "A passkey of your Mailroom account was removed", happened: "a passkey was removed" },
  "second-factor-reset": {
    subject: "Two-factor authentication of your Mailroom account was reset",
    happened: "the operator of this installation removed the authenticator app, all passkeys and all recovery codes",
  },
}

/** Tells somebody what was changed about how they sign in. */
export function accountChangedEmail({ to, change, at, ip }: AccountMail, host: string): SystemEmail {
  const { subject, happened } = words[change]
  const time = `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
  return emailOf({
    subject,
    lead: `In the account ${to} at ${host}, ${happened}.`,
    paragraphs: [ip ? `It was done on ${time} from the address ${ip}.` : `It was done on ${time}.`],
    action: "Open Mailroom",
    url: env().baseUrl,
    small: [
      "If it was you, there is nothing to do.",
      "If not, sign in, end all other sessions and change your password under Settings, Your account, and tell the operator of this installation.",
    ],
  })
}
