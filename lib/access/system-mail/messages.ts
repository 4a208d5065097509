import { newSignInLink } from "@/lib/access/credentials/sign-in-links"
import { isInvited } from "@/lib/access/invites/open-invite-store"
import { findPerson } from "@/lib/access/people/people-store"
import type { SystemMail } from "@/lib/access/system-mail/system-mail"
import { env } from "@/lib/platform/env/env"
import type { Io } from "@/lib/platform/io"

/** A system email in both forms. */
export type SystemEmail = { subject: string; text: string; html: string }

/** The email of queued system mail; null without a recipient. A sign-in link is made only now. */
export async function systemEmailOf(mail: SystemMail, io: Pick<Io, "clock" | "random">): Promise<SystemEmail | null> {
  const { host } = new URL(env().baseUrl)
  if (mail.kind === "invite") return inviteEmail(mail, host)
  if (mail.kind === "password-removed") return passwordRemovedEmail(host)
  if (mail.kind === "webhook-disabled") return webhookDisabledEmail(mail, host)
  const person = await findPerson(mail.to)
  const recipient = person ? { userId: person.id } : (await isInvited(mail.to)) ? { email: mail.to } : null
  return recipient ? signInEmail((await newSignInLink(recipient, io, mail.wanted)).url, host) : null
}

type Content = { subject: string; lead: string; action: string; url: string; small: string[] }

function signInEmail(url: string, host: string): SystemEmail {
  return emailOf({
    subject: "Your sign-in link for Mailroom",
    lead: `Use this link to sign in at ${host}.`,
    action: "Sign in",
    url,
    small: [
      "The link works once, within 15 minutes.",
      "If you did not ask for it, ignore this email: nobody can sign in without the link. Do not share it.",
    ],
  })
}

function passwordRemovedEmail(host: string): SystemEmail {
  return emailOf({
    subject: "Your password for Mailroom was removed",
    lead: `You signed in at ${host} and proved for the first time that this email address is yours.`,
    action: "Set a new password",
    url: env().baseUrl,
    small: [
      "Your account was created with an invite link that somebody else may have opened, so its password was removed and all other browsers were signed out.",
      "You can set a new password under Settings, Your account.",
    ],
  })
}

function inviteEmail({ organization, role, inviter, url }: SystemMail & { kind: "invite" }, host: string): SystemEmail {
  const article = role === "viewer" || role === "developer" ? "a" : "an"
  return emailOf({
    subject: `${inviter} invites you to ${organization} on Mailroom`,
    lead: `${inviter} invites you to join ${organization} at ${host} as ${article} ${role}.`,
    action: "See the invite",
    url,
    small: [
      "The link works once, within 7 days, and only for your email address.",
      "If you did not expect this invite, ignore this email.",
    ],
  })
}

function webhookDisabledEmail(mail: SystemMail & { kind: "webhook-disabled" }, host: string): SystemEmail {
  const why = mail.reason === "gone" ? "it answered 410 Gone" : "every request to it has failed for 5 days"
  return emailOf({
    subject: `Webhook ${mail.webhook} of ${mail.project} is disabled`,
    lead: `The endpoint at ${mail.host} gets no more events of the project ${mail.project} at ${host}, because ${why}.`,
    action: "Open the webhook",
    url: mail.url,
    small: [
      "Deliveries that were waiting are cancelled; they can be replayed once the endpoint works and the webhook is enabled again.",
      "You get this email because you are an owner of the organization.",
    ],
  })
}

function emailOf({ subject, lead, action, url, small }: Content): SystemEmail {
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
