import type { Asked } from "@/lib/platform/http/asked"
import type { Endpoint } from "@/lib/platform/http/endpoint"
import { Faults } from "@/lib/platform/http/faults"
import { parseJson, parseLargeJson } from "@/lib/platform/http/json"
import { createShare } from "@/lib/platform/http/share"
import { bodyTooLarge, requestTimeout, unsupportedMediaType } from "@/lib/platform/http/problems"

const defaultBodyBytesMax = 2 ** 20
/** Without a credential: the largest of these bodies is a form of a few fields. */
const publicBodyBytesMax = 16 * 1024
const bodyWaitMs = 30_000

/** Refuses a body by its headers alone. @throws requestTooLarge, unsupportedMediaType */
export function refuseSizeAndType(endpoint: Endpoint, asked: Asked) {
  if (!endpoint.body && !endpoint.bodyStream) return
  const bytesMax = bodyBytesMaxOf(endpoint)
  if (Number(asked.headers.get("content-length") ?? 0) > bytesMax) throw bodyTooLarge(bytesMax)
  const type = asked.headers.get("content-type") ?? ""
  const wanted = endpoint.bodyStream ?? "application/json"
  const [mediaType = "", ...parameters] = type
    .toLowerCase()
    .split(";")
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))
  const encoding = asked.headers.get("content-encoding")
  if (mediaType !== wanted)
    throw unsupportedMediaType(`This operation takes ${wanted}, not ${mediaType || "a body without a type"}.`)
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) throw unsupportedMediaType("The body must be UTF-8.")
  if (encoding && encoding !== "identity") throw unsupportedMediaType("The body must not be compressed.")
}

function bodyBytesMaxOf({ access, bodyBytesMax }: Endpoint): number {
  return bodyBytesMax ?? (access.credential === "none" ? publicBodyBytesMax : defaultBodyBytesMax)
}

/**
 * Large bodies of one owner are parsed one at a time, with a rest of the same length: others come in between.
 * @throws JsonInvalid, requestTooLarge, requestTimeout
 */
export async function readJson(endpoint: Endpoint, asked: Asked, owner: string): Promise<unknown> {
  const bytes = await readBytes(asked, bodyBytesMaxOf(endpoint))
  return bytes.length <= largeBytes
    ? parseJson(bytes, endpoint.bodyPartsMax)
    : parsing(owner, () => parseLargeJson(bytes, endpoint.bodyPartsMax))
}

const largeBytes = 256 * 1024
const parsing = createShare()

/** For an operation that acts on everything. @throws requestInvalid unless the body is empty or `{}` */
export async function refuseChoice(asked: Asked) {
  const bytes = await readBytes(asked, publicBodyBytesMax)
  const text = new TextDecoder().decode(bytes).trim()
  if (text === "" || /^\{\s*\}$/.test(text)) return
  const faults = new Faults()
  faults.add("", "This operation acts on everything and takes no body: leave it out, or send {}.")
  throw faults.problem()
}

/** Reads a body of at most `bytesMax`, within 30 s. */
export async function readBytes(asked: Asked, bytesMax: number): Promise<Uint8Array> {
  if (asked.readAtMost) return asked.readAtMost(bytesMax, bodyWaitMs)
  const reader = asked.body?.getReader()
  if (!reader) return new Uint8Array()
  let late = false
  const timer = setTimeout(() => {
    late = true
    reader.cancel().catch(() => undefined)
  }, bodyWaitMs)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (late) throw requestTimeout()
      if (done) break
      length += value.byteLength
      if (length > bytesMax) {
        reader.cancel().catch(() => undefined)
        throw bodyTooLarge(bytesMax)
      }
      chunks.push(value)
    }
  } finally {
    clearTimeout(timer)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)
}
