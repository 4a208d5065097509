import type { Answer } from "@/lib/platform/http/answer"
import type { ProblemDocument } from "@/lib/platform/http/problem"

/** A refusal as SMTP says it; the library takes `responseCode` and `message`. */
export class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    enhancedCode: string,
    readonly sentence: string,
  ) {
    super(lineOf(`${enhancedCode} ${sentence}`))
  }
}

/** A reply has at most 512 octets with its code and line end (RFC 5321 section 4.5.3.1.5). */
const lineCharsMax = 490

function lineOf(text: string): string {
  const ascii = text
    .replace(/\s+/g, " ")
    .replaceAll("…", "...")
    .replace(/[^\x20-\x7e]/g, "?")
  return ascii.length > lineCharsMax ? `${ascii.slice(0, lineCharsMax - 3)}...` : ascii
}

/** Codes (RFC 5321, RFC 3463) by the status of a problem; what is not listed is a failure of ours, to be tried again. */
const codes: Record<number, readonly [number, string]> = {
  400: [550, "5.6.0"],
  401: [535, "5.7.8"],
  403: [535, "5.7.8"],
  404: [535, "5.7.8"],
  408: [451, "4.7.1"],
  409: [451, "4.7.1"],
  413: [552, "5.3.4"],
  422: [550, "5.7.1"],
  429: [451, "4.7.1"],
  503: [451, "4.7.1"],
}

/** Of problems that their status does not tell apart: who may sign in may not send everything. */
const codesOfProblems: Record<string, readonly [number, string]> = { "auth.sender_not_allowed": [550, "5.7.1"] }

/** What the API answered, as the reply to the message. @throws SmtpRefusal if it was refused */
export function acceptedText({ status, body }: Answer): string {
  const json: unknown = JSON.parse(String(body))
  if (status === 201) return `2.0.0 ${(json as { id: string }).id}`
  throw replyTo(json as ProblemDocument)
}

/** The problem's code, where it is, and what is wrong. */
export function replyTo({ status, code, detail = "", errors }: ProblemDocument): SmtpRefusal {
  const [responseCode, enhanced] = codesOfProblems[code] ?? codes[status] ?? [451, "4.3.0"]
  const [first] = errors ?? []
  const sentence = first ? `${first.pointer} ${first.detail}` : detail
  return new SmtpRefusal(responseCode, enhanced, `${code}: ${sentence}`)
}

/** The same for AUTH, where a refusal that will pass has a code of its own (RFC 4954 section 6). */
export function replyToSignIn({ status, code, detail = "" }: ProblemDocument): SmtpRefusal {
  // The problem of the API speaks of its header.
  const told = status === 401 ? "The user name is apikey, the password an API key that works and may send." : detail
  const sentence = `${code}: ${told}`
  if (status === 401 || status === 403 || status === 404) return new SmtpRefusal(535, "5.7.8", sentence)
  // After many failures from this address the session ends, too.
  return status === 429 ? new SmtpRefusal(421, "4.7.0", sentence) : new SmtpRefusal(454, "4.7.0", sentence)
}
