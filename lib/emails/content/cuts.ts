/** Where a file belongs: its position in the rest of the message, and its index in the list of files. */
export type Cut = [at: number, file: number]

/** A composed message without the files that are stored once for all messages of its send. */
type CutMessage = { rest: Buffer; cuts: Cut[] }

/** Encoded files of fewer octets stay in the message. */
const leastBytes = 1024

/**
 * Takes the files out of a composed message, wherever one of its parts holds their base64 lines. `putIn` gives the same octets again,
 * whatever else composing depends on: the rest of the message is stored as it was signed.
 */
export function takeOut(raw: Buffer, files: readonly Buffer[]): CutMessage {
  const bodies = largeBodies(raw)
  const found: Found[] = []
  for (const [index, file] of files.entries()) {
    const encoded = Buffer.from(base64Lines(file), "latin1")
    const ofItsLength = bodies.get(encoded.length) ?? []
    const at = ofItsLength.findIndex((from) => encoded.equals(raw.subarray(from, from + encoded.length)))
    // Two attachments may be the same file: each has a body of its own.
    const [from] = at < 0 ? [] : ofItsLength.splice(at, 1)
    if (from !== undefined) found.push({ index, from, to: from + encoded.length })
  }
  const pieces: Buffer[] = []
  const cuts: Cut[] = []
  let rest = 0
  let end = 0
  for (const { index, from, to } of found.toSorted((one, other) => one.from - other.from)) {
    pieces.push(raw.subarray(end, from))
    rest += from - end
    cuts.push([rest, index])
    end = to
  }
  return { rest: Buffer.concat([...pieces, raw.subarray(end)]), cuts }
}

type Found = { index: number; from: number; to: number }

const [headEnd, boundaryStart] = [Buffer.from("\r\n\r\n"), Buffer.from("\r\n--")]

/**
 * Where the bodies begin that may be files, by their length: from an empty line to the next boundary, which no base64 line begins like.
 * Searching the whole message for a file takes time that grows with the square of the size where files are alike.
 */
function largeBodies(raw: Buffer): Map<number, number[]> {
  const bodies = new Map<number, number[]>()
  for (let at = raw.indexOf(headEnd); at >= 0;) {
    const from = at + headEnd.length
    // The empty line may be the last before a boundary.
    const to = raw.indexOf(boundaryStart, from - 2)
    if (to < 0) break
    const length = to - from
    const alike = bodies.get(length)
    if (alike) alike.push(from)
    else if (length >= leastBytes) bodies.set(length, [from])
    at = raw.indexOf(headEnd, to)
  }
  return bodies
}

/** The message as it was composed and signed. */
export function putIn({ rest, cuts }: CutMessage, files: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = []
  let end = 0
  for (const [at, index] of cuts) {
    const file = files[index]
    if (!file) throw new Error("An attachment of the composed message is missing.")
    pieces.push(rest.subarray(end, at), Buffer.from(base64Lines(file), "latin1"))
    end = at
  }
  return Buffer.concat([...pieces, rest.subarray(end)])
}

const columns = 76

/** Lines of 76 columns without a line break after the last (RFC 2045 section 6.8). */
export function base64Lines(bytes: Buffer): string {
  const text = bytes.toString("base64")
  if (text.length <= columns) return text
  // Copying is three times as fast as a regular expression over ten mebibytes.
  const source = Buffer.from(text, "latin1")
  const lines = Math.ceil(source.length / columns)
  const out = Buffer.allocUnsafe(source.length + (lines - 1) * 2)
  let to = 0
  for (let from = 0; from < source.length; from += columns) {
    if (from > 0) to += out.write("\r\n", to, "latin1")
    to += source.copy(out, to, from, from + columns)
  }
  return out.toString("latin1")
}
