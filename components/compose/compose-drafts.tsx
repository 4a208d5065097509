"use client"

import { useSearchParams } from "next/navigation"
import { lazy, Suspense, useState } from "react"
import { ComposeForm, type ComposeFormProps } from "@/components/compose/compose-form"
import { keepDraft, readDrafts, type StoredDraft } from "@/components/compose/drafts"
import type { Fields } from "@/components/compose/fields"
import { toast } from "@/components/ui/toast"

const DraftLine = lazy(() =>
  import("@/components/compose/draft-line").then((module) => ({ default: module.DraftLine })),
)

type ComposeDraftsProps = Omit<ComposeFormProps, "draft" | "line"> & {
  /** What a new email begins with. */
  fresh: Fields
  /** What the address begins, an email that is sent once more or one to an audience: it is not mixed up with a draft. */
  begun: Fields | null
}

type Open = { id: string; fields: Fields; savedAt: number | null }

const undoMs = 10_000

/** The form with the draft that was left last, if there is one, and the way to the others. */
export function ComposeDrafts({ fresh, begun, ...form }: ComposeDraftsProps) {
  const { projectId } = form
  // None once what they began has become a draft: then Back shows a page whose `begun` is still that of before.
  const hasParameters = useSearchParams().size > 0
  const [open, setOpen] = useState<Open>(() => {
    const beginning = hasParameters ? begun : null
    const [last] = beginning ? [] : readDrafts(projectId)
    return last ?? { id: newId(), fields: beginning ?? fresh, savedAt: null }
  })
  const others = readDrafts(projectId).filter(({ id }) => id !== open.id)
  const begin = () => setOpen({ id: newId(), fields: fresh, savedAt: null })

  function discard(done: () => void) {
    const draft = readDrafts(projectId).find(({ id }) => id === open.id)
    done()
    begin()
    if (draft)
      toast.message("Draft discarded", { duration: undoMs, action: { label: "Undo", onClick: () => restore(draft) } })
  }
  function restore(draft: StoredDraft) {
    keepDraft(projectId, draft)
    setOpen(draft)
  }

  return (
    <ComposeForm
      key={open.id}
      {...form}
      draft={open}
      line={(kept, done) => (
        <div className="-mt-3 mb-4 min-h-6">
          {kept.state !== "none" || others.length > 0 ? (
            <Suspense>
              <DraftLine kept={kept} others={others} onOpen={setOpen} onNew={begin} onDiscard={() => discard(done)} />
            </Suspense>
          ) : null}
        </div>
      )}
    />
  )
}

function newId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`
}
