import { emailOf, shownHost, shownName, subjectWith, type SystemEmail } from "@/lib/access/system-mail/email-layout"
import type { AddressBlockedNotice, OperatorWordsNotice } from "@/lib/access/system-mail/system-mail"

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
