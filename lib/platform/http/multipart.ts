import busboy from "busboy"
import { Readable } from "node:stream"
import type { ReadableStream as NodeReadableStream } from "node:stream/web"
import type { Problem } from "@/lib/platform/http/problem"
import { requestInvalid, requestTimeout, requestTooLarge } from "@/lib/platform/http/problems"

export type OneFile = {
  /** Name of the form field. */
  field: string
  bytesMax: number
  tooLarge(): Problem
}

const silenceMaxMs = 30_000
/** Milliseconds; five megabytes come within it over a line of 70 kbit/s. */
const wholeMaxMs = 10 * 60_000
const partsMax = 8
/** Of everything that is not the file: boundaries, headers of parts. */
const overheadBytesMax = 64 * 1024

/**
 * The one file of a form (RFC 7578), read as a stream that is cut off at the first byte too many. Exactly one part, in
 * the field that is asked for.
 * @throws Problem request.invalid with pointer `form/<field>`, the caller's `tooLarge`, request.timeout when nothing arrives for 30 s
 * or the form has no end after 10 minutes
 */
export async function readOneFile(request: Request, { field, bytesMax, tooLarge }: OneFile): Promise<Buffer> {
  const form = formReader(request, bytesMax, field)
  const source = Readable.fromWeb((request.body ?? new Blob([]).stream()) as NodeReadableStream)
  const chunks: Buffer[] = []
  let files = 0
  let arrived = 0
  const cutShort = () => wrong(field, "The form is malformed or cut short.")

  return new Promise<Buffer>((resolve, reject) => {
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

    form.on("file", (name, file) => {
      files += 1
      if (name !== field || files > 1) {
        file.resume()
        return refuse(
          wrong(field, files > 1 ? "Exactly one file is taken." : `The file must be in the field "${field}".`),
        )
      }
      file.on("data", (chunk: Buffer) => chunks.push(chunk))
      file.on("limit", () => refuse(tooLarge()))
      file.on("error", () => refuse(cutShort()))
    })
    form.on("field", () => refuse(wrong(field, `The form takes one file in the field "${field}" and nothing else.`)))
    form.on("partsLimit", () => refuse(wrong(field, "The form has too many parts.")))
    form.on("error", () => refuse(cutShort()))
    form.on("close", () => {
      end()
      if (files === 0) return reject(wrong(field, "A file must be given."))
      resolve(Buffer.concat(chunks))
    })
    source.on("error", () => refuse(requestTimeout("The client disconnected.")))
    source.on("data", (chunk: Buffer) => {
      silence.refresh()
      arrived += chunk.length
      if (arrived > bytesMax + overheadBytesMax)
        refuse(requestTooLarge(`The body may hold ${bytesMax + overheadBytesMax} bytes.`))
    })
    source.pipe(form)
  })
}

function formReader(request: Request, bytesMax: number, field: string) {
  const contentType = request.headers.get("content-type") ?? ""
  try {
    // RFC 2046 section 5.1.1: no boundary is longer.
    if (/boundary="?[^";]{71}/i.test(contentType)) throw new Error("too long")
    return busboy({
      headers: { "content-type": contentType },
      limits: { files: 2, fields: 1, parts: partsMax, fileSize: bytesMax + 1, fieldSize: 1024, headerPairs: 20 },
    })
  } catch {
    throw wrong(field, "The form has no usable boundary.")
  }
}

function wrong(field: string, detail: string): Problem {
  return requestInvalid(detail, { errors: [{ pointer: `form/${field}`, detail }] })
}
