import { lockContact } from "@/lib/consent/data"
import { findContactIn } from "@/lib/contacts/list/data"
import type { Contact } from "@/lib/contacts/schema"
import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import type { Random } from "@/lib/platform/io"
import { log } from "@/lib/platform/log"
import { storage, sweepObjects } from "@/lib/platform/storage/storage"
import { noteStoredBytes } from "@/lib/projects/quota/data"

type Picture = { url: string } | { key: string } | null

/** Replaces the picture of a contact. The contact, and the object that it had before, which is to be removed; null when there is none. */
export async function replacePicture(
  scope: Scope,
  id: string,
  picture: Picture,
): Promise<{ contact: Contact | null; formerKey: string | null } | null> {
  const data = {
    imageUrl: picture && "url" in picture ? picture.url : null,
    imageKey: picture && "key" in picture ? picture.key : null,
  }
  return db(scope).$transaction(async (tx) => {
    // Two at once would otherwise both remove the first object, and leave one without a contact.
    await lockContact(scope.project.id, { id }, tx)
    const former = await tx.contact.findUnique({ where: { id }, select: { imageKey: true } })
    if (!former) return null
    await tx.contact.updateMany({ where: { id }, data })
    return { contact: await findContactIn(scope, id, tx), formerKey: former.imageKey }
  })
}

/** Those of these objects that are the picture of a contact of any project. */
async function picturesInUse(keys: readonly string[]): Promise<Set<string>> {
  const rows = await unscoped().contact.findMany({ where: { imageKey: { in: [...keys] } }, select: { imageKey: true } })
  return new Set(rows.flatMap(({ imageKey }) => imageKey ?? []))
}

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

export const pictureFolder = "images/"

/** 128 random bits below a folder of the project's own, and the size; no name that a caller gave is part of it. */
function newPictureKey(projectId: string, bytes: number, random: Random): string {
  return `${pictureFolder}${projectId}/${random.bytes(16).toString("base64url")}-${bytes}.webp`
}

/** The project of a picture and its bytes, which the keys of earlier versions do not tell. */
function ownerAndBytes(key: string): { projectId: string; bytes: number } {
  const [, projectId = "", bytes = "0"] = /^images\/([0-9a-f-]{36})\/[\w-]{22}-(\d+)\.webp$/.exec(key) ?? []
  return { projectId, bytes: Number(bytes) }
}
