import { isKey } from "@/lib/platform/storage/store"
import { storage } from "@/lib/platform/storage/storage"

/**
 * An uploaded picture, shown from our own origin. Its key cannot be guessed and its bytes never change; should it ever be
 * opened as a page, it can run nothing. Only keys below `prefix` are shown.
 */
export async function showFile(key: string, prefix: string): Promise<Response> {
  const found = isKey(key) && key.startsWith(prefix) ? await (await storage()).get(key) : null
  if (!found) return new Response("There is no such file.\n", { status: 404, headers })
  return new Response(found.stream, {
    headers: {
      ...headers,
      "Content-Type": found.contentType,
      "Content-Length": String(found.bytes),
      "Content-Disposition": "inline",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  })
}

const headers = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Referrer-Policy": "no-referrer",
}
