import { fileTypeFromBuffer } from "file-type"

export const imageTypes = ["image/jpeg", "image/png", "image/webp", "image/gif"] as const

/** The type by the first bytes, whatever name or type was given; null if it is none of the four. */
export async function imageType(bytes: Uint8Array): Promise<(typeof imageTypes)[number] | null> {
  const found = await fileTypeFromBuffer(bytes)
  return imageTypes.find((type) => type === found?.mime) ?? null
}
