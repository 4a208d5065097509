import { randomUUID } from "node:crypto"
import { copyFile, mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { Readable } from "node:stream"
import { folderSynced } from "@/lib/platform/durable-file"
import { isKey, type ListedObject, type ObjectStore, type StoredObject } from "@/lib/platform/storage/store"

const reservedBytesMax = 2 ** 30

/** Objects as files below `folder`; the type of each follows from the ending of its key. */
export function diskStore(folder: string): ObjectStore {
  const pathOf = (key: string) => {
    if (!isKey(key)) throw new Error("This is not the key of an object.")
    return join(folder, key)
  }

  return {
    async put(key, bytes) {
      const path = pathOf(key)
      await keepRoom(folder, bytes.byteLength)
      await writeWhole(path, (part) => writeFile(part, bytes))
    },

    async putFile(key, from) {
      const path = pathOf(key)
      await keepRoom(folder, (await stat(from)).size)
      await writeWhole(path, (part) => copyFile(from, part))
    },

    async get(key): Promise<StoredObject | null> {
      // Opened before anything is promised: then it can be read to its end, also if it is removed meanwhile.
      const file = await unlessMissing(open(pathOf(key), "r"))
      if (!file) return null
      const found = await file.stat()
      if (!found.isFile()) {
        await file.close()
        return null
      }
      const stream = Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>
      return { stream, bytes: found.size, contentType: typeOf(key) }
    },

    async remove(key) {
      await rm(pathOf(key), { force: true })
    },

    list: (prefix) => filesBelow(folder, join(folder, prefix)),
  }
}

/** How large the disk of a folder is, and what of it is free to this process, in bytes. */
export async function diskRoom(folder: string): Promise<{ totalBytes: number; freeBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { totalBytes: blocks * bsize, freeBytes: bavail * bsize }
}

/** The last twentieth of a disk, at most a gigabyte, is the database's: files of others must not be what fills it. */
async function keepRoom(folder: string, bytes: number) {
  await mkdir(folder, { recursive: true })
  const { totalBytes, freeBytes } = await diskRoom(folder)
  const reserved = Math.min(totalBytes / 20, reservedBytesMax)
  if (freeBytes - bytes >= reserved) return
  throw Object.assign(new Error("The disk has no room for this file beside the reserve of the database."), {
    code: "ENOSPC",
  })
}

/**
 * Readers never see half a file, and a file that is there survives a power cut. A part that a crash leaves behind has a
 * key, so that it is listed and removed like any unused object.
 */
async function writeWhole(path: string, write: (part: string) => Promise<void>) {
  const part = `${path.slice(0, path.lastIndexOf("."))}-${randomUUID()}.part`
  await mkdir(dirname(path), { recursive: true })
  try {
    await write(part)
    await synced(part)
  } catch (error) {
    // On a full disk every byte counts; what a crash leaves is swept.
    await rm(part, { force: true }).catch(() => undefined)
    throw error
  }
  await rename(part, path)
  await folderSynced(dirname(path))
}

async function synced(path: string) {
  const file = await open(path, "r+")
  try {
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
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
