import busboy from "busboy"
import { isUtf8 } from "node:buffer"
import { Readable, Transform } from "node:stream"
import type { ReadableStream as NodeReadableStream } from "node:stream/web"
import type { Asked } from "@/lib/platform/http/endpoint"
import { Problem } from "@/lib/platform/http/problem"
import { bodyTooLarge, requestInvalid, requestTimeout, serviceUnavailable } from "@/lib/platform/http/problems"
import { createWriteStream } from "node:fs"
import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { hourMs } from "@/lib/platform/time"

type OneFile = {
  /** Name of the form field. */
  field: string
  bytesMax: number
  tooLarge(): Problem
}

const silenceMaxMs = 30_000
/** Milliseconds; five megabytes come within it over a line of 70 kbit/s. */
const wholeMaxMs = 10 * 60_000
/** Beside the files. */
const partsMax = 7
/** Of everything that is not the file: boundaries, headers of parts. */
const overheadBytesMax = 64 * 1024

/**
 * The one file of a form (RFC 7578), read as a stream that is cut off at the first byte too many. Exactly one part, in
 * the field that is asked for.
 * @throws Problem request.invalid with pointer `form/<field>`, the caller's `tooLarge`, request.timeout when nothing arrives for 30 s
 * or the form has no end after 10 minutes
 */
export async function readOneFile(
  request: Pick<Asked, "headers" | "body">,
  { field, bytesMax, tooLarge }: OneFile,
): Promise<Buffer> {
  const [file] = await readForm(request, {
    ...{ field, filesMax: 1, fileBytesMax: bytesMax, bytesMax: bytesMax + overheadBytesMax },
    takes: "one file",
    tooMany: "Exactly one file is taken.",
    tooLarge,
  })
  if (!file?.bytes) throw new Error("A form without its file.")
  return file.bytes
}

type ManyFiles = { field: string; filesMax: number; fileBytesMax: number; bytesMax: number }

/** `bytes` is null for a file that is larger than the form allows for one. */
type FormFile = { name: string; bytes: Buffer | null }

/** All files of a form in the given field. @throws like `readOneFile` */
export function readFiles(request: Pick<Asked, "headers" | "body">, wanted: ManyFiles): Promise<FormFile[]> {
  const tooMany = `At most ${wanted.filesMax} files are taken.`
  return readForm(request, { ...wanted, takes: "files", tooMany, tooLarge: null })
}

type Form = ManyFiles & { takes: string; tooMany: string; tooLarge: (() => Problem) | null }

async function readForm(request: Pick<Asked, "headers" | "body">, wanted: Form): Promise<FormFile[]> {
  const { field, filesMax, bytesMax, tooLarge } = wanted
  const form = formReader(request, wanted)
  const source = Readable.fromWeb((request.body ?? new Blob([]).stream()) as NodeReadableStream)
  const files: { name: string; chunks: Buffer[]; isTooLarge: boolean }[] = []
  let arrived = 0
  const cutShort = () => wrong(field, "The form is malformed or cut short.")

  return new Promise<FormFile[]>((resolve, reject) => {
    const tooLong = setTimeout(() => refuse(requestTimeout("The form did not end within 10 minutes.")), wholeMaxMs)
    const giveUp = () => refuse(requestTimeout("Nothing arrived for 30 seconds."))
    const silence = setTimeout(giveUp, silenceMaxMs)
    const end = () => {
      clearTimeout(tooLong)
      clearTimeout(silence)
      source.unpipe(form)
      source.destroy()
      form.removeAllListeners("close")
    }
    const refuse = (problem: Problem) => {
      end()
      reject(problem)
    }

    form.on("file", (name, stream, info) => {
      if (name !== field || files.length === filesMax) {
        stream.resume()
        return refuse(wrong(field, name === field ? wanted.tooMany : `The file must be in the field "${field}".`))
      }
      // Browsers send a name.
      const file = { name: info.filename ?? "", chunks: [] as Buffer[], isTooLarge: false }
      files.push(file)
      stream.on("data", (chunk: Buffer) => file.isTooLarge || file.chunks.push(chunk))
      stream.on("limit", () => {
        if (tooLarge) return refuse(tooLarge())
        file.isTooLarge = true
        file.chunks = []
      })
      stream.on("error", () => refuse(cutShort()))
    })
    form.on("field", (name, value, { mimeType, valueTruncated }) => {
      if (name !== field || !isFile(value, mimeType))
        return refuse(wrong(field, `The form takes ${wanted.takes} in the field "${field}" and nothing else.`))
      if (files.length === filesMax) return refuse(wrong(field, wanted.tooMany))
      if (valueTruncated && tooLarge) return refuse(tooLarge())
      files.push({ name: "", chunks: valueTruncated ? [] : [bytesOf(value, mimeType)], isTooLarge: valueTruncated })
    })
    form.on("partsLimit", () => refuse(wrong(field, "The form has too many parts.")))
    form.on("error", () => refuse(cutShort()))
    form.on("close", () => {
      end()
      if (files.length === 0) return reject(wrong(field, "A file must be given."))
      resolve(files.map(({ name, chunks, isTooLarge }) => ({ name, bytes: isTooLarge ? null : Buffer.concat(chunks) })))
    })
    source.on("error", () => refuse(requestTimeout("The client disconnected.")))
    source.on("data", (chunk: Buffer) => {
      silence.refresh()
      arrived += chunk.length
      if (arrived > bytesMax) refuse(bodyTooLarge(bytesMax))
    })
    source.pipe(form)
  })
}

/** RFC 7578 section 4.2: a file need not have a name. A part without one is a file by its type, or by bytes that no text has. */
function isFile(value: string, mimeType: string): boolean {
  return mimeType !== "text/plain" || isBinary(value)
}

function isBinary(value: string): boolean {
  return /[\0-\x08\x0e-\x1f]/.test(value)
}

/** The octets of a part that was read as text: in Latin-1, unless the part named a character set. */
function bytesOf(value: string, mimeType: string): Buffer {
  const isOctets = !/[^\0-\xff]/.test(value)
  const octets = Buffer.from(value, "latin1")
  return isOctets && (isUtf8(octets) || isBinary(value) || !/^text\/|[/+]xml$/.test(mimeType))
    ? octets
    : Buffer.from(value)
}

function formReader(request: Pick<Asked, "headers">, { field, filesMax, fileBytesMax }: Form) {
  const contentType = request.headers.get("content-type") ?? ""
  const counts = { files: filesMax + 1, fields: filesMax + 1, parts: filesMax + partsMax }
  try {
    // RFC 2046 section 5.1.1: no boundary is longer.
    if (/boundary="?[^";]{71}/i.test(contentType)) throw new Error("too long")
    return busboy({
      headers: { "content-type": contentType },
      limits: { ...counts, fileSize: fileBytesMax + 1, fieldSize: fileBytesMax + 1, headerPairs: 20 },
      defCharset: "latin1",
      // RFC 7578 4.2: browsers write names in UTF-8.
      defParamCharset: "utf8",
    })
  } catch {
    throw wrong(field, "The form has no usable boundary.")
  }
}

function wrong(field: string, detail: string): Problem {
  return requestInvalid(detail, { errors: [{ pointer: `form/${field}`, detail }] })
}

type Spooled = { path: string; bytes: number; remove(): Promise<void> }

const prefix = "mailroom-body-"
const abandonedAfterMs = hourMs

/** Milliseconds; 256 MiB come within it over a line of 1.2 Mbit/s. */
const spoolMaxMs = 30 * 60_000

/** Bodies on disk at once: per owner, and in this process. */
const ownersMax = 3
const allMax = 12

let sweptAt = 0
const held = new Map<string, number>()

type Options = { bytesMax: number; /** Whose body it is: the organization. */ owner: string; now?: number }

/**
 * Writes the body of a request to a temporary file as it arrives; memory holds a few chunks of it. At most three files
 * per owner and twelve per process exist at once.
 * @throws Problem request.too_large over `bytesMax`, request.timeout when nothing arrives for 30 s or it has no end
 * after 30 minutes, service.unavailable
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
  const late = new AbortController()
  const giveUp = () => late.abort(requestTimeout("Nothing arrived for 30 seconds."))
  let timer = setTimeout(giveUp, silenceMaxMs)
  const tooLong = setTimeout(() => late.abort(requestTimeout("The body did not end within 30 minutes.")), spoolMaxMs)
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
    await pipeline(source, counted, createWriteStream(path, { mode: 0o600 }), { signal: late.signal })
    return { path, bytes: (await stat(path)).size, remove }
  } catch (error) {
    await remove()
    if (late.signal.aborted) throw late.signal.reason
    if (error instanceof Problem) throw error
    throw request.signal.aborted ? requestTimeout("The client disconnected.") : error
  } finally {
    clearTimeout(timer)
    clearTimeout(tooLong)
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
