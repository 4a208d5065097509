import { newSignInLink } from "@/lib/access/credentials/sign-in"
import { isInvited } from "@/lib/access/invites/data"
import { findPerson, signsInHere } from "@/lib/access/people/data"
import {
  emailOf,
  shownName,
  subjectWith,
  type SystemEmail,
  shownHost,
  type SystemMail,
  type AccountChange,
  type AccountMail,
  type AddressBlockedNotice,
  type OperatorWordsNotice,
} from "@/lib/access/system-mail/system-mail"
import { noticeEmail } from "@/lib/access/system-mail/notice-messages"
import { askAccount } from "@/lib/platform/cells/questions"
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

const whyYou = "You get this email because you run this installation."

export function addressBlockedEmail(
  { address, destination, region, reply, url }: AddressBlockedNotice & { url: string },
  host: string,
): SystemEmail {
  const name = shownHost(destination)
  return emailOf({
    subject: subjectWith(name, (shown) => `${shown} refuses ${address}`),
    lead: `The mail servers of ${name} refuse email from the address ${address} of Mailroom at ${host} (${region}).`,
    paragraphs: [
      `They said: ${shownName(reply)}`,
      "Email to them from this address waits; one email an hour tries whether they take it again. Nothing is charged to the waiting email, and it is given up 72 hours after it was accepted.",
      "Ask the provider to remove the block: its reply often has the link. Find out which project caused it on the destination's page; a project that sends to bad lists can be given a pool of its own.",
    ],
    action: "Open the destination",
    url,
    small: [
      "You are told again only after the servers have taken email from the address and refuse it once more.",
      whyYou,
    ],
  })
}

export function operatorNoticeEmail(
  { title, message, fix, url }: OperatorWordsNotice & { url: string },
  host: string,
): SystemEmail {
  return emailOf({
    subject: subjectWith(title, (shown) => shown),
    lead: `${title}, at Mailroom at ${host}.`,
    paragraphs: [message, fix],
    action: "Open the page",
    url,
    small: ["You are told of this once.", whyYou],
  })
}
