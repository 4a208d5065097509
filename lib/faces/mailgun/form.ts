import busboy from "busboy"
import type { Asked } from "@/lib/platform/http/asked"
import { requestInvalid, unsupportedMediaType } from "@/lib/platform/http/problems"
import { readBytes } from "@/lib/platform/http/request-body"

/** Of a form: a thousand recipients, and the rest. */
const partsMax = 2_000

type Value = string | { filename: string; contentType: string; content: string }

/**
 * A form, multipart or URL-encoded, as JSON: repeated fields are lists, files their content in base64, and the fields of a prefix
 * (`h:X-Order`) members of an object (`h`).
 * @throws requestTooLarge, requestTimeout, requestInvalid, unsupportedMediaType
 */
export async function formAsJson(asked: Asked, bytesMax: number): Promise<Uint8Array> {
  const type = asked.headers.get("content-type") ?? ""
  const bytes = Buffer.from(await readBytes(asked, bytesMax))
  if (/^multipart\/form-data\b/i.test(type)) return jsonOf(await multipartFields(bytes, type))
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    const fields = [...new URLSearchParams(bytes.toString())]
    if (fields.length > partsMax) throw tooMany()
    return jsonOf(fields)
  }
  throw unsupportedMediaType("This operation takes a form: multipart/form-data or application/x-www-form-urlencoded.")
}

function tooMany() {
  return requestInvalid(`A form has at most ${partsMax} fields and files.`)
}

function multipartFields(bytes: Buffer, type: string): Promise<[string, Value][]> {
  const fields: [string, Value][] = []
  const malformed = () => requestInvalid("The form is malformed or cut short.")
  return new Promise((resolve, reject) => {
    let form: busboy.Busboy
    try {
      form = busboy({
        headers: { "content-type": type },
        limits: { parts: partsMax, fieldSize: bytes.length, fileSize: bytes.length, headerPairs: 20 },
        defParamCharset: "utf8",
      })
    } catch {
      return reject(requestInvalid("The form has no usable boundary."))
    }
    form.on("field", (name, value) => fields.push([name, value]))
    form.on("file", (name, file, { filename, mimeType }) => {
      const chunks: Buffer[] = []
      file.on("error", () => reject(malformed()))
      file.on("data", (chunk: Buffer) => chunks.push(chunk))
      file.on("end", () => {
        const content = Buffer.concat(chunks).toString("base64")
        fields.push([name, { filename: filename ?? "", contentType: mimeType, content }])
      })
    })
    form.on("partsLimit", () => reject(tooMany()))
    form.on("error", () => reject(malformed()))
    form.on("close", () => resolve(fields))
    form.end(bytes)
  })
}

function jsonOf(fields: readonly (readonly [string, Value])[]): Uint8Array {
  const values = new Map<string, Value[]>()
  for (const [name, value] of fields) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  const plain: [string, unknown][] = []
  const prefixed: Record<string, [string, unknown][]> = { h: [], v: [] }
  for (const [name, all] of values) {
    const value = all.length === 1 ? all[0] : all
    const [, prefix = "", rest = ""] = /^([hv]):(.+)$/s.exec(name) ?? []
    if (prefix === "") plain.push([name, value])
    else prefixed[prefix]?.push([rest, value])
  }
  for (const [prefix, members] of Object.entries(prefixed))
    if (members.length > 0) plain.push([prefix, Object.fromEntries(members)])
  return Buffer.from(JSON.stringify(Object.fromEntries(plain)))
}
