import { registrableDomain } from "@/lib/addresses/registrable"
import type { BounceType } from "@/lib/explanation/codes"
import { bounceTypeOf, type MailRoute, isPassing, subjectOf } from "@/lib/delivery/transports/classify"
import type { DeliveryStatus, QuotedReply, ReturnedAction, ReturnedRecipient } from "@/lib/returns/returned-mail"

/** The delivery that a returned mail was matched to. */
export type OurDelivery = {
  recipient: string
  /** The whole return path, `<verp>@<mailFromDomain>`. */
  returnPath: string
  /** Our own lookup of the recipient's domain. */
  route: MailRoute
}

/** What a returned mail says about one delivery. `forwarded`: it is about somebody to whom our recipient forwards, and changes nothing. */
export type RecipientOutcome =
  | { kind: Exclude<ReturnedAction, "failed">; diagnostic: string }
  | { kind: "failed"; bounceType: BounceType; bounceCode: string; diagnostic: string }
  | { kind: "forwarded" }

/**
 * The block that names our recipient decides; a block alone also if it names somebody else of the recipient's organization, as
 * when an alias was resolved, or nobody. A mail that returns the original of another delivery is not about this one, whatever
 * address it came to.
 */
export function outcomeFor(
  mail: Pick<DeliveryStatus, "recipients" | "references">,
  ours: OurDelivery,
): RecipientOutcome {
  const { verp } = mail.references
  if (verp !== null && !isSame(verp, ours.returnPath.slice(0, ours.returnPath.lastIndexOf("@"))))
    return { kind: "forwarded" }
  const named = mail.recipients.filter(({ addresses }) => addresses.some((one) => isSame(one, ours.recipient)))
  const [only] = mail.recipients.length === 1 ? mail.recipients : []
  // Of several blocks about one recipient the last is the latest.
  const block = named.at(-1) ?? (only && isOfSameOrganization(only, ours.recipient) ? only : undefined)
  if (!block) return { kind: "forwarded" }
  const diagnostic = diagnosticOf(block)
  if (block.action !== "failed") return { kind: block.action, diagnostic }
  const bounceCode = block.innermostReply?.enhanced ?? block.status ?? String(block.innermostReply?.code ?? "")
  return { kind: "failed", bounceType: bounceTypeIn(block, named.length > 0, ours), bounceCode, diagnostic }
}

/**
 * The type of a bounce that came back, of which less is certain than of a refusal that we heard ourselves. Hard only if the last
 * server said in SMTP, or a text beside its address, that the mailbox of our very recipient is missing or disabled.
 */
function bounceTypeIn(block: ReturnedRecipient, isNamed: boolean, ours: OurDelivery): BounceType {
  const { diagnostic, innermostReply: reply, status } = block
  if (!diagnostic) return typeWithoutWords(status)
  const text = reply?.text ?? diagnostic.text
  // Gateways invent a status for what they have read (Sendmail 5.1.1, SES 5.0.0): it counts where the reply has none.
  const enhanced = reply?.enhanced ?? (diagnostic.type === "text" ? null : status)
  // A server that gave up after days says nothing about the mailbox.
  if (enhanced && /^[45]\.4\.7$/.test(enhanced)) return "soft"
  const type = bounceTypeOf(
    {
      ...(enhanced && { enhanced }),
      ...(reply && { code: reply.code }),
      text,
      phase: reply?.phase === "mail" ? "mail" : "rcpt",
      conversation: [`C: MAIL FROM:<${ours.returnPath}>`, `C: RCPT TO:<${ours.recipient}>`],
    },
    ours.route,
  )
  if (type === "hard")
    return isNamed && isCertain(block, text) && (ours.route === "none" || !missingDomain.test(text)) ? "hard" : "soft"
  // Words around a reply are the postmaster's, who calls everybody a sender.
  return reply || diagnostic.type === "smtp" ? type : "soft"
}

function isCertain({ diagnostic, innermostReply: reply, status }: ReturnedRecipient, text: string): boolean {
  if (isPassing(text) || (reply && reply.code < 500)) return false
  const namesMailbox = subjectOf(text) === "mailbox"
  if (diagnostic?.type === "text") return namesMailbox || saysItself(reply)
  if (diagnostic?.type !== "smtp") return false
  return namesMailbox || saysItself(reply) || (reply === null && status === null)
}

/** A server's own enhanced code is its word, one that a gateway put beside it is not. */
function saysItself(reply: QuotedReply | null): boolean {
  return reply !== null && reply.enhanced !== null
}

/** Somebody else's lookup of the domain counts only if our own agrees. */
const missingDomain =
  /\b(?:domain|host)(?: name)?\b.{0,20}\b(?:does not exist|doesn't exist|not found|unknown|invalid)\b|\b(?:no such|unknown|bad|invalid) (?:domain|host)\b/i

function typeWithoutWords(status: string | null): BounceType {
  const type = bounceTypeOf({ ...(status && { enhanced: status }), text: "", phase: "rcpt" }, "unknown")
  return type === "hard" ? "soft" : type
}

function diagnosticOf({ diagnostic, innermostReply: reply, status }: ReturnedRecipient): string {
  if (reply) return [reply.code, reply.enhanced, reply.text].filter((one) => one !== null && one !== "").join(" ")
  return diagnostic?.text || (status ?? "")
}

function isSame(address: string, recipient: string): boolean {
  return address.toLowerCase() === recipient.toLowerCase()
}

function isOfSameOrganization({ address }: ReturnedRecipient, recipient: string): boolean {
  if (address === null) return true
  const [theirs, ours] = [address, recipient].map((one) => one.slice(one.lastIndexOf("@") + 1).toLowerCase())
  if (theirs === undefined || ours === undefined) return false
  return (
    theirs === ours || (registrableDomain(theirs) !== null && registrableDomain(theirs) === registrableDomain(ours))
  )
}
