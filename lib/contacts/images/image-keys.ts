import { env } from "@/lib/platform/env/env"
import type { Random } from "@/lib/platform/io"

export const pictureFolder = "images/"

/** 128 random bits below a folder of the project's own; no name that a caller gave is part of it. */
export function newPictureKey(projectId: string, random: Random): string {
  return `${pictureFolder}${projectId}/${random.bytes(16).toString("base64url")}.webp`
}

/** Where an object is seen: on our own origin, whatever the store is. */
export function pictureUrl(key: string): string {
  return `${env().baseUrl}/files/${key}`
}
