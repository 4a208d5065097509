/** One mailbox. `address` is the wire form that `parseAddress` made. */
export type Mailbox = { name?: string; address: string }

/** Columns of a line that may be folded (RFC 5322 section 2.1.1), and of every line with encoded words (RFC 2047). */
const columnsMax = 76
const encodedWordMax = 75

/** Longest unbreakable text that is not encoded; a line may have 998 octets with its name. */
const unbrokenCharsMax = 900

/**
 * A field of free text with its line break: as it is where it is printable ASCII, else in encoded words.
 * @throws TypeError for an invalid name
 */
export function textField(name: string, text: string): string {
  if (!isHeaderName(name)) throw new TypeError("A header name is visible ASCII without a colon.")
  const value = withoutBreaks(text)
  if (!isPlain(value)) return folded(name, encodedWords(value, columnsMax - name.length - 2))
  if (name.length + 2 + value.length <= columnsMax) return value === "" ? `${name}:\r\n` : `${name}: ${value}\r\n`
  // Only at single spaces, so that readers who shorten the white space of a fold change nothing.
  const words = value.split(/(?<=[^ ]) (?=[^ ])/)
  const breakable = words.every((word) => word.length <= unbrokenCharsMax)
  return folded(name, breakable ? words : encodedWords(value, columnsMax - name.length - 2))
}

/**
 * A field of ASCII tokens with its line break, folded at single spaces and never encoded.
 * @throws TypeError for an invalid name or value
 */
export function tokensField(name: string, value: string): string {
  if (!isHeaderName(name) || !/^[ -~]*$/.test(value)) throw new TypeError("A structured header is visible ASCII.")
  return value === "" ? `${name}:\r\n` : folded(name, value.split(" "))
}

/**
 * A field of addresses with its line break.
 * @throws TypeError if an address could hold more than itself
 */
export function mailboxField(name: string, mailboxes: readonly Mailbox[]): string {
  const tokens = mailboxes.flatMap(({ name: display, address }, at) => {
    if (!/^[!-+\--:=?-~]{3,320}$/.test(address)) throw new TypeError("An address is visible ASCII without , ; < and >.")
    const separator = at < mailboxes.length - 1 ? "," : ""
    const phrase = phraseOf(withoutBreaks(display ?? ""))
    return phrase.length === 0 ? [`${address}${separator}`] : [...phrase, `<${address}>${separator}`]
  })
  return folded(name, tokens)
}

function isHeaderName(name: string): boolean {
  return /^[!-9;-~]{1,76}$/.test(name)
}

/** A field whose value we made ourselves and is valid already. */
export function readyField(name: string, value: string): string {
  return `${name}: ${value}\r\n`
}

/** `; name="value"` on a line of its own, or in the form of RFC 2231 where quotes cannot hold the value. */
export function parameter(name: string, text: string): string {
  const value = withoutBreaks(text)
  if (isPlain(value) && value.length <= 60) return `;\r\n ${name}=${quoted(value)}`
  const pieces = percentEncoded(value)
  if (pieces.length === 1) return `;\r\n ${name}*=utf-8''${pieces[0]}`
  return pieces.map((piece, at) => `;\r\n ${name}*${at}*=${at === 0 ? "utf-8''" : ""}${piece}`).join("")
}

/** The last guard behind the rules of lib/emails: nothing that reaches a header can end its line. */
export function withoutBreaks(value: string): string {
  return /[\r\n\0\u2028\u2029]/.test(value) ? value.replace(/[\r\n\0\u2028\u2029]+/g, " ") : value
}

/** Reads the same after every decoder: printable, no white space at the ends, nothing that looks encoded. */
function isPlain(value: string): boolean {
  return /^[ -~]*$/.test(value) && !/^ | $|=\?/.test(value)
}

/** A display name as words between which a line may be folded. */
function phraseOf(name: string): string[] {
  if (name === "") return []
  if (isPlain(name) && name.length <= 60) {
    return /^[\w!#$%&'*+/=?^`{|}~-]+( [\w!#$%&'*+/=?^`{|}~-]+)*$/.test(name) ? name.split(" ") : [quoted(name)]
  }
  return encodedWords(name, encodedWordMax - "Reply-To: ".length)
}

function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&")}"`
}

/** Puts the tokens on lines; an encoded word never makes its line longer than allowed. */
function folded(name: string, tokens: readonly string[]): string {
  let text = `${name}:`
  let width = text.length
  tokens.forEach((token, at) => {
    const stays = width + 1 + token.length <= columnsMax || (at === 0 && !token.startsWith("=?"))
    text += stays ? ` ${token}` : `\r\n ${token}`
    width = stays ? width + 1 + token.length : 1 + token.length
  })
  return `${text}\r\n`
}

/** Encoded words of whole characters, in the shorter encoding; the first has at most `columns` (RFC 2047 section 2). */
function encodedWords(text: string, columns: number): string[] {
  const inQ = qText(text).length <= (Buffer.byteLength(text) * 4) / 3
  const words: string[] = []
  let piece = ""
  let size = 0
  let most = payloadOctets(columns < 30 ? encodedWordMax : columns, inQ)
  for (const character of text) {
    const width = inQ ? qText(character).length : Buffer.byteLength(character)
    if (size + width > most) {
      words.push(encodedWord(piece, inQ))
      most = payloadOctets(encodedWordMax, inQ)
      piece = ""
      size = 0
    }
    piece += character
    size += width
  }
  return [...words, encodedWord(piece, inQ)]
}

function payloadOctets(columns: number, inQ: boolean): number {
  const room = Math.min(columns, encodedWordMax) - "=?UTF-8?Q??=".length
  return inQ ? room : Math.floor(room / 4) * 3
}

function encodedWord(text: string, inQ: boolean): string {
  return inQ ? `=?UTF-8?Q?${qText(text)}?=` : `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`
}

/** The characters that need no quotes in a phrase (RFC 2047 section 5). */
function qText(text: string): string {
  return text.replace(/[^A-Za-z0-9!*+/-]+/g, (found) =>
    found === " "
      ? "_"
      : Array.from(Buffer.from(found), (octet) =>
          octet === 0x20 ? "_" : `=${octet.toString(16).toUpperCase().padStart(2, "0")}`,
        ).join(""),
  )
}

const percentPieceMax = 60

/** In pieces of whole characters; what is left as it is are the attribute characters of RFC 2231 section 7. */
function percentEncoded(value: string): string[] {
  const pieces = [""]
  for (const character of value) {
    const encoded = /^[A-Za-z0-9!#$&+.^_`{|}~-]$/.test(character)
      ? character
      : Buffer.from(character).toString("hex").toUpperCase().replace(/../g, "%$&")
    const last = pieces.length - 1
    if ((pieces[last] ?? "").length + encoded.length > percentPieceMax) pieces.push(encoded)
    else pieces[last] += encoded
  }
  return pieces
}
