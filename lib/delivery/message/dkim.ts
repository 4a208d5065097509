import { createHash, sign as signWithKey, type KeyObject } from "node:crypto"
import { promisify } from "node:util"

/** Parse the PEM once and keep the KeyObject: reading it costs more than the signature. */
export type DkimSigner = { domain: string; selector: string; key: KeyObject }

/**
 * Puts one DKIM-Signature (RFC 6376; rsa-sha256, relaxed/relaxed, no l= and no x=) before a message whose line breaks
 * are CRLF. The signature is made in libuv's thread pool. Rejects unless the key is an RSA private key.
 */
export async function sign(raw: Buffer, { domain, selector, key }: DkimSigner): Promise<Buffer> {
  const { fields, bodyAt } = read(raw)
  const signed = signable.map((name) => ({ name, lines: fields.get(name) ?? [] }))
  const names = signed.flatMap(({ name, lines }) => Array<string>(lines.length + Number(sealed.has(name))).fill(name))
  const unsigned =
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\r\n d=${domain};\r\n s=${selector};\r\n` +
    ` ${fold(`h=${names.join(":")}`, ":")};\r\n bh=${bodyHash(raw.subarray(bodyAt))};\r\n b=`
  // Of several fields with one name the last is signed first (section 5.4.2); a name without one adds nothing.
  const head = [...signed.flatMap(({ lines }) => lines.toReversed()), unsigned].map(relaxed).join("\r\n")
  const signature = await signInPool("sha256", Buffer.from(head, "latin1"), key)
  return Buffer.concat([Buffer.from(`${unsigned}${inLines(signature.toString("base64"))}\r\n`, "latin1"), raw])
}

const signInPool = promisify(signWithKey)

/** Signed where present. */
const signable = [
  "from",
  "to",
  "cc",
  "subject",
  "date",
  "message-id",
  "reply-to",
  "mime-version",
  "content-type",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "list-id",
  "feedback-id",
]

/** Named once more than present, so that a second one added on the way breaks the signature (section 8.15). */
const sealed = new Set(["from", "subject", "date", "to", "reply-to"])

type Read = { fields: Map<string, string[]>; bodyAt: number }

/** The fields to sign by name, as Latin-1, so that every octet is one character and comes back as it was. */
function read(raw: Buffer): Read {
  const end = raw.indexOf("\r\n\r\n")
  const head = raw.toString("latin1", 0, end === -1 ? raw.length : end)
  const fields = new Map<string, string[]>()
  for (const line of head.split(/\r\n(?![ \t])/)) {
    const name = line.slice(0, line.indexOf(":")).trimEnd().toLowerCase()
    const lines = fields.get(name)
    if (lines) lines.push(line)
    else fields.set(name, [line])
  }
  return { fields, bodyAt: end === -1 ? raw.length : end + 4 }
}

/** Section 3.4.2. */
function relaxed(line: string): string {
  const colon = line.indexOf(":")
  const value = line.slice(colon + 1).replace(/\r\n/g, "")
  return `${line.slice(0, colon).trim().toLowerCase()}:${value.replace(/[ \t]+/g, " ").replace(/^ | $/g, "")}`
}

const [tab, lf, cr, space] = [0x09, 0x0a, 0x0d, 0x20]

const bodyHash = sameAgain(hashOf, (one: Buffer, other) => one.equals(other), { least: 8 * 1024, most: 1024 * 1024 })

/** Section 3.4.4: white space is one space, none before a line break; no empty lines at the end. */
function hashOf(raw: Buffer): string {
  const text = Buffer.allocUnsafe(raw.length + 2)
  let length = 0
  let content = 0
  let gap = false
  for (let at = 0; at < raw.length; at += 1) {
    const byte = raw[at] ?? 0
    if (byte === space || byte === tab) {
      gap = true
    } else if (byte === cr && raw[at + 1] === lf) {
      text[length++] = cr
      text[length++] = lf
      gap = false
      at += 1
    } else {
      if (gap) text[length++] = space
      gap = false
      text[length++] = byte
      content = length
    }
  }
  if (content > 0) content += text.write("\r\n", content)
  return createHash("sha256").update(text.subarray(0, content)).digest("base64")
}

function inLines(base64: string): string {
  const lines: string[] = []
  for (let at = 0; at < base64.length; at += 72) lines.push(base64.slice(at, at + 72))
  return lines.join("\r\n ")
}

/** Breaks after separators so that no line has more than 76 columns with its leading space. */
function fold(text: string, separator: string): string {
  let width = 0
  const pieces = text.split(separator).map((piece, at, all) => (at === all.length - 1 ? piece : piece + separator))
  return pieces
    .map((piece) => {
      const breaks = width > 0 && width + piece.length > 74
      width = breaks ? piece.length : width + piece.length
      return breaks ? `\r\n ${piece}` : piece
    })
    .join("")
}

/** Sizes, in characters or octets, for which it pays to look, and to which what is kept is limited. */
type Limits = { least: number; most: number }

const kept = 4

/**
 * The messages of one send follow each other and have the same body: what was computed of the last few bodies is looked up,
 * which takes a hundredth of the time.
 */
export function sameAgain<Body extends { length: number }, Result>(
  compute: (body: Body) => Result,
  isSame: (one: Body, other: Body) => boolean,
  { least, most }: Limits,
): (body: Body) => Result {
  const last: { body: Body; result: Result }[] = []

  return (body) => {
    if (body.length < least || body.length > most) return compute(body)
    const at = last.findIndex((one) => one.body.length === body.length && isSame(one.body, body))
    const found = at < 0 ? { body, result: compute(body) } : last.splice(at, 1)[0]
    if (!found) return compute(body)
    last.unshift(found)
    last.length = Math.min(last.length, kept)
    return found.result
  }
}
