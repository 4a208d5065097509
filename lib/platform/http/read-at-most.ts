/** A body as text; null if there is more of it. */
export async function readAtMost(body: ReadableStream<Uint8Array> | null, bytesMax: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
