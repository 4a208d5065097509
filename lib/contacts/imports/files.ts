import { releaseCheckedFiles, importFilesInUse } from "@/lib/contacts/imports/store"
import { newId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { storage } from "@/lib/platform/storage/storage"
import { sweepObjects } from "@/lib/platform/storage/sweep"

const folder = "imports/"

/** Stores an uploaded file for the worker; answers its key and the id of the import that will read it. */
export async function keepImportFile(projectId: string, path: string): Promise<{ id: string; key: string }> {
  const id = newId()
  const key = `${folder}${projectId}/${id}.csv`
  await (await storage()).putFile(key, path, "text/csv")
  return { id, key }
}

/** Removes a file that no import needs any more. If that fails, the next sweep removes it. */
export async function dropImportFile(key: string): Promise<void> {
  try {
    await (await storage()).remove(key)
  } catch (error) {
    log.warn({ err: error }, "the file of an import could not be removed yet")
  }
}

/**
 * Removes files older than an hour that no import needs: of uploads that were cut off between the object and the row, of
 * imports that ended when the file could not be removed, of deleted projects, and of dry runs that were not run within 24
 * hours. Answers how many.
 */
export async function sweepImportFiles(now: Date, signal: AbortSignal): Promise<number> {
  await releaseCheckedFiles(now)
  return sweepObjects({ folder, inUse: importFilesInUse, now, signal })
}
