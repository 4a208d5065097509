import { closeSync, fsyncSync, linkSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { dirname, join } from "node:path"

/**
 * Writes a small file atomically and durably: to a temporary name, synced, renamed, its folder synced. `exclusive` keeps
 * an existing file and returns false.
 */
export function writeDurably(path: string, content: string, { exclusive = false } = {}): boolean {
  const part = `${path}.${process.pid}`
  try {
    writeFileSync(part, content, { mode: 0o600, flush: true })
    if (exclusive) linkSync(part, path)
    else renameSync(part, path)
  } catch (error) {
    if (exclusive && (error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  } finally {
    rmSync(part, { force: true })
  }
  syncFolder(dirname(path))
  return true
}

/** Files created, renamed or removed in a folder survive a power cut only once the folder is synced. */
export function syncFolder(folder: string) {
  // Windows cannot open folders, and writes their entries by itself.
  if (process.platform === "win32") return
  syncFile(folder)
}

/** Syncs every file and folder below, and the folder itself. */
export function syncTree(folder: string) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) syncFile(join(entry.parentPath, entry.name))
    else if (entry.isDirectory()) syncFolder(join(entry.parentPath, entry.name))
  }
  syncFolder(folder)
}

function syncFile(path: string) {
  const descriptor = openSync(path, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Like `syncFolder`, without blocking the process. */
export async function folderSynced(folder: string): Promise<void> {
  if (process.platform === "win32") return
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
