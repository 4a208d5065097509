/** What ends a message in DATA. */
export const endOfData = Buffer.from(".\r\n")

/**
 * A message as it goes on the wire after DATA, without the final dot line: only CRLF line breaks, a dot before every
 * line that begins with one, CRLF at the end (RFC 5321 section 4.5.2). A bare CR or LF is never sent, because some
 * servers read one as a line break and find the end of data there.
 */
export function wireForm(message: Buffer): Buffer {
  if (isWireForm(message)) return message
  const text = message.toString("latin1")
  const lines = text.replace(/\r\n|\r|\n/g, "\r\n").replace(/^\.|(?<=\r\n)\./g, "..")
  return Buffer.from(lines.endsWith("\r\n") ? lines : `${lines}\r\n`, "latin1")
}

const [lf, cr, dot] = [0x0a, 0x0d, 0x2e]

/** Checks line breaks only: messages that we compose need no change. */
function isWireForm(message: Buffer): boolean {
  for (let begin = 0; begin < message.length;) {
    const end = message.indexOf(cr, begin)
    if (end === -1 || message.indexOf(lf, begin) !== end + 1 || message[begin] === dot) return false
    begin = end + 2
  }
  return message.length > 0
}
