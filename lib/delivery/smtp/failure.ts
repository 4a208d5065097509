import { outcomeOf, type Outcome } from "@/lib/delivery/transports/attempt"
import type { Phase } from "@/lib/explanation/codes"
import type { SmtpReply } from "@/lib/delivery/smtp/reply"

type Bad = Exclude<Outcome, "accepted">

/** An attempt that ended without acceptance. */
export class SmtpFailure extends Error {
  constructor(
    readonly phase: Phase,
    readonly outcome: Bad,
    text: string,
    readonly reply?: SmtpReply,
  ) {
    super(text)
  }
}

/** A refusal by the server. 421 announces that it closes the connection. */
export function refusal(phase: Phase, reply: SmtpReply): SmtpFailure {
  const negative = reply.code >= 400
  const text = negative ? reply.text || `${reply.code}` : `an unexpected answer: ${reply.code} ${reply.text}`
  return new SmtpFailure(phase, outcomeOf(phase, reply.code), text, reply)
}
