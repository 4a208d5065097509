import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { Readable } from "node:stream"
import { isKey, type ListedObject, type ObjectStore, type StoredObject } from "@/lib/platform/storage/store"

/** Objects as files below `folder`; the type of each follows from the ending of its key. */
export function diskStore(folder: string): ObjectStore {
  const pathOf = (key: string) => {
    if (!isKey(key)) throw new Error("This is not the key of an object.")
    return join(folder, key)
  }

  return {
    async put(key, bytes) {
      const path = pathOf(key)
      await writeWhole(path, (part) => writeFile(part, bytes))
    },

    async putFile(key, from) {
      const path = pathOf(key)
      await writeWhole(path, (part) => copyFile(from, part))
    },

    async get(key): Promise<StoredObject | null> {
      const path = pathOf(key)
      const found = await unlessMissing(stat(path))
      if (!found?.isFile()) return null
      const stream = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>
      return { stream, bytes: found.size, contentType: typeOf(key) }
    },

    async remove(key) {
      await rm(pathOf(key), { force: true })
    },

    list: (prefix) => filesBelow(folder, join(folder, prefix)),
  }
}

/**
 * Readers never see half a file, and a file that is there survives a power cut. A part that a crash leaves behind has a
 * key, so that it is listed and removed like any object that nobody uses.
 */
async function writeWhole(path: string, write: (part: string) => Promise<void>) {
  const part = `${path.slice(0, path.lastIndexOf("."))}-${randomUUID()}.part`
  await mkdir(dirname(path), { recursive: true })
  await write(part)
  const file = await open(part, "r+")
  try {
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, path)
}

async function* filesBelow(root: string, folder: string): AsyncIterable<ListedObject> {
  for (const entry of (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? []) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(root, path)
    const found = entry.isFile() ? await unlessMissing(stat(path)) : null
    if (found) yield { key: relative(root, path).replaceAll("\\", "/"), modifiedAt: found.mtime }
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === "ENOENT" || code === "ENOTDIR") return null
    throw error
  }
}

function typeOf(key: string): string {
  return types[key.slice(key.lastIndexOf(".") + 1)] ?? "application/octet-stream"
}

const types: Record<string, string> = { webp: "image/webp", csv: "text/csv; charset=utf-8" }
