import { createHash, sign as signWithKey, type KeyObject } from "node:crypto"
import { promisify } from "node:util"

/** Parse the PEM once and keep the KeyObject: reading it costs more than the signature. */
export type DkimSigner = { domain: string; selector: string; key: KeyObject }

/**
 * Puts one DKIM-Signature (RFC 6376; rsa-sha256, relaxed/relaxed, no l= and no x=) before a message whose line breaks
 * are CRLF. The signature is made in libuv's thread pool. Rejects if the key is no RSA private key.
 */
export async function sign(raw: Buffer, { domain, selector, key }: DkimSigner): Promise<Buffer> {
  const { fields, body } = read(raw)
  const names = signedNames(fields)
  const unsigned =
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\r\n d=${domain};\r\n s=${selector};\r\n` +
    ` ${fold(`h=${names.join(":")}`, ":")};\r\n bh=${bodyHash(body)};\r\n b=`
  const signed = [...pick(fields, names), unsigned].map(relaxed).join("\r\n")
  const signature = await signInPool("sha256", Buffer.from(signed, "latin1"), key)
  const value = signature.toString("base64").replace(/.{72}(?=.)/g, "$&\r\n ")
  return Buffer.concat([Buffer.from(`${unsigned}${value}\r\n`, "latin1"), raw])
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

type Field = { name: string; line: string }

/** Read as Latin-1, so that every octet is one character and comes back as it was. */
function read(raw: Buffer): { fields: Field[]; body: string } {
  const end = raw.indexOf("\r\n\r\n")
  const head = raw.subarray(0, end === -1 ? raw.length : end).toString("latin1")
  const fields = head
    .split(/\r\n(?![ \t])/)
    .filter((line) => line !== "")
    .map((line) => ({ name: line.slice(0, line.indexOf(":")).trimEnd().toLowerCase(), line }))
  return { fields, body: end === -1 ? "" : raw.subarray(end + 4).toString("latin1") }
}

function signedNames(fields: readonly Field[]): string[] {
  return signable.flatMap((name) => {
    const present = fields.filter((field) => field.name === name).length
    return Array<string>(present + Number(sealed.has(name))).fill(name)
  })
}

/** Of several fields with one name the last is signed first (section 5.4.2); a name without one adds nothing. */
function pick(fields: readonly Field[], names: readonly string[]): string[] {
  const waiting = [...fields]
  return names.flatMap((name) => {
    const at = waiting.findLastIndex((field) => field.name === name)
    return at === -1 ? [] : waiting.splice(at, 1).map((field) => field.line)
  })
}

/** Section 3.4.2. */
function relaxed(line: string): string {
  const colon = line.indexOf(":")
  const value = line.slice(colon + 1).replace(/\r\n/g, "")
  return `${line.slice(0, colon).trim().toLowerCase()}:${value.replace(/[ \t]+/g, " ").replace(/^ | $/g, "")}`
}

/** Section 3.4.4. */
function bodyHash(body: string): string {
  const lines = body.replace(/[ \t]+/g, " ").replaceAll(" \r\n", "\r\n")
  let end = lines.endsWith(" ") ? lines.length - 1 : lines.length
  while (lines.startsWith("\r\n", end - 2) && end >= 2) end -= 2
  const text = lines.slice(0, end)
  return createHash("sha256")
    .update(text === "" ? "" : `${text}\r\n`, "latin1")
    .digest("base64")
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
