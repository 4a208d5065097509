import { fileTypeFromBuffer } from "file-type"
import { join } from "node:path"
import { runApart } from "@/lib/platform/jobs/run-apart"
import { createSharedSlots, SlotsBusy } from "@/lib/platform/jobs/slots"

/** Why an image is refused, as a sentence for the caller. */
export class ImageRefused extends Error {}

const sideMax = 512
const pixelsMax = 25_000_000
const framesMax = 256
const limits = { cpuSeconds: 5, wallMs: 30_000, memoryMb: 128, outputBytesMax: 64 * 2 ** 20 }

const inPlace = createSharedSlots({ count: 2, perOwner: 1, waitMs: 10_000 })

/**
 * The centre of an image as a square WebP of at most 512 px a side. Animation is kept; everything else (EXIF, colour
 * profiles, bytes after the end) is dropped, because every pixel is redrawn. At most two run at once, one of the same owner
 * (an organization, however many projects it has), for 5 s of CPU each.
 * @throws ImageRefused; SlotsBusy when no place becomes free within 10 s, or the machine is too busy to draw it within 30 s
 */
export function squareWebp(bytes: Uint8Array, owner: string): Promise<Buffer> {
  return inPlace(owner, () => draw(bytes))
}

async function draw(bytes: Uint8Array): Promise<Buffer> {
  const program = join(process.cwd(), "lib/platform/images/image-process.mjs")
  const outcome = await runApart([program, `${sideMax}`, `${pixelsMax}`, `${framesMax}`], bytes, limits)
  if (outcome.kind === "done" && outcome.output.length > 0) return outcome.output
  if (outcome.kind === "late") throw new SlotsBusy("The machine was too busy to draw it in time.")
  throw new ImageRefused(
    outcome.kind === "refused" ? outcome.reason : "It could not be drawn within the time and memory of an image.",
  )
}

export const imageTypes = ["image/jpeg", "image/png", "image/webp", "image/gif"] as const

/** The type by the first bytes, whatever name or type was given; null if it is none of the four. An animated PNG is one. */
export async function imageType(bytes: Uint8Array): Promise<(typeof imageTypes)[number] | null> {
  const found = await fileTypeFromBuffer(bytes)
  const mime = found?.mime === "image/apng" ? "image/png" : found?.mime
  return imageTypes.find((type) => type === mime) ?? null
}
