import { isInvited } from "@/lib/access/people/admission-store"
import { findPerson } from "@/lib/access/people/people-store"
import { newSignInLink } from "@/lib/access/credentials/sign-in-links"
import type { SystemMail } from "@/lib/access/system-mail/system-mail"
import { env } from "@/lib/platform/env/env"
import type { Io } from "@/lib/platform/io"

/** A letter of the installation, in both forms. */
export type Letter = { subject: string; text: string; html: string }

/** The letter that a queued mail becomes; null where there is nobody to write to. A sign-in link is made at this moment. */
export async function letterOf(mail: SystemMail, io: Pick<Io, "clock" | "random">): Promise<Letter | null> {
  const { host } = new URL(env().baseUrl)
  if (mail.kind === "invite") return inviteLetter(mail, host)
  if (mail.kind === "password-removed") return passwordRemovedLetter(host)
  const person = await findPerson(mail.to)
  const holder = person?.id ?? ((await isInvited(mail.to)) ? { email: mail.to } : null)
  return holder ? signInLetter((await newSignInLink(holder, io, mail.wanted)).url, host) : null
}

type Content = { subject: string; lead: string; action: string; url: string; small: string[] }

function signInLetter(url: string, host: string): Letter {
  return letter({
    subject: "Your sign-in link for Mailroom",
    lead: `Somebody, most likely you, asked to sign in at ${host}.`,
    action: "Sign in",
    url,
    small: [
      "The link works once, within 15 minutes.",
      "It was not you? Then do nothing: without this link nobody gets in. Do not pass it on.",
    ],
  })
}

function passwordRemovedLetter(host: string): Letter {
  return letter({
    subject: "Your password for Mailroom was removed",
    lead: `You signed in at ${host} for the first time in a way that proves that this email address is yours.`,
    action: "Set a new password",
    url: env().baseUrl,
    small: [
      "The account was made by an invite link, which somebody else may have opened. So the password from before was removed, and every other browser was signed out.",
      "You can set a new password under Settings, Your account.",
    ],
  })
}

function inviteLetter({ organization, role, inviter, url }: SystemMail & { kind: "invite" }, host: string): Letter {
  return letter({
    subject: `${inviter} invites you to ${organization} on Mailroom`,
    lead: `${inviter} invites you to join ${organization} at ${host} as ${role === "viewer" || role === "developer" ? "a" : "an"} ${role}.`,
    action: "See the invite",
    url,
    small: [
      "The link works once, within 7 days, and for your address alone.",
      "You do not know what this is about? Then do nothing.",
    ],
  })
}

function letter({ subject, lead, action, url, small }: Content): Letter {
  return {
    subject,
    text: [lead, `${action}: ${url}`, ...small].join("\n\n") + "\n",
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:32px 16px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:480px;margin:0 auto">
<p style="margin:0 0 24px">${escaped(lead)}</p>
<p style="margin:0 0 24px"><a href="${escaped(url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#2f5bea;color:#ffffff;text-decoration:none;font-weight:600">${escaped(action)}</a></p>
<p style="margin:0 0 24px;font-size:14px;overflow-wrap:anywhere">Or copy this address: ${escaped(url)}</p>
${small.map((sentence) => `<p style="margin:0 0 8px;font-size:14px">${escaped(sentence)}</p>`).join("\n")}
</div></body></html>
`,
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
