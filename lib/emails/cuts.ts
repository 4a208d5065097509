import { base64Lines } from "@/lib/emails/base64-lines"

/** Where a file belongs: its position in what was kept, and its place in the list of files. */
export type Cut = [at: number, file: number]

/** A composed message without the files that are stored once for all messages of its send. */
export type CutMessage = { kept: Buffer; cuts: Cut[] }

/** Encoded files of fewer octets stay in the message. */
const leastBytes = 1024

/**
 * Takes the files out of a composed message, wherever it holds their base64 lines. `putIn` gives the same octets again,
 * whatever else composing depends on: the rest of the message is kept as it was signed.
 */
export function takeOut(raw: Buffer, files: readonly Buffer[]): CutMessage {
  const found = files
    .map((file, index) => ({ index, encoded: Buffer.from(base64Lines(file), "latin1") }))
    .filter(({ encoded }) => encoded.length >= leastBytes)
    .reduce<Found[]>((places, { index, encoded }) => {
      const from = freePlace(raw, encoded, places)
      return from < 0 ? places : [...places, { index, from, to: from + encoded.length }]
    }, [])
    .toSorted((one, other) => one.from - other.from)
  const pieces: Buffer[] = []
  const cuts: Cut[] = []
  let kept = 0
  let behind = 0
  for (const { index, from, to } of found) {
    pieces.push(raw.subarray(behind, from))
    kept += from - behind
    cuts.push([kept, index])
    behind = to
  }
  return { kept: Buffer.concat([...pieces, raw.subarray(behind)]), cuts }
}

type Found = { index: number; from: number; to: number }

/** The first occurrence that overlaps no other cut: two attachments may be the same file. */
function freePlace(raw: Buffer, encoded: Buffer, taken: readonly Found[]): number {
  let at = raw.indexOf(encoded)
  while (at >= 0) {
    const [start, end] = [at, at + encoded.length]
    const other = taken.find(({ from, to }) => from < end && start < to)
    if (!other) return at
    at = raw.indexOf(encoded, other.to)
  }
  return -1
}

/** The message as it was composed and signed. */
export function putIn({ kept, cuts }: CutMessage, files: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = []
  let behind = 0
  for (const [at, index] of cuts) {
    const file = files[index]
    if (!file) throw new Error("An attachment of the composed message is missing.")
    pieces.push(kept.subarray(behind, at), Buffer.from(base64Lines(file), "latin1"))
    behind = at
  }
  return Buffer.concat([...pieces, kept.subarray(behind)])
}
