"use client"

import { type FormEvent, type PointerEvent, useCallback, useState } from "react"
import {
  centre,
  cutOut,
  type Part,
  partAround,
  type PixelSize,
  sizeMin,
  squareOf,
} from "@/components/contacts/picture-part"
import { FormFooter } from "@/components/data/form-footer"
import { Field } from "@/components/ui/field"
import { useFieldControl } from "@/components/ui/field-context"

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
