import type { BounceType, DeliveryAttempt } from "@/lib/delivery/transports/attempt"

/** Why a deferred attempt failed: no more than the code and the phase prove. */
export function retrySentence(attempt: DeliveryAttempt): string {
  return `${reasonToWait(attempt)}; it will be retried.`
}

function reasonToWait({ code }: DeliveryAttempt): string {
  if (code === undefined) return "The connection ended before the message was accepted"
  if (code >= 500) return `The next server refused the recipient with ${code}, which counts as a refusal for now`
  if (code >= 400) return "The next server asked to try again later"
  return `The next server gave an unexpected reply (${code})`
}

/** Why a region cannot send, as far as the code and the phase prove it. */
export function regionSentence(attempt: DeliveryAttempt): string {
  return `The relay of this region ${whatIsWrong(attempt)}. The email is sent when the relay is back.`
}

function whatIsWrong({ phase, code }: DeliveryAttempt): string {
  if (code !== undefined && code < 500) {
    const answer = code < 400 ? `gave an unexpected reply (${code})` : "asked to try again later"
    return phase === "auth" ? `${answer} when we tried to sign in` : answer
  }
  if (code === 530) return "asks us to sign in, or to encrypt, first"
  if (code === 534 || code === 538) return "asks for a stronger way to sign in, or for encryption"
  if (code === 535) return "does not accept our user and password"
  if (phase === "auth" && code !== undefined) return "does not let us sign in"
  if (phase === "auth") return "offers no safe way to sign in"
  if (phase === "starttls") return "offers no usable encryption"
  if (code === undefined) return "cannot be reached"
  return phase === "connect" || phase === "greeting" ? "accepts no mail from us" : "refuses our session"
}

const bounceSentences: Record<Exclude<BounceType, "hard" | "soft">, string> = {
  block: "The receiving server refused the message by its policy; the address itself may be fine.",
  content: "The receiving server refused this message for its content or size; the address itself may be fine.",
  ours: "The receiving server refused us as the sender: check the domain's DNS records and the sending setup.",
}

/** Codes of conditions of the mailbox, or of the route to it, that may pass. */
const passing: [RegExp, string][] = [
  [/^5\.2\.2$/, "because the mailbox is full"],
  [/^5\.2\.1$/, "because the mailbox accepts no messages now"],
  [/^5\.4\.7$/, "because it could not be delivered in time"],
  [/^5\.(1\.2|4\.[0-46])$/, "because it found no route to the recipient's domain"],
]

/** A permanent refusal in words. The type `soft` also covers every refusal without a clear reason. */
export function bounceSentence(
  type: BounceType,
  { enhanced = "", code, phase }: Pick<DeliveryAttempt, "enhanced" | "code" | "phase">,
): string {
  if (type === "hard" && /^5\.(1\.2|4\.4)$/.test(enhanced))
    return "The recipient's domain accepts no mail, so no more mail is sent to the address."
  if (type === "hard") return "The address does not exist or is closed, so no more mail is sent to it."
  if (type !== "soft" && type !== "ours") return bounceSentences[type]
  const reason = type === "soft" ? passing.find(([codes]) => codes.test(enhanced))?.[1] : undefined
  if (reason) return `The receiving server refused the message ${reason}; the address itself may be fine.`
  if (code !== undefined && code <= 504)
    return `The receiving server refused one of our commands (${code}); the address itself may be fine.`
  if (type === "ours") return bounceSentences.ours
  const what = phase === "rcpt" ? "the recipient" : "the message"
  return `The receiving server refused ${what} without a known reason; the address itself may be fine.`
}
