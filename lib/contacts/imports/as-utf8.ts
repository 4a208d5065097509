import { createReadStream, createWriteStream } from "node:fs"
import { rename, stat } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { createEncodingScan, type FileEncoding } from "@/lib/contacts/imports/encoding-rules"

/** Rewrites a file in UTF-8 unless it is; answers how it was written, and its size now. Memory holds a few chunks of it. */
export async function rewriteAsUtf8(path: string): Promise<{ encoding: FileEncoding; bytes: number }> {
  const encoding = await encodingOf(path)
  if (encoding !== "utf-8") {
    const rewritten = `${path}.utf-8`
    await pipeline(createReadStream(path), decoded(encoding), createWriteStream(rewritten, { mode: 0o600 }))
    await rename(rewritten, path)
  }
  return { encoding, bytes: (await stat(path)).size }
}

async function encodingOf(path: string): Promise<FileEncoding> {
  const scan = createEncodingScan()
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    scan.add(chunk)
    if (scan.decided()) break
  }
  return scan.encoding()
}

function decoded(encoding: FileEncoding) {
  return async function* (source: AsyncIterable<Buffer>) {
    const decoder = new TextDecoder(encoding)
    for await (const chunk of source) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }
}
