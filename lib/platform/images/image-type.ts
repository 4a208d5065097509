import { fileTypeFromBuffer } from "file-type"

export const imageTypes = ["image/jpeg", "image/png", "image/webp", "image/gif"] as const

/** The type by the first bytes, whatever name or type was given; null if it is none of the four. An animated PNG is one. */
export async function imageType(bytes: Uint8Array): Promise<(typeof imageTypes)[number] | null> {
  const found = await fileTypeFromBuffer(bytes)
  const mime = found?.mime === "image/apng" ? "image/png" : found?.mime
  return imageTypes.find((type) => type === mime) ?? null
}
