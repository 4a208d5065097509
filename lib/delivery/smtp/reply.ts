import { cutText } from "@/lib/platform/format"
import { outcomeOf, type Outcome } from "@/lib/delivery/transports/attempt"
import type { Phase } from "@/lib/explanation/codes"

export type SmtpReply = { code: number; enhanced?: string; text: string; lines: string[] }

/** Stored of a line and of a reply; what goes beyond is read and dropped: a long reply counts by its first line. */
const lineCharsMax = 2 * 1024
const replyCharsMax = 64 * 1024
/** A reply without an end is taken as it began, and its connection is given up. */
const replyBytesMax = 1024 * 1024
/** A pipelined group has four commands; many more unread replies than that are a fault of the server. */
const repliesWaitingMax = 8

type Waiter = { resolve(reply: SmtpReply): void; reject(reason: Error): void }

/** Turns octets from an SMTP server into replies, in order, within bounds whatever the server sends. */
export class ReplyReader {
  #partial = ""
  /** Octets of the current line that were dropped. */
  #dropped = 0
  #lines: string[] = []
  #chars = 0
  #bytes = 0
  #replies: SmtpReply[] = []
  #waiter: Waiter | null = null
  #fault: Error | null = null

  /** True if something arrived unasked, such as a 421 on an idle connection. */
  get unsolicited(): boolean {
    return this.#replies.length > 0 || this.#partial !== "" || this.#lines.length > 0 || this.#fault !== null
  }

  get faulty(): boolean {
    return this.#fault !== null
  }

  /** The next reply; rejects on `fail`, on a malformed reply, and after `timeoutMs`. One call at a time. */
  next(timeoutMs: number): Promise<SmtpReply> {
    const ready = this.#replies.shift()
    if (ready) return Promise.resolve(ready)
    if (this.#fault) return Promise.reject(this.#fault)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.fail(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
      this.#waiter = {
        resolve: (reply) => (clearTimeout(timer), resolve(reply)),
        reject: (reason) => (clearTimeout(timer), reject(reason)),
      }
    })
  }

  push(chunk: Buffer): void {
    if (this.#fault) return
    const text = this.#partial + chunk.toString("latin1")
    let from = 0
    for (let to = text.indexOf("\n"); to !== -1 && !this.#fault; to = text.indexOf("\n", from)) {
      this.#line(text.slice(from, to))
      from = to + 1
    }
    if (this.#fault) return
    this.#partial = text.slice(from, from + lineCharsMax)
    this.#dropped += text.length - from - this.#partial.length
    if (this.#dropped > 0 && !replyLine.test(this.#partial)) this.fail(notReply(this.#partial))
    else if (this.#bytes + this.#dropped > replyBytesMax) this.#cut()
  }

  /** Ends all reading; replies that are complete are still handed out. */
  fail(reason: Error): void {
    this.#fault ??= reason
    this.#partial = ""
    const waiter = this.#waiter
    this.#waiter = null
    waiter?.reject(reason)
  }

  /** Discards everything received: plaintext sent behind STARTTLS must not be trusted (RFC 3207 section 4.2). */
  discard(): void {
    this.#partial = ""
    this.#lines = []
    this.#chars = this.#bytes = this.#dropped = 0
    this.#replies = []
  }

  #line(raw: string): void {
    const line = (raw.endsWith("\r") ? raw.slice(0, -1) : raw).slice(0, lineCharsMax)
    this.#bytes += raw.length + this.#dropped
    this.#dropped = 0
    const found = replyLine.exec(line)
    const code = found?.[1]
    if (!found || (this.#lines[0] !== undefined && !this.#lines[0].startsWith(code ?? "?")))
      return this.fail(notReply(line))
    if (this.#lines.length === 0 || this.#chars + line.length <= replyCharsMax) {
      this.#lines.push(line)
      this.#chars += line.length
    }
    if (found[2] !== "-") this.#finish()
    else if (this.#bytes > replyBytesMax) this.#cut()
  }

  /** Takes a reply that does not end as it began. The dialogue is no longer in step. */
  #cut(): void {
    if (this.#lines.length === 0) this.#lines.push(this.#partial)
    this.#finish()
    this.fail(new Error("an answer over 1 MB"))
  }

  #finish(): void {
    const reply = replyOf(this.#lines)
    this.#lines = []
    this.#chars = this.#bytes = 0
    const waiter = this.#waiter
    this.#waiter = null
    if (waiter) return waiter.resolve(reply)
    this.#replies.push(reply)
    if (this.#replies.length > repliesWaitingMax) this.fail(new Error("unsolicited replies"))
  }
}

const replyLine = /^([2-5]\d\d)([ -]|$)(.*)$/s

function notReply(line: string): Error {
  return new Error(`no SMTP answer: ${cutText(decoded(line), 200)}`)
}

function replyOf(raw: readonly string[]): SmtpReply {
  const lines = raw.map(decoded)
  const code = Number(raw[0]?.slice(0, 3))
  const text = lines
    .map((line) => line.slice(4))
    .join(" ")
    .trim()
  const enhanced = /^[245]\.\d{1,3}\.\d{1,3}(?=\s|$)/.exec(text)?.[0]
  const agrees = enhanced !== undefined && Number(enhanced[0]) === Math.floor(code / 100)
  return agrees ? { code, enhanced, text, lines } : { code, text, lines }
}

/** Octets decoded as UTF-8, which they most likely are. */
function decoded(latin1: string): string {
  return printable(/[\x80-\xff]/.test(latin1) ? Buffer.from(latin1, "latin1").toString("utf8") : latin1)
}

/** With control characters shown as `?`, so that it can be stored and displayed. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, "?")
}

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

/** The server does not forget the mail before this one, which is no word about this one. */
export class ResetRefused extends SmtpFailure {}

/** A refusal by the server. 421 announces that it closes the connection. */
export function refusal(phase: Phase, reply: SmtpReply): SmtpFailure {
  const negative = reply.code >= 400
  const text = negative ? reply.text || `${reply.code}` : `an unexpected answer: ${reply.code} ${reply.text}`
  return new SmtpFailure(phase, outcomeOf(phase, reply.code), text, reply)
}
