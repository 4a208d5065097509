import type { Delivery } from "@/lib/emails/schema"
import { isFailureReason, type Reason } from "@/lib/explanation/codes"

/**
 * What the server or our own error said in the last attempt, as a sentence; undefined where nothing was said, and where the reason
 * has nothing to do with a server.
 */
export function evidenceOf(
  { diagnostic, attempts, status, suppressedBy }: Delivery,
  reason: Reason | null,
): string | undefined {
  if (suppressedBy !== undefined || status === "suppressed") return undefined
  if (isFailureReason(reason) && reason.code !== "attempts") return undefined
  const last = attempts.at(-1)
  const words = last?.outcome === "accepted" && diagnostic === undefined ? undefined : (diagnostic ?? last?.text)
  if (!words) return undefined
  const code = last?.code
  const named = /^\d{3}\b/.test(words)
  if (code === undefined && !named) return finished(words)
  const full = code !== undefined && !named ? `${code} ${words}` : words
  const when = attempts.length > 1 ? ` at attempt ${last?.attempt ?? attempts.length}` : ""
  return `The server said “${full.replace(/[.\s]+$/, "")}”${when}.`
}

function finished(words: string): string {
  const text = words.trim()
  return /[.!?]$/.test(text) ? text : `${text}.`
}
