import { newPictureKey, ownerAndBytes, pictureFolder } from "@/lib/contacts/images/image-keys"
import { picturesInUse } from "@/lib/contacts/images/image-store"
import type { Random } from "@/lib/platform/io"
import { log } from "@/lib/platform/log"
import { storage } from "@/lib/platform/storage/storage"
import { sweepObjects } from "@/lib/platform/storage/sweep"
import { noteStoredBytes } from "@/lib/projects/quota/data"

/** Stores a rendered picture under an unguessable key. */
export async function keepPicture(projectId: string, webp: Uint8Array, random: Random): Promise<string> {
  const key = newPictureKey(projectId, webp.length, random)
  await (await storage()).put(key, webp, "image/webp")
  await noteStoredBytes(projectId, webp.length)
  return key
}

/** Removes an object that is not referenced any more. If that fails, the next sweep removes it. */
export async function dropPicture(key: string | null): Promise<void> {
  if (key === null) return
  try {
    await (await storage()).remove(key)
    await noteRemoved(key)
  } catch (error) {
    log.warn({ err: error }, "a picture that was replaced could not be removed yet")
  }
}

/**
 * Removes pictures older than an hour that are no contact's: of contacts that were deleted, of uploads that were cut off
 * between the object and the row. Answers how many.
 */
export async function sweepPictures(now: Date, signal: AbortSignal): Promise<number> {
  return sweepObjects({ folder: pictureFolder, inUse: picturesInUse, removed: noteRemoved, now, signal })
}

async function noteRemoved(key: string): Promise<void> {
  const { projectId, bytes } = ownerAndBytes(key)
  await noteStoredBytes(projectId, -bytes)
}
