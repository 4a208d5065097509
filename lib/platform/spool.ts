import { createWriteStream } from "node:fs"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream as NodeReadableStream } from "node:stream/web"
import { requestTimeout, requestTooLarge } from "@/lib/platform/problems"
import { Problem } from "@/lib/platform/problem"

export type Spooled = { path: string; bytes: number; remove(): Promise<void> }

const silenceMaxMs = 30_000

/**
 * Writes the body of a request to a file of this machine as it arrives; memory holds a few chunks of it.
 * @throws Problem request.too_large over `bytesMax`, request.timeout when nothing arrives for 30 s
 */
export async function spool(request: Request, bytesMax: number): Promise<Spooled> {
  const folder = await mkdtemp(join(tmpdir(), "mailroom-body-"))
  const path = join(folder, "body")
  const remove = () => rm(folder, { recursive: true, force: true })
  const silence = new AbortController()
  const give = () => silence.abort(requestTimeout("Nothing arrived for 30 seconds."))
  let timer = setTimeout(give, silenceMaxMs)
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      clearTimeout(timer)
      timer = setTimeout(give, silenceMaxMs)
      bytes += chunk.length
      done(bytes > bytesMax ? requestTooLarge(`The body may hold ${bytesMax} bytes.`) : null, chunk)
    },
  })
  try {
    const source = Readable.fromWeb((request.body ?? new Blob([]).stream()) as NodeReadableStream)
    await pipeline(source, counted, createWriteStream(path, { mode: 0o600 }), { signal: silence.signal })
    return { path, bytes: (await stat(path)).size, remove }
  } catch (error) {
    await remove()
    if (silence.signal.aborted) throw silence.signal.reason
    if (error instanceof Problem) throw error
    throw request.signal.aborted ? requestTimeout("The caller went away.") : error
  } finally {
    clearTimeout(timer)
  }
}
