"use client"

import { lazy, Suspense, useRef, type KeyboardEvent } from "react"
import { controlId, type Draft } from "@/components/compose/draft"
import { htmlOf, isWritten, textOf } from "@/components/compose/write"
import type { Mark } from "@/components/compose/write-marks"
import { Button } from "@/components/ui/button"
import { CardBody } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Textarea } from "@/components/ui/textarea"

const WrittenByHand = lazy(() => import("@/components/compose/written-by-hand"))
const loadMarks = () => import("@/components/compose/write-marks")

/** Paragraphs that become HTML and text; HTML edited by hand is replaced only on request. */
export function WriteTab({ draft, onTab }: { draft: Draft; onTab: (tab: string) => void }) {
  const { fields, change, errorOf } = draft
  const area = useRef<HTMLTextAreaElement>(null)
  if (!isWritten(fields))
    return (
      <Suspense>
        <WrittenByHand draft={draft} onTab={onTab} />
      </Suspense>
    )

  function write(written: string) {
    const follows = fields.text === "" || fields.text === textOf(fields.write)
    change({ write: written, html: htmlOf(written), ...(follows ? { text: textOf(written) } : {}) })
  }
  async function mark(kind: Mark) {
    const { applyEdit, markEdit } = await loadMarks()
    const field = area.current
    if (field) applyEdit(field, markEdit(field.value, field.selectionStart, field.selectionEnd, kind))
  }
  function onKeyDown(event: KeyboardEvent) {
    const kind = marks.find(({ key }) => key === event.key.toLowerCase())?.kind
    if (!kind || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    void mark(kind)
  }

  return (
    <CardBody>
      <div role="group" aria-label="Format" className="-mt-1 mb-2 flex flex-wrap gap-1">
        {marks.map(({ kind, label, name }) => (
          <Button
            key={kind}
            size="small"
            variant="ghost"
            aria-label={name}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => void mark(kind)}
          >
            {label}
          </Button>
        ))}
      </div>
      <Field
        label="Message"
        hideLabel
        id={controlId("write")}
        error={errorOf("write")}
        hint="An empty line starts a new paragraph. HTML and text are made from it."
      >
        <Textarea
          ref={area}
          rows={14}
          placeholder="Hi,"
          value={fields.write}
          onFocus={() => void loadMarks()}
          onKeyDown={onKeyDown}
          onChange={({ target }) => write(target.value)}
        />
      </Field>
    </CardBody>
  )
}

const marks = [
  { kind: "bold", name: "Bold", label: <b>B</b>, key: "b" },
  { kind: "italic", name: "Italic", label: <i>I</i>, key: "i" },
  { kind: "heading", name: "Heading", label: "Heading", key: "" },
  { kind: "list", name: "List", label: "List", key: "" },
  { kind: "link", name: "Link", label: "Link", key: "k" },
  { kind: "image", name: "Image", label: "Image", key: "" },
  { kind: "button", name: "Button", label: "Button", key: "" },
] as const
