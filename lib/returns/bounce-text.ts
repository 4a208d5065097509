import { cutText } from "@/lib/platform/format"
import { headerOf, isMessage, partsOf, textOf, type MimeHeader, type MimePart } from "@/lib/platform/mime/mime-parts"
import { addressForm, bareAddress, flatOf, innermostReply } from "@/lib/returns/delivery-status"
import type { ReturnedAction, ReturnedRecipient } from "@/lib/returns/returned-mail"

const textBytesMax = 64 * 1024
const linesMax = 2_000
const lineCharsMax = 1_000
const recipientsMax = 50
const segmentCharsMax = 2_000

/** What a mail server wrote in words, up to the message that it returns. */
export type Notification = {
  text: string
  /** Header of the returned message, attached or copied into the text. */
  original: MimeHeader | null
  /** Whether the message or a part of it came back at all. */
  hasOriginal: boolean
}

export function notificationOf(message: MimePart): Notification {
  const parts = partsOf(message)
  const attached = parts.find(({ type }) => isMessage(type))
  const end = attached ? parts.indexOf(attached) : parts.length
  const texts = parts.slice(0, end).filter(({ type, parts: inner }) => inner.length === 0 && textTypes.test(type))
  const plain = texts.filter(({ type }) => type !== "text/html")
  const whole = (plain.length > 0 ? plain : texts)
    .slice(0, 5)
    .map((part) => textOf(part, textBytesMax))
    .join("\n")
  const { text, copied, isCut } = splitAtOriginal(whole)
  return { text, original: attached?.parts[0]?.header ?? copied, hasOriginal: attached !== undefined || isCut }
}

/** A multipart whose parts nobody can find is read as text. */
const textTypes = /^(?:text\/(?:plain|html)|multipart\/)/

/** Cuts where the copy of the message begins: at words that announce it, or where a header stands. */
function splitAtOriginal(whole: string): { text: string; copied: MimeHeader | null; isCut: boolean } {
  const lines = whole.split("\n", linesMax).map((line) => line.slice(0, lineCharsMax))
  const announced = lines.findIndex((line) => announcement.test(line))
  const header = headerAt(lines)
  if (announced < 0 && header < 0) return { text: lines.join("\n"), copied: null, isCut: false }
  const cut = Math.min(...[announced, header].filter((at) => at >= 0))
  const rest = lines.slice(cut)
  return {
    text: lines.slice(0, cut).join("\n"),
    copied: header >= 0 ? headerOf(lines.slice(header).join("\n")) : null,
    isCut: rest.some((line, at) => at > 0 && line.trim() !== ""),
  }
}

const announcement =
  /^[\s>*_=#|-]{0,40}(?:below this line is|(?:this|here|following|included) is (?:a copy|the (?:original|text))|(?:the )?(?:first \d+ lines|headers?(?: and (?:top|first) \d+ lines)?|text|body|contents?|beginning|start|copy) of (?:the |your )?(?:original |returned |failed |unsent )?(?:message|mail)|original message\b|(?:original |returned )?(?:message|mail) (?:headers?|text|body) ?(?:follows?|below|:|-|$)|(?:unsent|undelivered|undeliverable|returned|failed|rejected) (?:message|mail) (?:follows|below|header|is)|(?:your |the )?(?:original )?(?:message|mail) (?:is )?(?:follows|attached|included|reads)|begin (?:of )?(?:original|returned) message|transcript of message|message contents)/i

/** The first line of at least three fields in a row that only the header of a message has; -1 if there is none. */
function headerAt(lines: readonly string[]): number {
  for (let at = 0; at < lines.length; at += 1) {
    if (!fieldLine.test(lines[at] ?? "")) continue
    const names = new Set<string>()
    let end = at
    for (; end < lines.length; end += 1) {
      const line = lines[end] ?? ""
      const name = /^([A-Za-z][\w-]{0,60}):/.exec(line)?.[1]?.toLowerCase()
      if (name) names.add(name)
      else if (!/^[ \t]+\S/.test(line)) break
    }
    const sure = ["received", "return-path", "message-id", "mime-version"].some((name) => names.has(name))
    const likely = ["from", "to", "subject"].every((name) => names.has(name))
    if (names.size >= 3 && (sure || likely)) return at
    at = end
  }
  return -1
}

const fieldLine =
  /^(?:received|return-path|message-id|from|to|date|subject|mime-version|delivered-to|x-[\w-]{1,50}|dkim-signature|sender|reply-to|content-type):/i

/** What the human-readable part says of each recipient of a status part: old servers leave out Diagnostic-Code. */
export function withWordsBeside(recipients: readonly ReturnedRecipient[], { text }: Notification): ReturnedRecipient[] {
  const segments = segmentsOf(text, new Set())
  const beside = (address: string | null) =>
    address && [...segments].find(([one]) => one.toLowerCase() === address.toLowerCase())?.[1]
  return recipients.map((recipient) => {
    const words = recipient.diagnostic ? null : beside(recipient.address)
    if (!words) return recipient
    const { diagnostic, innermostReply } = recipientOf(recipient.address, words, recipient.action)
    return { ...recipient, diagnostic, innermostReply }
  })
}

/**
 * The recipients that a bounce in plain words names, each with the reason given; one without an address if it names none.
 * Null if nothing says that delivery failed or is late. `own` are addresses that are not recipients: the ones it is from and to.
 */
export function recipientsInText(
  { text, hasOriginal }: Notification,
  named: readonly string[],
  own: readonly string[],
): ReturnedRecipient[] | null {
  const action = actionIn(text, hasOriginal || named.length > 0)
  if (!action) return null
  const segments = segmentsOf(text, new Set(own.map((address) => address.toLowerCase())))
  for (const address of named) if (!segments.has(address)) segments.set(address, "")
  const found = segments.size > 0 ? [...segments.keys()] : onlyAddressIn(text, own)
  const recipients = (named.length > 0 ? named : found).slice(0, recipientsMax)
  if (recipients.length === 0) return [recipientOf(null, text, action)]
  const isOnly = recipients.length === 1
  return recipients.map((address) => {
    const segment = segments.get(address) ?? ""
    // What one server says about the only recipient may also stand before the address.
    const hasReply = innermostReply(segment) !== null
    return recipientOf(address, isOnly && !hasReply && innermostReply(text) ? text : segment || text, action)
  })
}

function actionIn(text: string, hasOriginal: boolean): ReturnedAction | null {
  const flat = text.replace(/\s+/g, " ")
  const reply = innermostReply(text)
  if (reply && reply.code >= 500) return "failed"
  if (delayed.test(flat) && !ended.test(flat)) return "delayed"
  if (hasOriginal || failed.test(flat)) return "failed"
  return null
}

/** That a server will try again. */
const delayed =
  /\b(?:not|n't) yet been delivered\b|\b(?:is|was|has been|been|message|delivery|mail|still) delayed\b|\bdelayed (?:mail|message|delivery)\b|\bdelivery (?:of|attempts?) .{0,40}\b(?:delayed|will (?:continue|be (?:made|retried)))|\b(?:will|shall) (?:keep (?:on )?trying|continue (?:to (?:try|attempt)|trying|delivery)|be (?:re-?tried|re-?attempted)|re-?try|try again)|\b(?:still|being) (?:being )?(?:trying|retried|queued)\b|\battempts? (?:to deliver )?(?:\w+ ){0,4}?(?:will|is going to) (?:continue|be made)|\bdelivery attempts will continue\b|\bwarning:? (?:could not send|message still|this is (?:a|only)|message delayed)|\bwarning (?:message )?only\b|\bno action is required (?:on|from) your part\b|\bdo not need to (?:resend|take any action)|\btemporar(?:y|ily) (?:failure|unable|undeliverable).{0,80}\b(?:retry|retried|try)/i

/** That it will not, whatever it says of what it tried. */
const ended =
  /\b(?:giving up|given up|gave up|has been returned|is being returned|returned to (?:the )?sender|no further (?:attempts|delivery)|will not (?:be|try|attempt|continue)|permanent(?:ly)? (?:error|failure|failed)|undeliverable:|delivery (?:has )?failed)\b(?! (?:up )?(?:when|if|after that))/i

/** That a mail was not delivered. */
const failed =
  /\b(?:undeliver(?:able|ed)|delivery (?:has |to .{0,80}?)?fail(?:ed|ure)|could not (?:be delivered|deliver|be sent)|couldn't (?:be delivered|deliver)|was not delivered|wasn't (?:able to|delivered)|not (?:able to|been able to) deliver|unable to deliver|can(?:not|'t| not) (?:be delivered|deliver)|did not reach|failed to deliver|failed recipients?|permanent(?:ly)? (?:error|fail\w*)|user unknown|unknown user|no such (?:user|mailbox|account|recipient)|(?:mailbox|user|account) (?:\w+ ){0,3}(?:full|over quota|does not exist|not found|unknown|disabled|inactive)|returned mail|unzustellbar|non remis|no valid recipients|failed addresses|не может быть доставлено|no (?:se )?(?:pudo|ha podido) (?:ser )?entregad?)/i

/** The text from each line that begins with an address, or names one as a recipient, to the next such line. */
function segmentsOf(text: string, own: ReadonlySet<string>): Map<string, string> {
  const segments = new Map<string, string>()
  let current: string | null = null
  for (const line of text.split("\n", linesMax)) {
    const address: string | null = segments.size < recipientsMax || current ? recipientIn(line) : null
    if (address && !own.has(address.toLowerCase()) && !mailServers.test(address))
      current = [...segments.keys()].find((one) => one.toLowerCase() === address.toLowerCase()) ?? address
    if (!current) continue
    const before = segments.get(current) ?? ""
    if (before.length < segmentCharsMax) segments.set(current, `${before}${line.slice(0, lineCharsMax)}\n`)
  }
  return segments
}

/** Without such a line, the address that the text names if it names one alone. */
function onlyAddressIn(text: string, own: readonly string[]): string[] {
  const found = text.match(new RegExp(addressForm, "g")) ?? []
  const others = found.filter(
    (one) => !mailServers.test(one) && !own.some((two) => two.toLowerCase() === one.toLowerCase()),
  )
  return new Set(others.map((one) => one.toLowerCase())).size === 1 ? others.slice(0, 1) : []
}

function recipientIn(line: string): string | null {
  const match = addressForm.exec(line.slice(0, lineCharsMax))
  if (!match) return null
  const before = line.slice(0, match.index)
  if (!/^[\s\W]{0,40}$/.test(before) && !introduces.test(before.slice(-60))) return null
  return bareAddress(match[0].replace(/^(?:.{0,40}=)?SMTP[=:]/i, ""))
}

const introduces =
  /(?:recipients?|address(?:ee)?(?:es)?|users?(?: ?id)?|mailbox(?: is full)?|account|e-?mail|undeliverable\s{1,9}(?:to|for)|deliver(?:ed|y)? (?:\w+ ){0,3}?to|sent to|rcpt to|send (?:\w+ ){0,3}?to|(?:message|mail) (?:to|for)|(?:generated|expanded) from|addressed to|\d attempts|error-for|unknown|failed|dda:)[\s\W]{0,20}(?:SMTP[=:])?$/i

const mailServers = /^(?:postmaster|mailer-daemon|mail-daemon|abuse|support|helpdesk|hostmaster|administrator)@/i

function recipientOf(address: string | null, segment: string, action: ReturnedAction): ReturnedRecipient {
  const reply = innermostReply(segment)
  return {
    address,
    addresses: address ? [address] : [],
    action,
    status: reply?.enhanced ?? /(?<![\w.])#?([245]\.\d{1,3}\.\d{1,3})(?![\w.])/.exec(segment)?.[1] ?? null,
    diagnostic: { type: "text", text: cutText(flatOf(segment), 1_000) },
    innermostReply: reply,
    remoteMta: null,
  }
}
