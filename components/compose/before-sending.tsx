"use client"

import { lazy, Suspense, useState, type ReactNode } from "react"
import type { ExactPreview } from "@/components/compose/exact-preview"
import type { Fields } from "@/components/compose/fields"
import { useTemplateContent } from "@/components/compose/templated"
import { Card, CardHeader } from "@/components/ui/card"
import { Hint } from "@/components/ui/callout"
import { Skeleton } from "@/components/ui/loading"
import { Segmented } from "@/components/ui/segmented"
import { presentBody } from "@/lib/emails/message-rules"
import type { ComposeCheck } from "@/components/compose/check"
import { Button, ButtonLink } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"

const PersonChoice = lazy(() =>
  import("@/components/compose/person-choice").then((module) => ({ default: module.PersonChoice })),
)
const PreviewFrames = lazy(() =>
  import("@/components/compose/preview-frames").then((module) => ({ default: module.PreviewFrames })),
)

type PreviewCardProps = {
  projectId: string
  fields: Fields
  /** Of a broadcast, what one person of its audience would get. */
  preview: ExactPreview | undefined
  person: string
  onPerson: (contactId: string) => void
}

/** The email as it arrives, beside the editor: at the width of a desktop and, with room for both, of a phone. */
export function PreviewCard({ projectId, fields, preview, person, onPerson }: PreviewCardProps) {
  const [backdrop, setBackdrop] = useState<"light" | "dark">("light")
  const { content, fault } = useTemplateContent(projectId, fields)
  const { from } = fields
  const written = fields.template ? { subject: "", ...content } : fields
  const { html = "", text = "", subject } = preview?.shown ?? written
  const about = preview
    ? "As this person would get it, with the link to unsubscribe."
    : "With samples for missing values, for a recipient who is no contact."
  return (
    <Card aria-labelledby="compose-preview">
      <CardHeader
        id="compose-preview"
        title="Preview"
        {...((preview || fields.template) && { description: about })}
        actions={
          <Segmented
            label="Backdrop"
            value={backdrop}
            onChange={setBackdrop}
            options={[
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
          />
        }
      />
      {preview?.shown ? (
        <Suspense fallback={roomForPerson}>
          <PersonChoice shown={preview.shown} person={person} onPerson={onPerson} />
        </Suspense>
      ) : null}
      {preview && !preview.shown && !preview.faults ? roomForPerson : null}
      {fault ? <Hint tone="warn">{fault}</Hint> : null}
      {presentBody(html) || presentBody(text) ? (
        <Suspense fallback={roomForFrames}>
          <PreviewFrames fields={{ html, text, subject, from }} dark={backdrop === "dark"} />
        </Suspense>
      ) : (
        <p className="px-4 py-10 text-center text-muted">Your message appears here as recipients see it.</p>
      )}
    </Card>
  )
}

// As high as what comes in their place: whoever is about to press something below it does not miss it.
const roomForPerson = <div className="h-[53px] border-b border-line" />
const roomForFrames = (
  <div className="grid grid-cols-1 gap-4 p-4 sm:grid-cols-[minmax(0,600fr)_minmax(0,375fr)]">
    <div className="pb-[79px] max-sm:hidden">
      <Skeleton className="aspect-[10/13] h-auto" />
    </div>
    <div className="pb-[79px]">
      <Skeleton className="aspect-[10/13] h-auto" />
    </div>
  </div>
)

type CheckCardProps = { checks: ComposeCheck[]; projectId: string; onMakeText: () => void; actions: ReactNode }

/** What is known of the email before it leaves, in words, with the fix beside what needs one. */
export function CheckCard({ checks, projectId, onMakeText, actions }: CheckCardProps) {
  return (
    <Card aria-labelledby="compose-check">
      <CardHeader id="compose-check" title="Before you send" actions={actions} />
      {checks.length === 0 ? (
        <p className="px-4 py-3 text-muted">Sender, recipients and content are checked here while you write.</p>
      ) : null}
      <ul>
        {checks.map(({ id, tone, title, detail, fix }) => (
          <li key={id} className="border-b border-line px-4 py-2.5 last:border-b-0">
            <div className="flex items-start gap-3">
              <span aria-hidden="true" className={cn("mt-1.5 size-2 shrink-0 rounded-full", fill[tone])} />
              <b className="min-w-0 flex-1 font-medium">{title}</b>
              <span className={cn("text-sm", text[tone])}>{words[tone]}</span>
            </div>
            {detail ? <p className="ml-5 text-sm text-muted [overflow-wrap:anywhere]">{detail}</p> : null}
            {fix === "text" ? (
              <Button size="small" className="mt-1.5 ml-5" onClick={onMakeText}>
                Make it from the HTML
              </Button>
            ) : null}
            {fix === "domains" ? (
              <ButtonLink size="small" className="mt-1.5 ml-5" href={`/projects/${projectId}/domains`}>
                Domains
              </ButtonLink>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const words: Record<Tone, string> = { good: "Good", warn: "Check", bad: "Blocks sending", wait: "Missing" }
/** What is well needs no word that everybody reads. */
const text: Record<Tone, string> = { good: "sr-only", warn: "text-warn", bad: "text-bad", wait: "text-muted" }
const fill: Record<Tone, string> = { good: "bg-good", warn: "bg-warn", bad: "bg-bad", wait: "bg-wait" }
