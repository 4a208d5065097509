import { type TargetFault, targetFaultSentence } from "@/lib/platform/outbound/target-faults"
import { type ShapingFault, shapingFaults } from "@/lib/webhooks/rules"

/** Why an attempt failed, as it is stored: a code with its facts. */
type DeliveryFailureFacts = {
  answered: { status: number }
  timed_out: { seconds: number }
  target_refused: TargetFault
  secret_unreadable: Record<string, never>
  /** `error` is what the system said of the connection. */
  request_failed: { error: string }
}
type DeliveryFailureCode = keyof DeliveryFailureFacts
export type DeliveryFailure = {
  [C in DeliveryFailureCode]: { code: C; facts: DeliveryFailureFacts[C] }
}[DeliveryFailureCode]

const codes: Record<DeliveryFailureCode, true> = {
  ...{ answered: true, timed_out: true, target_refused: true, secret_unreadable: true, request_failed: true },
}

function failureText(failure: DeliveryFailure): string {
  switch (failure.code) {
    case "answered":
      return `The endpoint answered ${failure.facts.status}.`
    case "timed_out":
      return `No response within ${failure.facts.seconds} seconds.`
    case "target_refused":
      return targetFaultSentence(failure.facts)
    case "secret_unreadable":
      return "The secret of the webhook cannot be read. Rotate it."
    case "request_failed":
      return `The request failed: ${failure.facts.error}`
  }
}

/** What a stored error says. Events that were never sent have a code alone; deliveries of earlier releases have a sentence. */
export function storedFailureText(error: string, facts: unknown): string {
  if (Object.hasOwn(codes, error) && facts) return failureText({ code: error, facts } as DeliveryFailure)
  return Object.hasOwn(shapingFaults, error) ? shapingFaults[error as ShapingFault] : error
}
