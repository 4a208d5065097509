/** What is cut out of a picture: where in the room that the square leaves (0 to 1), and its size as a share of the short side. */
export type Part = { across: number; down: number; size: number }

export type PixelSize = { width: number; height: number }

/** A square in pixels of the picture. */
export type PictureSquare = { left: number; top: number; side: number }

export const centre: Part = { across: 0.5, down: 0.5, size: 1 }

/** A square smaller than this share of the short side shows no face any more. */
export const sizeMin = 0.2

/** The square of whole pixels that lies within the picture, whatever was asked for. */
export function squareOf({ width, height }: PixelSize, { across, down, size }: Part): PictureSquare {
  const side = Math.max(1, Math.round(Math.min(width, height) * within(size, sizeMin)))
  return {
    left: Math.round((width - side) * within(across)),
    top: Math.round((height - side) * within(down)),
    side,
  }
}

/** The part whose middle is nearest to this point, given as shares of the width and the height. */
export function partAround(point: { x: number; y: number }, picture: PixelSize, { size }: Part): Part {
  const { side } = squareOf(picture, { ...centre, size })
  const share = (at: number, length: number) =>
    length > side ? within((at * length - side / 2) / (length - side)) : 0.5
  return { across: share(point.x, picture.width), down: share(point.y, picture.height), size }
}

function within(share: number, least = 0): number {
  return Math.min(1, Math.max(least, Number.isFinite(share) ? share : least))
}

/** Its size as it is shown, upright; null of what is animated, square or no picture, which has no part to choose. */
export async function sizeToCut(file: Blob): Promise<PixelSize | null> {
  if (await isAnimated(file)) return null
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return null
  const { width, height } = bitmap
  bitmap.close()
  return width === height ? null : { width, height }
}

/** Where a browser cannot tell, what may be animated is taken to be it: a cut would keep its first frame alone. */
async function isAnimated(file: Blob): Promise<boolean> {
  if (file.type === "image/jpeg") return false
  if (!("ImageDecoder" in window)) return true
  const decoder = new ImageDecoder({ data: file.stream(), type: file.type })
  try {
    await decoder.tracks.ready
    return decoder.tracks.selectedTrack?.animated ?? true
  } catch {
    return true
  } finally {
    decoder.close()
  }
}

/** The API draws squares of 512 px; twice as many are enough of them. */
const sideMax = 1_024

/** That square of the picture as a picture of its own. */
export async function cutOut(file: Blob, { left, top, side }: PictureSquare): Promise<File> {
  const bitmap = await createImageBitmap(file)
  const canvas = document.createElement("canvas")
  canvas.width = canvas.height = Math.min(side, sideMax)
  canvas.getContext("2d")?.drawImage(bitmap, left, top, side, side, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  const cut = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"))
  if (!cut) throw new Error("The browser could not draw the picture.")
  return new File([cut], "picture.png", { type: cut.type })
}
