import type { EmailStatus } from "@/lib/emails/message-rules"
import { type Explained, severities } from "@/lib/explanation/facts"

/** What a status means for the recipient, where an email has several. */
type Result = "has it" | "missed" | "waits" | "unknown" | "complained"

const results: Record<EmailStatus, Result> = {
  scheduled: "waits",
  queued: "waits",
  sending: "waits",
  delivery_delayed: "waits",
  sent: "has it",
  delivered: "has it",
  opened: "has it",
  clicked: "has it",
  complained: "complained",
  bounced: "missed",
  failed: "missed",
  rejected: "missed",
  suppressed: "missed",
  cancelled: "missed",
  test: "missed",
  indeterminate: "unknown",
}

const counted: Record<Result, (some: string) => string> = {
  "has it": (some) => `${some} have this email`,
  missed: (some) => `${some} did not get this email`,
  waits: (some) => `Delivery to ${some} is still to come`,
  unknown: (some) => `It is not known whether ${some} got this email`,
  complained: (some) => `${some} marked this email as spam`,
}

export type OfRecipient = Explained & { status: EmailStatus }

/** The explanation of an email from those of its recipients, of which there is at least one. */
export function summary(all: readonly [OfRecipient, ...OfRecipient[]]): Explained {
  const [first] = all
  if (all.every(({ cause, fix }) => cause === first.cause && fix === first.fix)) return explanationOf(first)
  const worst = all.reduce((one, other) => (rank(other) > rank(one) ? other : one))
  const same = all.filter(({ status }) => results[status] === results[worst.status])
  const some = same.length === all.length ? everyone(all.length) : `${same.length} of ${all.length} recipients`
  const count = capital(counted[results[worst.status]](some))
  if (worst.severity === "none") return { severity: "none", cause: `${count}.`, fix: worst.fix }
  return { ...explanationOf(worst), cause: `${count}: ${inSentence(worst.cause)}` }
}

function everyone(count: number): string {
  return count === 2 ? "both recipients" : `all ${count} recipients`
}

function explanationOf({ severity, cause, fix, page }: OfRecipient): Explained {
  return { severity, cause, fix, ...(page && { page }) }
}

const rank = ({ severity }: Explained) => severities.indexOf(severity)

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Lower case at the beginning, except for addresses and names. */
function inSentence(cause: string): string {
  return cause.replace(/^(The|This|We|It|Nothing)\b/, (word) => word.toLowerCase())
}
