import { env } from "@/lib/platform/env/env"
import type { Random } from "@/lib/platform/io"

export const pictureFolder = "images/"

/** 128 random bits below a folder of the project's own, and the size; no name that a caller gave is part of it. */
export function newPictureKey(projectId: string, bytes: number, random: Random): string {
  return `${pictureFolder}${projectId}/${random.bytes(16).toString("base64url")}-${bytes}.webp`
}

/** The project of a picture and its bytes, which the keys of earlier versions do not tell. */
export function ownerAndBytes(key: string): { projectId: string; bytes: number } {
  const [, projectId = "", bytes = "0"] = /^images\/([0-9a-f-]{36})\/[\w-]{22}-(\d+)\.webp$/.exec(key) ?? []
  return { projectId, bytes: Number(bytes) }
}

/** Where an object is seen: on our own origin, whatever the store is. */
export function pictureUrl(key: string): string {
  return `${env().baseUrl}/files/${key}`
}
