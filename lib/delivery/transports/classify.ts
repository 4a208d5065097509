import { beforeMail, type DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { BounceType, Reason } from "@/lib/explanation/codes"

export type Decision = {
  kind: "accepted" | "bounced" | "retry" | "region_fault" | "ambiguous"
  bounceType?: BounceType
  /** Enhanced status code, or the reply code where there is none. */
  bounceCode?: string
  /** Put the recipient on the suppression list now. */
  suppress: boolean
  /** The server's reply with its code, or our own error text. */
  diagnostic: string
  /** Why the message was not accepted. */
  reason: Reason | null
}

/** The result of our own lookup of the recipient's domain: `none` is NXDOMAIN or a null MX (RFC 7505). */
export type MailRoute = "exists" | "none" | "unknown"

/** This number of soft bounces in this number of days, without a delivery in between, suppresses a recipient. */
export const softBouncesMax = 3
export const softBounceDays = 30

/** The decision that follows from an attempt: a pure function that never suppresses in doubt. */
export function classify(attempt: DeliveryAttempt, route: MailRoute = "unknown"): Decision {
  const diagnostic = diagnosticOf(attempt)
  const plain = { suppress: false, diagnostic }
  const { phase, code, enhanced } = attempt
  const where = { ...(phase && { phase }), ...(code !== undefined && { code }) }
  switch (attempt.outcome) {
    case "accepted":
      return { ...plain, kind: "accepted", reason: null }
    case "deferred":
      return {
        ...plain,
        kind: "retry",
        reason:
          attempt.unverified === undefined
            ? { code: "deferred", facts: where }
            : { code: "domain_unverified", facts: { domain: attempt.unverified } },
      }
    case "region_fault":
      return { ...plain, kind: "region_fault", reason: { code: "region_fault", facts: where } }
    case "ambiguous":
      return { ...plain, kind: "ambiguous", reason: { code: "unconfirmed", facts: {} } }
    case "refused": {
      const bounceType = bounceTypeOf(attempt, route)
      const bounceCode = attempt.enhanced ?? String(attempt.code ?? "")
      const suppress = bounceType === "hard"
      return {
        kind: "bounced",
        bounceType,
        bounceCode,
        suppress,
        diagnostic,
        reason: { code: "bounced", facts: { bounceType, ...(enhanced && { enhanced }), ...where } },
      }
    }
  }
}

type Refusal = Pick<DeliveryAttempt, "enhanced" | "text" | "phase"> &
  Partial<Pick<DeliveryAttempt, "code" | "conversation">>

/**
 * The type of a bounce by its codes and text; also usable for the status fields of a delivery report (RFC 3464). A refusal
 * is hard only if it is about the recipient's mailbox; what is about us never counts against a recipient, also not as one of
 * the soft bounces that suppress.
 */
export function bounceTypeOf(refusal: Refusal, route: MailRoute): BounceType {
  const { enhanced = "", text, phase, code = 0 } = refusal
  if (oursCodes.test(enhanced)) return "ours"
  const ours = ownAddresses(refusal)
  const subject = subjectOf(text, ours)
  // Before RCPT the server has not heard of the recipient.
  if (phase === "mail") return contentCodes.test(enhanced) ? "content" : subject === "us" ? "block" : "ours"
  if (subject === "sender") return "ours"
  if (isFull(refusal)) return "soft"
  if (hardCodes.test(enhanced)) {
    // Servers say of a full mailbox that its address is wrong.
    if (isPassing(text)) return subject === "us" ? "block" : "soft"
    return subjectWithCode(text, ours) === "mailbox" ? "hard" : "block"
  }
  if (enhanced === "5.2.1" && subject !== "us" && busy.test(text)) return "soft"
  if (contentCodes.test(enhanced)) return "content"
  if (subject === "us") return "block"
  if (noRouteCodes.test(enhanced)) return route === "none" ? "hard" : "soft"
  if (namesRecipient(enhanced, subject, text)) return "hard"
  if (enhanced.startsWith("5.7.")) return "block"
  return code >= 500 && code <= 504 && commandCodes.test(enhanced) ? "ours" : "soft"
}

/**
 * Whether a delivery that is given up after temporary replies counts against its recipient as a soft bounce: not if the
 * last reply is about us. A server that still greylists after three days takes no mail for the address.
 */
export function countsAgainstRecipient(attempt: DeliveryAttempt): boolean {
  const { text, code = 0, phase = "final" } = attempt
  if (code < 400 || !["rcpt", "data", "final"].includes(phase)) return false
  const subject = subjectOf(text.replace(/\bgr[ea]y ?list\w*/gi, ""), ownAddresses(attempt))
  return subject !== "sender" && (subject !== "us" || isFull(attempt))
}

/**
 * Whether a server put the mail off for what it thinks of us: a temporary refusal of a recipient is greylisting at the first attempt,
 * and where it says so.
 */
export function isDeferral({ outcome, phase, code = 0, text }: DeliveryAttempt, attemptsBefore: number): boolean {
  if (outcome !== "deferred" || code < 400 || !phase || beforeMail.has(phase)) return false
  return phase !== "rcpt" || (attemptsBefore > 0 && !/gr[ea]y ?-?list/i.test(text))
}

/**
 * Whether a refusal is about who sends, by a domain's own SPF, DKIM or DMARC, or about the sender's address. It says nothing of our
 * machine, although such texts name the address that the mail came from.
 */
export function isAboutSender(refusal: { enhanced: string; text: string }): boolean {
  return isAboutAuthentication(refusal) || subjectOf(refusal.text) === "sender"
}

/** The same without the word "sender", by which servers also speak to our machine: Gmail names its Bulk Email Senders Guidelines. */
export function isAboutAuthentication({ enhanced, text }: { enhanced: string; text: string }): boolean {
  return senderCodes.test(enhanced) || authentication.test(wordsOf(text))
}

/** Without 5.7.25, which is about the name of our machine (RFC 7372). */
const senderCodes = /^[45]\.(1\.[78]|7\.2[0-467])$/
const authentication = /\bspf\b|\bdkim\b|\bdmarc\b|\bdomainkeys?\b|\bsender (?:id|policy)\b/i

function namesRecipient(enhanced: string, subject: Subject, text: string): boolean {
  if (isPassing(text)) return false
  if (enhanced === "5.2.1" && isClosed(text)) return true
  if (enhanced === "5.4.1" && microsoftDenies.test(text)) return true
  return subject === "mailbox" && wordyCodes.test(enhanced)
}

/** The return path of the attempt, whose domain is ours as well; not if the recipient has that domain. */
function ownAddresses({ conversation = [] }: Refusal): string[] {
  const from = envelopeAddress(conversation, "MAIL FROM")
  const to = envelopeAddress(conversation, "RCPT TO")
  const domain = from?.slice(from.lastIndexOf("@"))
  return !from || !domain || to?.toLowerCase().endsWith(domain.toLowerCase()) ? [] : [from, domain]
}

/** Whether an account of Amazon SES without production access refuses a recipient, as it does everybody whom it has not verified. */
export function isOfUnverified(text: string, to: string): boolean {
  const words = text.toLowerCase().split(/[\s,;]+/)
  return /\bnot verified\b/i.test(text) && words.includes(to.toLowerCase())
}

export function envelopeAddress(conversation: readonly string[], verb: string): string | undefined {
  const start = `C: ${verb}:<`
  const line = conversation.findLast((one) => one.startsWith(start))
  return line?.slice(start.length).split(">", 1)[0]
}

/** The address itself is wrong. */
const hardCodes = /^5\.1\.(1|3|6|10)$/
/** The domain has no mail route, if our own lookup agrees. */
const noRouteCodes = /^5\.(1\.2|4\.4)$/
/** Codes used for anything: only the text tells what they mean. */
const wordyCodes = /^(5\.1\.0|5\.2\.[01]|5\.3\.0|5\.4\.1|5\.5\.0|5\.0\.0|5\.7\.1|)$/
/** Sender address, authentication of the message, and Microsoft's verdicts about the sending tenant or address. */
const oursCodes = /^5\.(1\.[78]|7\.2[0-7]|7\.[56]\d\d)$/
/** With a reply up to 504, which is about our commands. */
const commandCodes = /^(5\.[035]\.\d+|)$/
const contentCodes = /^5\.(6\.\d+|3\.4|2\.3)$/

/** A mailbox that exists and receives too much (Gmail). */
const busy = /\brate\b|too (?:many|quickly|fast)/i

/** Microsoft's text for a recipient that the tenant does not have. Others use it, with other codes, for any rule. */
const microsoftDenies = /Recipient address rejected: Access denied/i

function diagnosticOf({ code, text }: DeliveryAttempt): string {
  return code === undefined ? text : `${code} ${text}`.trim()
}

/** Whom a refusal is about, by its words. */
type Subject = "sender" | "us" | "mailbox" | "unclear"

/**
 * Whom a server's reply is about. One word about us anywhere outweighs all others, since servers quote each other and put
 * several sentences into one reply: only a text about nobody but the recipient's mailbox names a missing mailbox.
 * `ours` are our own addresses of the attempt.
 */
export function subjectOf(text: string, ours: readonly string[] = []): Subject {
  const words = wordsOf(text)
  if (speaksOf(text, ours) || senderWords.some((one) => one.test(words))) return "sender"
  if (aboutUs(text, words)) return "us"
  return namesMailbox(words) ? "mailbox" : "unclear"
}

/** The same where the server's status code says that the mailbox does not exist: then a policy named beside it is no doubt. */
function subjectWithCode(text: string, ours: readonly string[] = []): Subject {
  const subject = subjectOf(text, ours)
  if (subject === "unclear") return "mailbox"
  if (subject !== "us") return subject
  const words = wordsOf(text)
  return namesMailbox(words) && !ownWords.some((one) => one.test(words)) ? "mailbox" : "us"
}

/**
 * Says that the recipient's mailbox is full, and nothing about our own account or allowance. Words of a limit of storage say whose it
 * is only beside such a sentence, or with the codes of a full mailbox.
 */
export function isFull({ text, enhanced, code }: Omit<Refusal, "phase">): boolean {
  const words = wordsOf(text)
  const unnamed = words.replace(fullMailbox, "$1")
  const rest = unnamed.replace(storageLimit, "")
  const isSaid = unnamed !== words || (rest !== unnamed && fullCodes.test(enhanced ?? String(code)))
  return isSaid && !ownAllowance.test(words) && !aboutUs(text, rest)
}

/**
 * Says that a mailbox is there and takes nothing now: words of a quota, also those that are no sentence about a mailbox, or of a
 * state that is temporary. Beside 5.1.1 they say more than the code.
 */
export function isPassing(text: string): boolean {
  const words = wordsOf(text)
  return [quota, fullMailbox, temporary].some((one) => one.test(words))
}

const quota =
  /quota\b|\b(?:mailbox|inbox|storage|disk)\b.{0,30}\b(?:full|exceed\w*)\b|\binsufficient (?:system )?storage\b|(?:邮箱|信箱).{0,10}满/iu
const temporary = /\btempor|\bvor(?:ü|ue)bergehend/i
const fullMailbox =
  /\b((?:mailbox|inbox|mail ?drop|recipient|user|the email account|account(?= is full)|bo[iî]te|postfach|buz[oó]n|casella|caixa|postvak)\b.{0,60})\b(?:full|pleine|voll|llen[oa]|pien[oa]|cheia|vol|over[- ]?(?:its |the |his |her |their )?(?:storage |disk )?quota|(?:quota|storage|space) (?:limit )?(?:is |has been )?exceeded|exceed(?:s|ed) (?:its |the |his |her |their )?(?:storage|disk|mailbox|allocated)(?: (?:quota|limit|allocation|space))?|out of (?:storage|space))\b/i
const fullCodes = /^(?:[45]\.2\.2|552)$/
const storageLimit =
  /\bquota (?:is |has been )?exceeded\b|\bexceed(?:s|ed)? (?:the |its )?(?:mailbox |storage )?(?:quota|allocation)\b|\b(?:blocks?|inodes?|mailbox size) limit exceeded\b/gi
const ownAllowance =
  /\byour?\b(?! (?:are |have )?(?:tried|trying|attempted))|\bsend|\brelay|\bdaily\b|\bper (?:day|hour|minute)\b|\bhourly\b|\boutgoing\b|\bsubmission\b/i

/** Says that a mailbox is closed, where the status code says that it is one of the recipient's (5.2.1). */
function isClosed(text: string): boolean {
  return /\b(?:disabled|inactive|deactivated|closed|deleted|suspended|not active|no longer|discontinued|(?:mailbox|account|user)(?: <>)? (?:has |is |was )?expired)\b/i.test(
    wordsOf(text),
  )
}

/** Without links and addresses, whose parts are words of nobody, and with plain spaces, quotes and hyphens. */
function wordsOf(text: string): string {
  return text
    .slice(0, charsMax)
    .replace(/\bhttps?:\S+|\bwww\.\S+/gi, " ")
    .replace(/<?[^\s<>@"'(),;:[\]]{1,64}@[^\s<>@"'(),;:[\]]{1,255}>?/g, "<>")
    .replace(/[‘’`]/g, "'")
    .replace(/[“”"]/g, "")
    .replace(/\s+/g, " ")
}

const charsMax = 4_000

/** A server that names our own address speaks of it. */
function speaksOf(text: string, ours: readonly string[]): boolean {
  const lower = text.slice(0, charsMax).toLowerCase()
  return ours.some((one) => one !== "" && lower.includes(one.toLowerCase()))
}

function aboutUs(text: string, words: string): boolean {
  return blockLists.test(text.slice(0, charsMax)) || [...ownWords, ...policyWords].some((one) => one.test(words))
}

function namesMailbox(words: string): boolean {
  return missingMailbox.some((one) => one.test(words))
}

/** The sender, its address and domain, and checks of it: a callback asks whether the sender's own mailbox exists. */
const senderWords = [
  /\bsender|\bsend(?:ing|er's) (?:address|domain|account|user|mailbox|host|server|ip)\b/i,
  // Recipient verification, as Postfix and Exim do it, is about the recipient.
  /(?<!recipient )(?<!recipient address )\bverif(?:y|ies|ied|ication|ying)\b(?! (?:the |your )?(?:recipient|the address you|you have the correct|the spelling))/i,
  /\bcall-?(?:out|back|ahead)s?\b/i,
  /\b(?:return|reverse)[- ]?path\b|\bmail[- ]?from\b|\benvelope[- ]from\b|\bfrom (?:address|header|domain|field|user|line)\b|\bheader from\b|\bbounce address\b|\breply-?to\b|\boriginator\b/i,
  /\b(?:address|domain|host|user|mail) (?:in|of|from) (?:the |your )?(?:from|mail from|return-path|envelope)\b/i,
  /\bfrom (?:this|that|the|your|a) (?:address|domain|user|account|e-?mail)\b|\bsent from\b/i,
  /\babsender\w*|\bexp[ée]diteur|\bremitente|\bmittente|\bremetente|\bafzender|\bnadawc|отправител|发件人|寄件者|送信者/iu,
]

/** Our account, address, host, session and limits. */
const ownWords = [
  /(?<!recipient's )(?<!the e-mail )(?<!the email )\baccounts? (?:has been |have been |is |was |are )?(?:temporarily |permanently |currently )?(?:suspended|blocked|locked|frozen|restricted|limited|paused|banned)\b/i,
  // "Your account has been suspended", but not "check your spelling" or "your message was not delivered to <>".
  /\b(?:your|our|my) (?:\w+ ){0,2}?(?:account|ip|ips|address(?! book)|domain|host(?:name)?|server|system|network|isp|provider|client|relay|connection|sub-?scription|plan|service|quota|limits?|credits?|balance|reputation|certificate|login|credentials|password|user(?:name)?|organi[sz]ation|tenant|workspace|api key|mailbox)\b/i,
  /\b(?:you|you're|you are|you have been|you've been|you were) (?:currently |temporarily |permanently |being )?(?:not )?(?:authori[sz]ed|allowed|permitted|block\w*|listed|banned|suspended|rejected|refused|limited|restricted|required|sending (?:too|more|unsolicited|spam|from)|over|exceed\w*)\b|\byou (?:must|need to|have to|do not have|don't have|have (?:been|exceeded|reached|sent|too)|exceeded|cannot|can't|can not|may not|are not|aren't)\b/i,
  /\b(?:this|the|that) (?:smtp |relay |sending |api |customer |trial |free )?(?:account|user|tenant|organi[sz]ation|subscription|customer|client|login) (?:has been|is|was|have been|are|being)? ?(?:temporarily |permanently |currently |now )?(?:suspended|blocked|limited|restricted|locked|not (?:allowed|authori[sz]ed|permitted|activated|verified|enabled)|banned|frozen|paused|under review|disallowed|terminated|on hold|cancell?ed|over)\b/i,
  /^(?:[\d. #]*)(?:sorry,? )?(?:smtp |relay |sending |email |customer )?(?:account|login|client) (?:has been |is |was )?(?:temporarily |permanently )?(?:disabled|inactive|suspended|blocked|locked|closed|deleted|deactivated|invalid|unknown|not found|expired)\b/i,
  // The same in other languages: German, French, Spanish, Italian, Portuguese, Dutch.
  /\b(?:ihr|ihre[mnrs]?|votre|vos|tu|sus?|vostr[oa]|tuo|suo|seu|sua|uw) (?:\p{L}+ )?(?:konto|account|postfach|server|domain|compte|bo[iî]te|serveur|domaine|cuenta|buz[oó]n|servidor|dominio|conto|casella|conta|caixa|e?-?mail-?konto|(?:adresse |direcci[oó]n |indirizzo |endere[cç]o )?ip)\b/iu,
  /(?<!\p{L})(?:konto|compte|cuenta|account|conta) (?:\p{L}+ ){0,3}?(?:gesperrt|blockiert|suspendue?s?|suspendid[oa]|suspensa|bloquead[oa]|bloqu[ée]e?|d[ée]sactiv[ée]e?|desactivad[oa]|desativada|sospeso|bloccato|disattivato|geblokkeerd|opgeschort)(?!\p{L})/iu,
  /\bfor (?:this|the|your) (?:account|customer|tenant)\b|\b(?:smtp|relay|api|submission) (?:account|user|login|client|credentials)\b/i,
  /\b(?:account|user|sending|mailing|email|smtp|relay)s? (?:is |has been |was )?(?:suspended|paused|suspension|frozen) (?:due|for|because|until|by|pending)\b/i,
  /\b(?:client|connecting|remote|source|peer|originating) (?:host|ip|address|server|system|mta|domain|user|name)|\bclient\b|\bhost(?:name)? (?:rejected|\S+ (?:rejected|blocked|refused|is not))|\bip[ -]?(?:v[46] )?(?:address|range|block|\[|\d|is\b|has\b|not\b|reputation|name)|\bips?\b/i,
  /\b(?:helo|ehlo|ptr|rdns|reverse dns|dnssec)\b|\breverse[- ](?:dns|lookup|hostname|name|mapping)|\bfcrdns\b/i,
  /\brelay(?:ing)?(?: access)?(?: is| was| has been)? (?:denied|not (?:allowed|permitted|authori[sz]ed|enabled|supported)|prohibited|forbidden|refused|disabled|restricted|rejected|attempt)|\b(?:un)?able to relay|\b(?:not|no|cannot|can't|won't|refus\w+ to|deny|denied|may not|open) (?:an? |an open |be |to )?relay(?:ing|ed)?\b(?! recipient)|\bwe do(?: not|n't) relay|\brelay not/i,
  /\bauth(?:enticat\w*|ori[sz]\w*|entification)?\b|\bunauth\w+|\bcredential|\bpassword|\blog ?in\b|\bsasl\b|\bsign(?:ed)? in\b|\bsmtp auth\b|\bpop[ -]before\b|\bspf\b|\bdkim\b|\bdmarc\b|\barc\b|\bdomainkeys?\b|\bsender id\b|\bsigned\b|\bsignature/i,
  /\btls\b|\bssl\b|\bstarttls\b|\bencrypt\w*|\bcertificate|\bplaintext\b|\bsecure (?:connection|channel|transport)/i,
  /\b(?:send(?:ing)?|sent|mail(?:ing)?|e-?mail|message|daily|hourly|monthly|per[- ]?(?:day|hour|minute|month)|account|outgoing|outbound|submission|recipients?|rate|connection|smtp|relay) (?:\w+ ){0,2}?(?:quota|limits?|allowance|cap|credits?|threshold)\b|\b(?:quota|limits?|credits?|allowance)\b (?:\w+ ){0,3}?(?:for|of|on|per) (?:this|the|your|our)? ?(?:account|day|hour|month|minute|user|plan|ip|domain|sending|customer|tenant)|\bthrottl\w*|\brate[- ]?(?:limit\w*|control\w*)|\btoo many\b|\bfrequency\b|\bexcess(?:ive|ively)?\b|\bover (?:the |your )?(?:limit|rate)\b|\blimit(?:s|ed)? (?:exceeded|reached)|\bexceed(?:s|ed|ing)?\b(?! (?:its|his|her|their) )/i,
  /\btrial\b|\bsandbox\b|\bpayment|\bunpaid\b|\bbilling\b|\binvoice|\bcompliance\b|\bterms of (?:service|use)\b|\babus\w+|\bfraud\w*|\bcompromis\w+|\bhijack\w+/i,
  /\bconnection (?:refused|rejected|denied|blocked|dropped|closed)|\bservice (?:refused|denied|not available|unavailable)\b|\bsession\b/i,
  /\bmail server\b.{0,40}\b(?:reject|block|den|refus|list|not )|\bmailbomb|\bserver (?:ip|is (?:listed|blocked|blacklisted))/i,
]

/** Policies, lists and content. */
const policyWords = [
  /(?<!recipient address rejected: )\baccess (?:is |was |has been )?(?:denied|rejected|refused|blocked|restricted|not)|\byour access\b|\baccess (?:to|from)\b/i,
  /\b(?:your|this|the) (?:message|mail|e-?mail)s? (?:was|were|is|has been|have been|had been) (?:\w+ )?(?:rejected|refused|denied|blocked|bounced|returned due|classified|identified|considered|flagged)\b|\b(?:message|mail|command|e-?mail)s? (?:rejected|refused|denied|rejet)|\b(?:mail|message)s? (?:not accepted|will not be accepted) (?:from|for|due|because)/i,
  /\bpolic(?:y|ies)\b|\bblock(?:s|ed|ing|list\w*)?\b|\bblack ?list\w*|\bwhite ?list\w*|\bgr[ea]y ?list\w*|\ballow ?list\w*|\bdeny ?list\w*|\bbanned\b|\bban\b|\blisted\b|\bdns[bw]l\b|\brbl\b|\bsurbl\b|\buribl\b/i,
  /\bspam\w*|\bjunk\b|\bunsolicited\b|\breputation\b|\bvirus\w*|\bmalware\b|\bphish\w*|\binfected\b|\bmalicious\b|\bsuspicious\b|\bharmful\b|\bscam\b|\bucebl?\b|\bbulk\b|\bfilter\w*|\bcontent\b|\battachment|\bsubject\b|\bkeyword|\burls?\b|\blinks?\b|\bscor(?:e|ed|ing)\b/i,
  /\bprohibit\w*|\bforbid\w*|\bnot permitted\b|\bpermission\b|\bnot allowed\b|\bdisallowed\b|\brestrict\w*|\bsecurity\b|\bviolat\w*|\badministrative\w*|\blocal (?:rule|configuration|restriction)|\bcountry\b|\bgeo\w*|\bfirewall\b|\bhoneypot\b|\btrap\b|\bcomplain\w*/i,
  /\bmessage (?:size|too|length|format|header)|\bheaders?\b|\bmime\b|\bline too long\b|\bsize limit|\btoo (?:large|big)\b|\brfc ?\d{3,4}\b.{0,20}\bcompl|\bloop\w*|\bhop count\b|\bdate\b.{0,20}\bheader/i,
  /\bIB\d{3}\b|\bOFR_?(?:50\d|99\d|10\d|20\d)\b|\b(?:DT|MI|HL|IP|RP|SYN|TRANS):[A-Z0-9]{3}\b|\b[ST]3\d{3}\b|\bAS\((?!2018|2016)\d+\)/,
]

/** Names of lists also count in links. */
const blockLists =
  /spamhaus|barracuda(?:central|networks?\.com\/reputation)|spamcop|sorbs|uceprotect|abuseat|cloudmark|senderscore|invaluement|mailspike|surriel|backscatterer|\bpbl\b|\bxbl\b|\bsbl\b|cbl\.|mxrate|trendmicro|sophos|senderbase|proofpoint\.com\/ip|mail-abuse|postmaster\.(?:live|google|aol|yahoo|mail|comcast|att|gmx|web|1und1|free|orange)/i

/** How servers say that the recipient's mailbox does not exist or is closed. Not "mailbox unavailable": RFC 5321's text for any 550. */
const missingMailbox = [
  /\b(?:no such|unknown|invalid|non-?existent|non-?existing|undefined|bad|illegal) (?:e-?mail |local |virtual |destination |recipient'?s? )?(?:user|recipient|mailbox|account|alias|person|destination address|address|local part|mail ?drop|customer)\b(?! ip)/i,
  /\b(?:user(?:name)?|recipient|mailbox|account|alias|address)(?: ?name)?(?: address| mailbox| account)?(?: <>)?(?:\(?s\)?)?:?(?: is| was| are)? (?:unknown|invalid|not found|not known|unrecogni[sz]ed|non-?existent|undeliverable|not here|not valid|not a valid|nonexist\w*|inexistent)\b/i,
  /\b(?:user|recipient|mailbox|account|address|alias|person|inbox|<>)\b.{0,80}\b(?:does not|doesn't|do not|don't|did not|didn't|no longer) exists?\b/i,
  /<>.{0,20}\b(?:does not|doesn't|no longer) exists?\b|<>:? (?:is )?(?:not found|unknown|user unknown)\b|<> (?:is )?not a valid/i,
  /\bmailbox(?: <>)?.{0,20}\b(?:has been|is|was) (?:disabled|deactivated|closed|deleted|suspended|inactive|removed|terminated|no longer (?:active|valid|available|in use))\b|\bmailbox (?:disabled|inactive|deleted|deactivated|closed)\b/i,
  /\bthe (?:e-?mail )?(?:account|user|address) (?:that )?you(?: are|'re| have)? (?:tried|trying|attempted|attempting) to (?:reach|contact).{0,40}\b(?:does not|doesn't|is|has been|was|no longer) (?:exist|disabled|inactive|deactivated|closed|deleted|suspended|over|unknown|invalid|not found|no longer)/i,
  /\b(?:e-?mail address|recipient'?s? (?:account|mailbox|address)?|user <>|account <>|mailbox <>|<>) ?(?:has been|is|was) (?:disabled|deactivated|closed|deleted|suspended|inactive|terminated|no longer (?:active|valid|available|in use))\b/i,
  /\brecipient(?:\(s\)|s)?(?: address)?(?: was| is)? (?:not found|unknown|invalid|does not exist|not exist)|\brecipient ?not ?found\b|\ball recipients (?:are )?invalid\b/i,
  /\bno (?:such )?(?:mailbox|account|user|recipient|person|alias)(?: \S+){0,3}? (?:here|by that name|with that name|exists?|found|at this address|in this domain|on this (?:server|system))\b|\bno mailbox(?: here)? by that name\b|\bno (?:mailbox|account) for\b/i,
  /\b(?:user|recipient|account|mailbox|address)(?: \S+){0,4}? not (?:exist|listed in (?:domino|address|public)|in (?:our|the|this) (?:directory|system)|our customer|on this server|present)\b|\bnot our customer\b|\bunknown or illegal alias\b|\bnot a (?:known|valid|local) (?:user|mailbox|recipient|account|customer|address)\b/i,
  // Microsoft 365 and outlook.com
  /\bRecipient address rejected: (?:User unknown|Unknown user|undeliverable address)/i,
  /\bS2017062302\b/,
  // Yahoo and AOL
  /\b(?:does not|doesn't) have an? \S+ account\b/i,
  /\bmailbox not found\b|\buser (?:doesn't|does not|not) exist\b|\bunrout(?:e)?able (?:address|recipient)\b|\baddress unknown\b|\baddressee unknown\b/i,
  /\bempf[aä]e?nger(?:adresse)?\b.{0,30}\b(?:unbekannt|existiert nicht|ung[uü]e?ltig|nicht gefunden)\b|\b(?:benutzer|postfach)\b.{0,30}\b(?:unbekannt|existiert nicht|nicht gefunden)\b/iu,
  /\b(?:utilisateur|destinataire|compte|bo[iî]te)\b.{0,40}\b(?:inconnu|invalide|inexistant|n'existe pas)e?\b|\b(?:usuario|destinatario|buz[oó]n|cuenta|utente|casella)\b.{0,40}\b(?:desconocid[oa]|no existe|sconosciut[oa]|inesistente|inexistente)\b/iu,
  /(?:用户|收件人|邮箱|账号|帐号)(?:地址)?(?:不存在|未找到)/u,
]
