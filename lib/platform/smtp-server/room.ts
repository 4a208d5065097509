import type { SMTPServerDataStream } from "smtp-server"

/** How many octets of messages are in memory at once, of everybody and of one owner. */
export function createRoom({ bytesMax, ownerBytesMax }: { bytesMax: number; ownerBytesMax: number }) {
  let held = 0
  const ofOwners = new Map<string, number>()

  function add(owner: string, bytes: number) {
    held += bytes
    const left = (ofOwners.get(owner) ?? 0) + bytes
    if (left > 0) ofOwners.set(owner, left)
    else ofOwners.delete(owner)
  }

  return {
    enter(owner: string) {
      let own = 0
      return {
        /** Whether there is room for more of this message. */
        take(bytes: number): boolean {
          if (held + bytes > bytesMax || (ofOwners.get(owner) ?? 0) + bytes > ownerBytesMax) return false
          own += bytes
          add(owner, bytes)
          return true
        },
        leave() {
          add(owner, -own)
          own = 0
        },
      }
    },
  }
}

/**
 * The message of a DATA command. Null if there was no room; the rest is then read to its end, so that we can respond, but not kept.
 * @throws when the connection ends before the message does
 */
export async function readAll(stream: SMTPServerDataStream, take: (bytes: number) => boolean): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let fits = true
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    fits &&= !stream.sizeExceeded && take(chunk.length)
    if (fits) chunks.push(chunk)
    else chunks.length = 0
  }
  return fits ? Buffer.concat(chunks) : null
}
