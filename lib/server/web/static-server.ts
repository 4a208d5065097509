import { createHash } from "node:crypto"
import { existsSync, readFileSync, readdirSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { extname, join, sep } from "node:path"

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
    if (!found || !["GET", "HEAD"].includes(request.method ?? "")) return false
    const { range, "if-range": ifRange } = request.headers
    const wantsPart = request.method === "GET" && range !== undefined
    // A part is one of the file itself; browsers ask for whole scripts.
    const coding = wantsPart ? null : chosenCoding(request.headers["accept-encoding"], found.codings)
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
    const part = wantsPart && (ifRange === undefined || ifRange === tag) ? partOf(range, bytes.length) : null
    if (part === "unsatisfiable") {
      response.writeHead(416, { ...headers, "Content-Range": `bytes */${bytes.length}`, "Content-Length": "0" }).end()
      return true
    }
    const body = part ? bytes.subarray(part.start, part.end + 1) : bytes
    response.writeHead(part ? 206 : 200, {
      ...headers,
      "Accept-Ranges": "bytes",
      "Content-Type": found.type,
      "Content-Length": String(body.length),
      ...(coding ? { "Content-Encoding": coding } : {}),
      ...(part ? { "Content-Range": `bytes ${part.start}-${part.end}/${bytes.length}` } : {}),
    })
    response.end(request.method === "HEAD" ? undefined : body)
    return true
  }
}

type Part = { start: number; end: number }

/** The part that a Range header asks for (RFC 9110, 14.1); null for the whole, as with one that is malformed or asks for several. */
function partOf(range: string, length: number): Part | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=([0-9]*)-([0-9]*)$/.exec(range.trim()) ?? []
  if (first === "" && last === "") return null
  const start = first === "" ? Math.max(0, length - Number(last)) : Number(first)
  const end = first === "" || last === "" ? length - 1 : Math.min(Number(last), length - 1)
  if (first !== "" && last !== "" && Number(last) < start) return null
  return start < length && end >= start ? { start, end } : "unsatisfiable"
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

/** The files of the build, which never change under their name, and where they are served. */
const folder = join(".next", "static")
const prefix = "/_next/static/"

/** As Next names them. */
const types: Record<string, { type: string; shrinks: boolean }> = {
  ".js": { type: "application/javascript; charset=UTF-8", shrinks: true },
  ".css": { type: "text/css; charset=UTF-8", shrinks: true },
  ".json": { type: "application/json; charset=UTF-8", shrinks: true },
  ".svg": { type: "image/svg+xml", shrinks: true },
  ".txt": { type: "text/plain; charset=UTF-8", shrinks: true },
  ".woff2": { type: "font/woff2", shrinks: false },
}

/** The better one first; both are written by the build. */
export const codings = ["br", "gzip"] as const
export type Coding = (typeof codings)[number]

type StaticFile = { path: string; file: string; type: string; shrinks: boolean }

/** The files that are there now. */
export function staticFiles(root: string): StaticFile[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).flatMap((name) => {
    const known = types[extname(name)]
    return known ? [{ path: prefix + name.replaceAll(sep, "/"), file: join(root, folder, name), ...known }] : []
  })
}

/** Where the build keeps what it compressed; `next build` empties the folder. */
export function compressedFile(root: string, coding: Coding, path: string): string {
  return join(root, ".next", "compressed", coding, path)
}

/** Types that shrink to a fraction: JSON, problems, CSV and NDJSON. Never a stream of events, which would wait in the compressor. */
const shrinking = /^(application\/(json|problem\+json|x-ndjson)|text\/csv)\s*(;|$)/i
/** Below this, compressing costs more than the bytes that it saves. */
const bytesMin = 1024

/** Whether an answer depends on `Accept-Encoding`; every one of such a type says so in `Vary`. */
export function mayShrink(contentType: string | undefined): boolean {
  return shrinking.test(contentType ?? "")
}

/** Whether an answer of such a type is sent as gzip; `bytes` is null for a stream, whose length nobody knows. */
export function isCompressed(acceptEncoding: string | undefined, bytes: number | null): boolean {
  return (bytes === null || bytes >= bytesMin) && chosenCoding(acceptEncoding, ["gzip"]) !== undefined
}

/**
 * The coding that a client wants most of those that are there, the first of equals; undefined sends the bytes as they are. RFC 9110,
 * 12.5.3: `q=0` refuses a coding, and `*` speaks for those that are not named.
 */
export function chosenCoding<Coding extends string>(
  acceptEncoding: string | undefined,
  offered: readonly Coding[],
): Coding | undefined {
  const weights = new Map<string, number>()
  for (const item of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [coding = "", weight] = item.split(";").map((part) => part.trim())
    weights.set(coding, weight?.startsWith("q=") ? Number(weight.slice(2)) : 1)
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get("*") ?? 0
  const [best] = offered.filter((coding) => weightOf(coding) > 0).sort((a, b) => weightOf(b) - weightOf(a))
  return best
}
