import { isKey } from "@/lib/platform/storage/store"
import { storage } from "@/lib/platform/storage/storage"

/**
 * Serves uploaded pictures from our own origin. Their keys cannot be guessed and their bytes never change; should one ever
 * be opened as a page, it can run nothing.
 */
export async function GET(_request: Request, { params }: RouteContext<"/files/[...key]">): Promise<Response> {
  const key = (await params).key.join("/")
  const found = isKey(key) && key.startsWith("images/") ? await (await storage()).get(key) : null
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
