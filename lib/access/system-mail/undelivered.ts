/** Why system mail was given up, as it is stored: a code with its facts. `answer` is what the mail server said. */
type UndeliveredFacts = {
  expired: Record<string, never>
  unwritable_address: Record<string, never>
  refused: { answer: string }
  deferred: { hours: number; answer: string }
  /** Without an answer if it was known to be unreachable. */
  unreachable: { hours: number; answer?: string }
}
type UndeliveredCode = keyof UndeliveredFacts
export type UndeliveredReason = { [C in UndeliveredCode]: { code: C; facts: UndeliveredFacts[C] } }[UndeliveredCode]

const codes: Record<UndeliveredCode, true> = {
  ...{ expired: true, unwritable_address: true, refused: true, deferred: true, unreachable: true },
}

function undeliveredText(reason: UndeliveredReason): string {
  switch (reason.code) {
    case "expired":
      return "It was not delivered in time."
    case "unwritable_address":
      return "The address cannot be written in a message."
    case "refused":
      return `The mail server refused it: ${reason.facts.answer}`
    case "deferred":
      return `The mail server did not accept it for ${reason.facts.hours} hours: ${reason.facts.answer}`
    case "unreachable": {
      const { hours, answer } = reason.facts
      return `The mail server was unreachable for ${hours} hours${answer === undefined ? "." : `: ${answer}`}`
    }
  }
}

/** What a stored reason says; rows of earlier releases hold the sentence, without facts. */
export function storedUndeliveredText(reason: string, facts: unknown): string {
  return Object.hasOwn(codes, reason) && facts ? undeliveredText({ code: reason, facts } as UndeliveredReason) : reason
}
