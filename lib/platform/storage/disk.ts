import { createReadStream } from "node:fs"
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { randomUUID } from "node:crypto"
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
      await mkdir(dirname(path), { recursive: true })
      await writeWhole(path, bytes)
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

/** Readers never see half a file, and a file that is there survives a power cut. */
async function writeWhole(path: string, bytes: Uint8Array) {
  const beside = `${path}.${randomUUID()}.part`
  const file = await open(beside, "wx", 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(beside, path)
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
