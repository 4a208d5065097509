import { sameAgain } from "@/lib/delivery/message/same-again"
import { base64Lines } from "@/lib/emails/base64-lines"

export type EncodedBody = { encoding: "7bit" | "quoted-printable" | "base64"; body: string }

/** Longest encoded line (RFC 2045 section 6.7). */
const columnsMax = 76

/** Text with CRLF line breaks in the encoding that keeps it readable, or the shorter one where nothing does. */
export const encodeText: (text: string) => EncodedBody = sameAgain(encode, (one, other) => one === other, {
  least: 8 * 1024,
  most: 1024 * 1024,
})

function encode(text: string): EncodedBody {
  const lines = withCrlf(text)
  if (isSevenBit(lines)) return { encoding: "7bit", body: lines }
  const bytes = Buffer.from(lines)
  return prefersBase64(bytes)
    ? { encoding: "base64", body: base64Lines(bytes) }
    : { encoding: "quoted-printable", body: quotedPrintable(bytes) }
}

/** Stored text nearly always has no CR at all, and is done much faster then. */
function withCrlf(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n|\r|\n/g, "\r\n") : text.replaceAll("\n", "\r\n")
}

/** Short ASCII lines that no server on the way changes: mbox writers turn `From` into `>From`, broken servers lose dots. */
function isSevenBit(text: string): boolean {
  return /^[\t\r\n -~]*$/.test(text) && !/^(?:[^\r\n]{77}|From |\.)/m.test(text)
}

/** Quoted-printable costs two more octets for each odd one, base64 a third of everything. */
function prefersBase64(bytes: Buffer): boolean {
  let odd = 0
  for (const byte of bytes) if (byte > 0x7e) odd += 1
  return odd * 6 > bytes.length
}

const hexDigits = Buffer.from("0123456789ABCDEF")
const [tab, lf, cr, space, equals, dot, upperF] = [0x09, 0x0a, 0x0d, 0x20, 0x3d, 0x2e, 0x46]

/** By octet: printable, no space and no equals sign. */
const visible = Array.from({ length: 256 }, (_, byte) => byte > 0x20 && byte < 0x7f && byte !== equals)

/** RFC 2045 section 6.7 for UTF-8 with CRLF line breaks. A line never begins with a dot or with `From `. */
export function quotedPrintable(bytes: Buffer): string {
  // Three octets for each, and a soft break of three for every 60 or more of them.
  const out = Buffer.allocUnsafe(bytes.length * 3 + Math.ceil(bytes.length / 20) * 3 + 3)
  let length = 0
  let column = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (column > 0 && column < columnsMax - 1 && (visible[byte] || (byte === space && visible[bytes[at + 1] ?? 0]))) {
      out[length++] = byte
      column += 1
      continue
    }
    if (byte === cr && bytes[at + 1] === lf) {
      out[length++] = cr
      out[length++] = lf
      column = 0
      at += 1
      continue
    }
    const ends = at + 1 === bytes.length || (bytes[at + 1] === cr && bytes[at + 2] === lf)
    if (column + widthOf(bytes, at, column, ends) > columnsMax - (ends ? 0 : 1)) {
      out[length++] = equals
      out[length++] = cr
      out[length++] = lf
      column = 0
    }
    if (needsNoEncoding(bytes, at, column, ends)) {
      out[length++] = byte
      column += 1
    } else {
      out[length++] = equals
      out[length++] = hexDigits[byte >> 4] ?? 0
      out[length++] = hexDigits[byte & 15] ?? 0
      column += 3
    }
  }
  return out.toString("latin1", 0, length)
}

/** Columns that must stay on one line, so that no character is split. */
function widthOf(bytes: Buffer, at: number, column: number, ends: boolean): number {
  const byte = bytes[at] ?? 0
  if (byte < 0x80) return needsNoEncoding(bytes, at, column, ends) ? 1 : 3
  // The octets after the first fit, because the first has made room for them.
  if (byte < 0xc0) return 0
  return byte < 0xe0 ? 6 : byte < 0xf0 ? 9 : 12
}

function needsNoEncoding(bytes: Buffer, at: number, column: number, ends: boolean): boolean {
  const byte = bytes[at] ?? 0
  if (byte === space || byte === tab) return !ends
  if (!visible[byte]) return false
  if (column > 0) return true
  return byte !== dot && !(byte === upperF && bytes.toString("latin1", at, at + 5) === "From ")
}
