"use client"

import { Paperclip } from "lucide-react"
import { type ComponentProps, type KeyboardEvent, lazy, Suspense, useRef, useState } from "react"
import { audienceIn } from "@/components/compose/addresses"
import { controlId, type KeptDraft } from "@/components/compose/drafts"
import type { Fields } from "@/components/compose/fields"
import { writtenHtml, isWritten, writtenText } from "@/components/compose/write"
import type { WriteMark } from "@/components/compose/write-marks"
import { Button } from "@/components/ui/button"
import { Card, CardBody } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Skeleton } from "@/components/ui/loading"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { Textarea } from "@/components/ui/input"
import { presentBody } from "@/lib/emails/message-rules"

const TemplateValues = lazy(() =>
  import("@/components/compose/template-fields").then((loaded) => ({ default: loaded.TemplateValues })),
)
const loadAttachments = () => import("@/components/compose/attachments")
const Attachments = lazy(() => loadAttachments().then((module) => ({ default: module.Attachments })))

type ContentCardProps = {
  projectId: string
  draft: KeptDraft
  tab: string
  onTab: (tab: string) => void
  onMakeText: () => void
}

/** The tab in which this email is being written. */
export function tabOf({ html, text, write }: Fields): string {
  if (write || (!presentBody(html) && !presentBody(text))) return "write"
  return presentBody(html) ? "html" : "text"
}

/** What is written or its HTML and text, or the values of a template, and what is attached. */
export function ContentCard({ projectId, draft, tab, onTab, onMakeText }: ContentCardProps) {
  const { fields, change, errorOf } = draft
  const htmlArea = useRef<HTMLTextAreaElement>(null)
  const [attaching, setAttaching] = useState(false)
  const tabs = [
    { value: "write", label: "Write" },
    { value: "html", label: "HTML" },
    { value: "text", label: "Text" },
  ]
  return (
    <Card aria-label="Content">
      {fields.template ? (
        <Suspense fallback={<Skeleton className="m-4 h-16" />}>
          <TemplateValues projectId={projectId} draft={draft} />
        </Suspense>
      ) : (
        <Tabs label="Content" tabs={tabs} value={tab} onValueChange={onTab}>
          <TabPanel value="write">
            <WriteTab {...{ projectId, draft, onTab }} />
          </TabPanel>
          <TabPanel value="html">
            <CardBody>
              <Inserted {...{ projectId, fields }} into={htmlArea} label="Insert field into the HTML" />
              <Field label="HTML body" hideLabel id={controlId("html")} error={errorOf("html")}>
                <Textarea
                  ref={htmlArea}
                  mono
                  rows={14}
                  spellCheck={false}
                  placeholder="<p>Hello</p>"
                  value={fields.html}
                  onChange={({ target }) => change({ html: target.value })}
                />
              </Field>
            </CardBody>
          </TabPanel>
          <TabPanel value="text">
            <TextTab {...{ projectId, draft, onMakeText }} />
          </TabPanel>
        </Tabs>
      )}
      <CardBody className="border-t border-line">
        {attaching || fields.attachments.length > 0 ? (
          <Suspense fallback={<Skeleton className="h-20" />}>
            <Attachments draft={draft} />
          </Suspense>
        ) : (
          <Button
            icon={<Paperclip />}
            onClick={() => setAttaching(true)}
            onPointerEnter={() => void loadAttachments()}
            onFocus={() => void loadAttachments()}
          >
            Attach files
          </Button>
        )}
      </CardBody>
    </Card>
  )
}

const InsertField = lazy(() =>
  import("@/components/compose/insert-field").then((module) => ({ default: module.InsertField })),
)

type InsertedProps = Omit<ComponentProps<typeof InsertField>, "projectId"> & { projectId: string; fields: Fields }

/** The menu of fields, where each recipient gets a message of their own. */
function Inserted({ fields, ...menu }: InsertedProps) {
  if (!audienceIn(fields.to)) return null
  return (
    <div className="-mt-1 mb-2 flex">
      <Suspense fallback={<span className="h-7" />}>
        <InsertField {...menu} />
      </Suspense>
    </div>
  )
}

type TextTabProps = Pick<ContentCardProps, "projectId" | "draft" | "onMakeText">

function TextTab({ projectId, draft: { fields, change, errorOf }, onMakeText }: TextTabProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const written = fields.write !== "" && isWritten(fields)
  const made = written && fields.text === writtenText(fields.write)
  return (
    <CardBody>
      <Inserted {...{ projectId, fields }} into={area} label="Insert field into the text" />
      <Field
        label="Text body"
        hideLabel
        id={controlId("text")}
        error={errorOf("text")}
        hint={
          made
            ? "Made from what you write, until you edit it here."
            : written
              ? "Edited, so it no longer follows what you write."
              : "For mail programs without HTML, and for spam filters."
        }
      >
        <Textarea ref={area} rows={14} value={fields.text} onChange={({ target }) => change({ text: target.value })} />
      </Field>
      {written && !made ? (
        <Button size="small" className="mt-3" onClick={() => change({ text: writtenText(fields.write) })}>
          Follow again
        </Button>
      ) : presentBody(fields.html) && !written ? (
        <Button size="small" className="mt-3" onClick={onMakeText}>
          Make it from the HTML
        </Button>
      ) : null}
    </CardBody>
  )
}

const WrittenByHand = lazy(() => import("@/components/compose/written-by-hand"))
const loadMarks = () => import("@/components/compose/write-marks")

/** Paragraphs that become HTML and text; HTML edited by hand is replaced only on request. */
function WriteTab({ projectId, draft, onTab }: Pick<ContentCardProps, "projectId" | "draft" | "onTab">) {
  const { fields, change, errorOf } = draft
  const area = useRef<HTMLTextAreaElement>(null)
  if (!isWritten(fields))
    return (
      <Suspense>
        <WrittenByHand draft={draft} onTab={onTab} />
      </Suspense>
    )

  function write(written: string) {
    const follows = fields.text === "" || fields.text === writtenText(fields.write)
    change({ write: written, html: writtenHtml(written), ...(follows ? { text: writtenText(written) } : {}) })
  }
  async function mark(kind: WriteMark) {
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
        <Inserted {...{ projectId, fields }} into={area} label="Insert field into the message" />
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
