/** What ends a message in DATA. */
export const endOfData = Buffer.from(".\r\n")

/**
 * A message as it goes on the wire after DATA, without the final dot line: only CRLF line breaks, a dot before every
 * line that begins with one, CRLF at the end (RFC 5321 section 4.5.2). A bare CR or LF never leaves, because some
 * servers take one for a line break and see the end of data there.
 */
export function wireForm(message: Buffer): Buffer {
  const text = message.toString("latin1")
  const clean = !/\r(?!\n)|(?<!\r)\n|\r\n\./.test(text) && !text.startsWith(".")
  if (clean && text.endsWith("\r\n")) return message
  const lines = text.replace(/\r\n|\r|\n/g, "\r\n").replace(/^\.|(?<=\r\n)\./g, "..")
  return Buffer.from(lines.endsWith("\r\n") ? lines : `${lines}\r\n`, "latin1")
}
