import { createWriteStream } from "node:fs"
import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream as NodeReadableStream } from "node:stream/web"
import { hourMs } from "@/lib/platform/time"
import type { Asked } from "@/lib/platform/http/asked"
import { bodyTooLarge, requestTimeout, serviceUnavailable } from "@/lib/platform/http/problems"
import { Problem } from "@/lib/platform/http/problem"

export type Spooled = { path: string; bytes: number; remove(): Promise<void> }

const prefix = "mailroom-body-"
const silenceMaxMs = 30_000
const abandonedAfterMs = hourMs

/** Bodies on disk at once: per owner, and in this process. */
const ownersMax = 3
const allMax = 12

let sweptAt = 0
const held = new Map<string, number>()

type Options = { bytesMax: number; /** Whose body it is: the project. */ owner: string; now?: number }

/**
 * Writes the body of a request to a temporary file as it arrives; memory holds a few chunks of it. At most three files
 * per owner and twelve per process exist at once.
 * @throws Problem request.too_large over `bytesMax`, request.timeout when nothing arrives for 30 s, service.unavailable
 */
export async function spool(
  request: Pick<Asked, "body" | "signal">,
  { bytesMax, owner, now = Date.now() }: Options,
): Promise<Spooled> {
  const release = reserve(owner)
  try {
    const { remove, ...spooled } = await written(request, bytesMax, now)
    return { ...spooled, remove: () => remove().finally(release) }
  } catch (error) {
    release()
    throw error
  }
}

function reserve(owner: string): () => void {
  const mine = held.get(owner) ?? 0
  const all = [...held.values()].reduce((sum, count) => sum + count, 0)
  if (mine >= ownersMax || all >= allMax)
    throw serviceUnavailable("Too many files arrive at once.", { retryAfterSeconds: 5 })
  held.set(owner, mine + 1)
  return () => {
    const left = (held.get(owner) ?? 0) - 1
    if (left > 0) held.set(owner, left)
    else held.delete(owner)
  }
}

async function written(request: Pick<Asked, "body" | "signal">, bytesMax: number, now: number): Promise<Spooled> {
  if (now - sweptAt > abandonedAfterMs) await sweepAbandoned(now)
  const folder = await mkdtemp(join(tmpdir(), prefix))
  const path = join(folder, "body")
  const remove = () => rm(folder, { recursive: true, force: true })
  const silence = new AbortController()
  const giveUp = () => silence.abort(requestTimeout("Nothing arrived for 30 seconds."))
  let timer = setTimeout(giveUp, silenceMaxMs)
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      clearTimeout(timer)
      timer = setTimeout(giveUp, silenceMaxMs)
      bytes += chunk.length
      done(bytes > bytesMax ? bodyTooLarge(bytesMax) : null, chunk)
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
    throw request.signal.aborted ? requestTimeout("The client disconnected.") : error
  } finally {
    clearTimeout(timer)
  }
}

/** Removes bodies whose process was killed: a running process writes to or reads from its own within seconds. */
async function sweepAbandoned(now: number) {
  sweptAt = now
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const folder = join(tmpdir(), name)
    const found = await stat(join(folder, "body"))
      .catch(() => stat(folder))
      .catch(() => null)
    // Another user's folder cannot be removed: skip it.
    if (found && now - found.mtimeMs > abandonedAfterMs)
      await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}
