import { arrayBuffer } from "node:stream/consumers"
import { log } from "@/lib/platform/log"
import { isKey } from "@/lib/platform/storage/store"
import { storage } from "@/lib/platform/storage/storage"

const withinMs = 30_000
const retryAfterSeconds = 5

/**
 * An uploaded picture, shown from our own origin. Its key cannot be guessed and its bytes never change; should it ever be
 * opened as a page, it can run nothing. Only keys below `prefix` are shown. It is read before it is announced, so that a storage
 * that fails on the way is an answer of 503 instead of half a picture.
 */
export async function showFile(key: string, prefix: string): Promise<Response> {
  if (!isKey(key) || !key.startsWith(prefix)) return missing()
  try {
    const found = await read(key)
    if (!found) return missing()
    return new Response(found.bytes, {
      headers: {
        ...headers,
        "Content-Type": found.contentType,
        "Content-Length": String(found.bytes.byteLength),
        "Content-Disposition": "inline",
        "Cache-Control": "public, max-age=31536000, immutable",
      },
    })
  } catch (error) {
    log.error({ err: error, key }, "a stored file could not be read")
    return new Response("The storage of files does not answer. Try again in a moment.\n", {
      status: 503,
      headers: { ...headers, "Cache-Control": "no-store", "Retry-After": String(retryAfterSeconds) },
    })
  }
}

async function read(key: string): Promise<{ bytes: ArrayBuffer; contentType: string } | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The file did not come within 30 s.")), withinMs)
  })
  const reading = (async () => {
    const found = await (await storage()).get(key)
    return found && { bytes: await arrayBuffer(found.stream as never), contentType: found.contentType }
  })()
  return Promise.race([reading, late]).finally(() => clearTimeout(timer))
}

function missing(): Response {
  return new Response("There is no such file.\n", { status: 404, headers })
}

const headers = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Referrer-Policy": "no-referrer",
}
