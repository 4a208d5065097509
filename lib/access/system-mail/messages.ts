import { accountChangedEmail } from "@/lib/access/system-mail/account-messages"
import { newSignInLink } from "@/lib/access/credentials/sign-in"
import { isInvited } from "@/lib/access/invites/data"
import { findPerson, signsInHere } from "@/lib/access/people/data"
import { emailOf, shownName, subjectWith, type SystemEmail } from "@/lib/access/system-mail/email-layout"
import { addressBlockedEmail, operatorNoticeEmail } from "@/lib/access/system-mail/operator-messages"
import { noticeEmail } from "@/lib/access/system-mail/notice-messages"
import type { SystemMail } from "@/lib/access/system-mail/system-mail"
import { askAccount } from "@/lib/platform/cells/ask"
import { env } from "@/lib/platform/env/env"
import type { Io } from "@/lib/platform/io"

/** The email of queued system mail; null without a recipient. A sign-in link is made only now. */
export async function systemEmailOf(mail: SystemMail, io: Pick<Io, "clock" | "random">): Promise<SystemEmail | null> {
  const { host } = new URL(env().baseUrl)
  if (mail.kind === "invite") return inviteEmail(mail, host)
  if (mail.kind === "password-removed") return passwordRemovedEmail(host)
  if (mail.kind === "account-changed") return accountChangedEmail(mail, host)
  if (mail.kind === "address-blocked") return addressBlockedEmail(mail, host)
  if (mail.kind === "operator-notice") return operatorNoticeEmail(mail, host)
  if (mail.kind !== "sign-in-link") return noticeEmail(mail, host)
  if (mail.find && env().peers.length > 0) return signInAddressesEmail(mail.to)
  const person = await findPerson(mail.to)
  const recipient = person ? { userId: person.id } : (await isInvited(mail.to)) ? { email: mail.to } : null
  return recipient
    ? signInEmail((await newSignInLink(recipient, io, mail.wanted)).url, host)
    : signInAddressesEmail(mail.to)
}

/** Thrown where it is not known yet whether there is anything to write. */
export class CellsSilent extends Error {
  override name = "CellsSilent"
}

/** Where the recipient signs in, of all cells; null if nowhere. @throws CellsSilent if that is unknown because some do not answer */
async function signInAddressesEmail(to: string): Promise<SystemEmail | null> {
  const { baseUrl, peers } = env()
  if (peers.length === 0) return null
  const [isHere, { answers, silent }] = await Promise.all([signsInHere(to), askAccount(to)])
  const elsewhere = answers.flatMap(({ peer, answer }) => (answer.exists ? [peer.address] : []))
  const [first, ...others] = [...(isHere ? [baseUrl] : []), ...elsewhere].map((address) => `${address}/sign-in`)
  if (first === undefined) {
    if (silent.length > 0) throw new CellsSilent()
    return null
  }
  const unknown = silent.map(({ address }) => `${address}/sign-in`).join(", ")
  return emailOf({
    subject: others.length > 0 ? "Your sign-in addresses for Mailroom" : "Your sign-in address for Mailroom",
    lead:
      others.length > 0
        ? `The account ${to} signs in to Mailroom at these addresses, each with organizations of its own:`
        : `The account ${to} signs in to Mailroom at this address:`,
    paragraphs: [first, ...others],
    action: `Sign in at ${new URL(first).host}`,
    url: first,
    small: [
      ...(unknown ? [`Whether there is an account at ${unknown} too could not be found out.`] : []),
      "If you did not request it, ignore this email.",
    ],
  })
}

function signInEmail(url: string, host: string): SystemEmail {
  return emailOf({
    subject: "Your sign-in link for Mailroom",
    lead: `Use this link to sign in at ${host}.`,
    action: "Sign in",
    url,
    small: [
      "The link works once, within 15 minutes.",
      "If you did not request it, ignore this email: no one can sign in without the link. Do not share it.",
    ],
  })
}

function passwordRemovedEmail(host: string): SystemEmail {
  return emailOf({
    subject: "Your password for Mailroom was removed",
    lead: `You signed in at ${host} and verified this email address for the first time.`,
    action: "Set a new password",
    url: env().baseUrl,
    small: [
      "Your account was created with an invite link that someone else may have opened, so its password was removed and all other browsers were signed out.",
      "You can set a new password under Settings, Your account.",
    ],
  })
}

function inviteEmail({ organization, role, inviter, url }: SystemMail & { kind: "invite" }, host: string): SystemEmail {
  const article = role === "viewer" || role === "developer" ? "a" : "an"
  return emailOf({
    subject: subjectWith(shownName(organization), (name) => `You are invited to ${name} on Mailroom`),
    lead: `You are invited to join the organization ${shownName(organization)} at ${host} as ${article} ${role}. It was sent by ${shownName(inviter)}.`,
    action: "See the invite",
    url,
    small: [
      "The link works once, within 7 days, and only for your email address.",
      "If you did not expect this invite, ignore this email.",
    ],
  })
}
