/** Lines of an attribution, which mail programs break at 70 to 80 characters. */
const attributionLinesMax = 3
const attributionCharsMax = 400

/**
 * What a person wrote in a reply, without the message that it quotes. Answers between quoted lines keep them. The time is linear
 * in the length of the text.
 * @param marked false where quoted lines have no `>`, as in text that was made of HTML
 */
export function replyTextOf(text: string, { marked = true } = {}): string {
  const lines = text.split("\n").map((line) => line.trimEnd())
  for (const [at, line] of lines.entries()) {
    if (isSeparator(line) || isOutlookHeader(lines, at)) return written(lines.slice(0, at), lines)
    const length = attributionLength(lines, at)
    if (length === 0) continue
    const isQuoted = nextLine(lines, at + length).startsWith(">")
    if (isQuoted || !marked) return isQuoted ? beside(lines, at, length) : written(lines.slice(0, at), lines)
  }
  return written(withoutLastQuotation(lines), lines)
}

/** The first line from here that is not empty. */
function nextLine(lines: readonly string[], from: number): string {
  let at = from
  while (lines[at] === "") at += 1
  return lines[at] ?? ""
}

/** What is written above, else below the lines that an attribution announces; everything where it is between them. */
function beside(lines: readonly string[], at: number, length: number): string {
  const rest = lines.slice(at + length)
  const answer = whole(rest.filter((line) => !line.startsWith(">")))
  if (answer === "") return written(lines.slice(0, at), lines)
  return isOneBlock(rest) && whole(lines.slice(0, at)) === "" ? answer : whole(lines)
}

/** A reply that is nothing but a quotation is shown in full. */
function written(lines: readonly string[], all: readonly string[]): string {
  return lines.join("\n").trim() || whole(all)
}

function whole(lines: readonly string[]): string {
  return lines.join("\n").trim()
}

/** Whether all quoted lines are together, in front of everything else. */
function isOneBlock(lines: readonly string[]): boolean {
  const firstOwn = lines.findIndex((line) => line !== "" && !line.startsWith(">"))
  return !lines.slice(firstOwn).some((line) => line.startsWith(">"))
}

function withoutLastQuotation(lines: readonly string[]): readonly string[] {
  let end = lines.length
  while (end > 0 && (lines[end - 1] === "" || lines[end - 1]?.startsWith(">"))) end -= 1
  return lines.slice(0, end)
}

function isSeparator(line: string): boolean {
  return /^-{2,20} ?(?:original message|original appointment|forwarded message|urspr[üu]ngliche nachricht|message d'origine|message transf[ée]r[ée]|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht) ?-{2,20}$/iu.test(
    line.slice(0, 100),
  )
}

const senderField = /^\*?(?:from|von|de|da|van|från|fra|od)\*?:\*? /iu
const otherField =
  /^\*?(?:sent|date|to|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado|para|asunto|inviato|a|oggetto|verzonden|aan|onderwerp)\*?:/iu

/** The fields that Outlook puts before what it quotes. */
function isOutlookHeader(lines: readonly string[], at: number): boolean {
  if (!senderField.test(lines[at]?.slice(0, 20) ?? "")) return false
  return lines.slice(at + 1, at + 4).filter((line) => otherField.test(line.slice(0, 20))).length >= 2
}

const opening = /^(?:on|am|le|el|il|op|em|den|dne|w dniu|в|20\d\d)(?!\p{L})|^\d{1,4}[./-]/iu
const closing =
  /(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napsal|napisał|написал)(?!\p{L}).{0,200}:$|(?:写道|のメール)[:：]?$/iu

/** How many lines from here say when somebody wrote what follows; 0 if they do not. */
function attributionLength(lines: readonly string[], at: number): number {
  const first = lines[at] ?? ""
  if (first === "" || first.startsWith(">") || !opening.test(first.slice(0, 20))) return 0
  for (let length = 1; length <= attributionLinesMax; length++) {
    const last = lines[at + length - 1] ?? ""
    if (last === "" || last.startsWith(">")) return 0
    const joined = lines.slice(at, at + length).join(" ")
    if (joined.length > attributionCharsMax) return 0
    if (closing.test(joined)) return /\d/.test(joined) ? length : 0
  }
  return 0
}
