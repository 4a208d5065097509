const LF = 10
const CR = 13
const utf8Bom = [0xef, 0xbb, 0xbf]

/**
 * Finds on which line of a file a row begins, as an editor numbers lines: LF, CRLF and CR each end one, within quotes
 * or not. Rows are asked for in their order; memory holds what was added and not yet asked for.
 */
export function createLineCounter() {
  const waiting: Uint8Array[] = []
  let at = 0
  let passed = 0
  let line = 1
  let afterCr = false

  function next(): number | undefined {
    while (waiting[0] && at === waiting[0].length) {
      waiting.shift()
      at = 0
    }
    return waiting[0]?.[at]
  }

  function pass(byte: number) {
    if (byte === CR || (byte === LF && !afterCr)) line += 1
    afterCr = byte === CR
    at += 1
    passed += 1
  }

  return {
    add(chunk: Uint8Array) {
      waiting.push(chunk)
    },

    /** The line of the next row, past the empty lines before it. */
    nextRow(): number {
      for (
        let byte = next();
        byte === LF || byte === CR || (byte !== undefined && byte === utf8Bom[passed]);
        byte = next()
      )
        pass(byte)
      return line
    },

    /** Goes on to the row that begins at this byte of the file or after it. */
    passTo(end: number) {
      for (let byte = next(); byte !== undefined && passed < end; byte = next()) pass(byte)
    },
  }
}
