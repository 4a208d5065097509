import { existsSync, readdirSync } from "node:fs"
import { extname, join, sep } from "node:path"

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

export type StaticFile = { path: string; file: string; type: string; shrinks: boolean }

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
