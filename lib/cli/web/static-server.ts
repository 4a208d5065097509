import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { chosenCoding } from "@/lib/cli/web/encoding-rules"
import { codings, compressedFile, staticFiles, type Coding, type StaticFile } from "@/lib/cli/web/static-folders"

type Served = StaticFile & { codings: Coding[] }
type Representation = { bytes: Buffer; tag: string }

/**
 * Answers requests for the files of the build before Next, which would compress them anew for each. The paths are those that are there
 * when the process starts, so that no request can name another file; false leaves to Next what is none of them.
 */
export function createStaticServer(root = process.cwd()) {
  const files = new Map(staticFiles(root).flatMap((file) => served(root, file)))
  // At most what the build has written, a few megabytes.
  const read = new Map<string, Representation>()

  const representation = (file: string): Representation | null => {
    const known = read.get(file)
    if (known) return known
    const bytes = bytesOf(file)
    const fresh = bytes && { bytes, tag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` }
    if (fresh) read.set(file, fresh)
    return fresh
  }

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const [path = ""] = (request.url ?? "").split("?", 1)
    const found = files.get(path)
    // Browsers ask for whole scripts; who wants a part gets it from Next.
    if (!found || !["GET", "HEAD"].includes(request.method ?? "") || request.headers.range) return false
    const coding = chosenCoding(request.headers["accept-encoding"], found.codings)
    const sent = representation(coding ? compressedFile(root, coding, path) : found.file)
    if (!sent) return false
    const { bytes, tag } = sent
    const headers = {
      "Cache-Control": "public, max-age=31536000, immutable",
      ETag: tag,
      ...(found.shrinks ? { Vary: "Accept-Encoding" } : {}),
    }
    if (isKnown(request.headers["if-none-match"], tag)) {
      response.writeHead(304, headers).end()
      return true
    }
    response.writeHead(200, {
      ...headers,
      "Content-Type": found.type,
      "Content-Length": String(bytes.length),
      ...(coding ? { "Content-Encoding": coding } : {}),
    })
    response.end(request.method === "HEAD" ? undefined : bytes)
    return true
  }
}

/** A file that shrinks and was not compressed, as by a plain `next build`, is left to Next, which compresses it. */
function served(root: string, file: StaticFile): [string, Served][] {
  const there = codings.filter((coding) => existsSync(compressedFile(root, coding, file.path)))
  return there.length === 0 && file.shrinks ? [] : [[file.path, { ...file, codings: there }]]
}

/** Null for a file that is gone, because another build began beside this process. */
function bytesOf(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}

function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""))
  return tags.includes(tag) || tags.includes("*")
}
