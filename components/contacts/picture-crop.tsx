import { type FormEvent, type PointerEvent, useCallback, useState } from "react"
import { FormFooter } from "@/components/data/add-dialog"
import { Field, useFieldControl } from "@/components/ui/field"

type PictureCropProps = { file: Blob; size: PixelSize; onCut: (cut: File) => Promise<void> }

/** Chooses the square of a picture that is shown: pressed or dragged to, or by three sliders. */
export function PictureCrop({ file, size, onCut }: PictureCropProps) {
  const [part, setPart] = useState<Part>(centre)
  const [saving, setSaving] = useState(false)
  const [fault, setFault] = useState<string>()
  const show = useCallback(
    (image: HTMLImageElement) => {
      image.src = URL.createObjectURL(file)
      return () => URL.revokeObjectURL(image.src)
    },
    [file],
  )
  const { left, top, side } = squareOf(size, part)
  const percent = (pixels: number, of: number) => `${(100 * pixels) / of}%`

  function follow(event: PointerEvent<HTMLDivElement>) {
    if (event.buttons === 0) return
    const frame = event.currentTarget.getBoundingClientRect()
    const point = { x: (event.clientX - frame.left) / frame.width, y: (event.clientY - frame.top) / frame.height }
    setPart(partAround(point, size, part))
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSaving(true)
    try {
      await onCut(await cutOut(file, { left, top, side }))
    } catch (error) {
      setFault(error instanceof Error ? error.message : "The picture was not cut.")
      setSaving(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <div
        onPointerDown={(event) => (event.currentTarget.setPointerCapture(event.pointerId), follow(event))}
        onPointerMove={follow}
        className="relative mx-auto mb-4 max-h-80 max-w-full cursor-move overflow-hidden rounded-md bg-sunken select-none"
        style={{ aspectRatio: `${size.width} / ${size.height}`, touchAction: "none" }}
      >
        {/* eslint-disable-next-line @next/next/no-img-element */}
        <img ref={show} alt="" draggable={false} className="block size-full" />
        <div
          data-crop
          className="pointer-events-none absolute rounded-full border-2 border-white shadow-[0_0_0_9999px_rgb(0_0_0/0.55)]"
          style={{
            left: percent(left, size.width),
            top: percent(top, size.height),
            width: percent(side, size.width),
            height: percent(side, size.height),
          }}
        />
      </div>
      <Share label="Left to right" value={part.across} onChange={(across) => setPart({ ...part, across })} />
      <Share label="Top to bottom" value={part.down} onChange={(down) => setPart({ ...part, down })} />
      <Share label="Size" least={sizeMin} value={part.size} onChange={(next) => setPart({ ...part, size: next })} />
      {fault ? (
        <p role="alert" className="text-sm text-bad">
          {fault}
        </p>
      ) : null}
      <FormFooter action="Use this part" saving={saving} />
    </form>
  )
}

type ShareProps = { label: string; least?: number; value: number; onChange: (value: number) => void }

function Share({ label, ...slider }: ShareProps) {
  return (
    <Field label={label} className="mb-2">
      <Slider {...slider} />
    </Field>
  )
}

function Slider({ least = 0, value, onChange }: Omit<ShareProps, "label">) {
  const wired = useFieldControl({})
  return (
    <input
      {...wired}
      type="range"
      min={least}
      max={1}
      step={0.01}
      value={value}
      onChange={({ target }) => onChange(target.valueAsNumber)}
      className="w-full"
      style={{ accentColor: "var(--accent)" }}
    />
  )
}

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
