import { printable } from "@/lib/delivery/smtp/reply"
import { cutText } from "@/lib/platform/text"
import type { QuotedReply } from "@/lib/returns/returned-mail"

const textCharsMax = 8_000
const replyCharsMax = 1_000

/**
 * The SMTP reply that is quoted last in a text. Servers put what the next one said behind their own words, so the last is the
 * innermost: it comes from the server that knows the mailbox. Lines of one reply (`550-5.1.1 …`) are one. Only 4xx and 5xx.
 */
export function innermostReply(text: string): QuotedReply | null {
  const lines = text.slice(0, textCharsMax).replace(/[^\S\n]+/g, " ")
  const codes = replyCodes(lines)
  const last = codes.at(-1)
  if (!last) return null
  const first = codes.findLastIndex(({ code, enhanced }) => code !== last.code || enhanced !== last.enhanced) + 1
  const words = codes.slice(first).map(({ to }, nth) => lines.slice(to, codes[first + nth + 1]?.from))
  const said = words.join(" ")
  // qmail and others write the enhanced code behind the words.
  const behind = /\(#?([245]\.\d{1,3}\.\d{1,3})\)/.exec(said)?.[1]
  const enhanced = last.enhanced ?? (behind?.startsWith(String(last.code).charAt(0)) ? behind : null)
  return { code: last.code, enhanced, text: cutText(flatOf(spoken(said)), replyCharsMax), phase: phaseOf(lines) }
}

type Code = { code: number; enhanced: string | null; from: number; to: number }

/** Codes with an enhanced code behind them, or behind a mark or word that introduces speech. Other numbers are numbers. */
function replyCodes(text: string): Code[] {
  const codes: Code[] = []
  for (const { 0: digits, index: from } of text.matchAll(/(?<![\w.#/+@])[45]\d\d(?![\w.])/g)) {
    const to = from + digits.length
    const enhanced = /^(?:[ -]{1,3}#?|#)([245]\.\d{1,3}\.\d{1,3})(?![\w.])/.exec(text.slice(to, to + 16))
    if (
      !enhanced &&
      !(introduced.test(text.slice(Math.max(from - 16, 0), from)) && spokenOn.test(text.slice(to, to + 12)))
    )
      continue
    codes.push({ code: Number(digits), enhanced: enhanced?.[1] ?? null, from, to: to + (enhanced?.[0].length ?? 0) })
  }
  return codes
}

const introduced =
  /(?:^|\n|[:;'"(<>[=|-]) ?$|\b(?:said|error|code|returned|responded|response|reply|status|with|smtp|by|got|was) $/i
const spokenOn = /^(?:-|$|\n| (?!(?:bytes|kb|mb|messages?|hours?|minutes?|seconds?|days?|users?|times)\b))/i

/** One line, without control characters and with single spaces. */
export function flatOf(text: string): string {
  return printable(text.slice(0, textCharsMax).replace(/\s+/g, " ").trim())
}

/** What the server said, without what the one that quotes it put around it. */
function spoken(text: string): string {
  const said = text.replace(/\(in reply to [\w ]{1,40}\)/gi, " ").replace(/\bGiving up on [\d.]{7,15}\.?/gi, " ")
  let [start, end] = [0, said.length]
  while (start < end && /[\s\-:;'"]/.test(said.charAt(start))) start += 1
  while (end > start && /[\s'">]/.test(said.charAt(end - 1))) end -= 1
  return said.slice(start, end)
}

/** What the server replied to, as Postfix, Exim and transcripts of Sendmail write it. */
function phaseOf(flat: string): QuotedReply["phase"] {
  const command = /\b(?:in reply to|after|>>>) (?:end of )?(MAIL FROM|MAIL|RCPT TO|RCPT|DATA)\b/gi
  const last = [...flat.matchAll(command)].at(-1)?.[1]?.toUpperCase()
  if (!last) return null
  return last.startsWith("MAIL") ? "mail" : last.startsWith("RCPT") ? "rcpt" : "data"
}
