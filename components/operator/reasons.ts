import type { OperatorMailSummary } from "@/components/operator/queries"
import type { Tone } from "@/components/ui/pill"

/** Why a mail is in the operator's mailbox. */
export const mailReasons: Record<OperatorMailSummary["reason"], { tone: Tone; text: string; tip: string }> = {
  written: { tone: "wait", text: "Written to the service", tip: "To an address of the service domain." },
  unmatched: {
    tone: "warn",
    text: "Matches no email",
    tip: "A bounce or complaint in which nothing proves which email of yours it is about. It changed nothing.",
  },
  unreadable: {
    tone: "warn",
    text: "Cannot be read",
    tip: "It came back for an email and says neither what happened nor to whom. It changed nothing.",
  },
  answer: { tone: "wait", text: "Answer to an email", tip: "A person wrote to the return path of an email." },
  given_up: { tone: "bad", text: "Given up", tip: "Recording it failed several times. The logs have the error." },
}
