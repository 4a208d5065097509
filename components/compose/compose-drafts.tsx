"use client"

import { useQueryClient } from "@tanstack/react-query"
import { useRouter, useSearchParams } from "next/navigation"
import { lazy, Suspense, useState } from "react"
import { type Broadcast, broadcastQuery } from "@/components/broadcasts/queries"
import { type AboutDraft, ComposeForm, type ComposeFormProps, type OpenDraft } from "@/components/compose/compose-form"
import { keepDraft, newDraftId, readDrafts, type StoredDraft, fieldsOfBroadcast } from "@/components/compose/drafts"
import type { Fields } from "@/components/compose/fields"
import { problemOf } from "@/components/data/call"
import { useCall, useOneAtATime } from "@/components/data/use-call"
import { toast } from "@/components/ui/toast"

const DraftLine = lazy(() =>
  import("@/components/compose/draft-line").then((module) => ({ default: module.DraftLine })),
)

type ComposeDraftsProps = Omit<ComposeFormProps, "draft" | "line"> & {
  /** What a new email begins with. */
  fresh: Fields
  /** What the address begins, an email that is sent once more or one to an audience: it is not mixed up with a draft. */
  begun: Fields | null
  /** The draft on the server that the address names. */
  stored: Broadcast | null
}

const undoMs = 10_000

/** The form with the draft that was left last, if there is one, and the way to the others. */
export function ComposeDrafts({ fresh, begun, stored, ...form }: ComposeDraftsProps) {
  const { projectId } = form
  const router = useRouter()
  const client = useQueryClient()
  const share = useCall("POST /v1/projects/{projectId}/broadcasts", ["GET /v1/projects/{projectId}/broadcasts"])
  // None once what they began has become a draft: then Back shows a page whose `begun` is still that of before.
  const hasParameters = useSearchParams().size > 0
  const [open, setOpen] = useState<OpenDraft>(() => {
    if (stored) return openStored(stored)
    const beginning = hasParameters ? begun : null
    const [last] = beginning ? [] : readDrafts(projectId)
    return openOwn(last ?? { id: newDraftId(), fields: beginning ?? fresh, savedAt: null })
  })

  function leaveStored() {
    if (open.stored) router.replace(`/projects/${projectId}/emails/compose`)
  }
  /** What was written last is saved first; where that is refused, the form stays and says why. */
  function afterSave({ save }: AboutDraft, next: () => void) {
    void save().then(next, () => undefined)
  }
  function begin() {
    leaveStored()
    setOpen(openOwn({ id: newDraftId(), fields: fresh, savedAt: null }))
  }
  function change(draft: StoredDraft) {
    leaveStored()
    setOpen(openOwn(draft))
  }
  function discard({ id, done }: AboutDraft) {
    const draft = readDrafts(projectId).find((one) => one.id === id)
    done()
    begin()
    if (draft)
      toast.message("Draft discarded", { duration: undoMs, action: { label: "Undo", onClick: () => restore(draft) } })
  }
  function restore(draft: StoredDraft) {
    keepDraft(projectId, draft)
    change(draft)
  }
  /** Makes a draft on the server of it, for everybody of the project. */
  const shareDraft = useOneAtATime(async ({ fields, done }: AboutDraft) => {
    const { broadcastOf } = await import("@/components/compose/broadcast")
    try {
      const made = await share.mutateAsync({ params: { projectId }, body: { ...broadcastOf(fields), draft: true } })
      done()
      toast.success("Shared with your project")
      router.replace(`/projects/${projectId}/emails/compose?draft=${made.id}`)
    } catch (error) {
      const { errors, detail, title } = problemOf(error)
      toast.error(`It was not shared: ${errors?.[0]?.detail ?? detail ?? title}`)
    }
  })
  /** Shows what somebody else saved; what is written here becomes a draft of this browser. */
  async function openTheirs({ fields }: AboutDraft) {
    if (!open.stored) return
    keepDraft(projectId, { id: newDraftId(), savedAt: Date.now(), fields })
    const theirs = await client.fetchQuery({ ...broadcastQuery(projectId, open.stored.id), staleTime: 0 })
    setOpen(openStored(theirs))
    toast.message("Your version is among your other drafts")
  }

  return (
    <ComposeForm
      key={`${open.id} ${open.stored?.updatedAt ?? ""}`}
      {...form}
      draft={open}
      line={(about) => {
        const others = readDrafts(projectId).filter(({ id }) => id !== about.id)
        return (
          <div className="-mt-3 mb-4 min-h-6">
            {about.kept.state !== "none" || others.length > 0 ? (
              <Suspense>
                <DraftLine
                  {...{ projectId, about, others }}
                  broadcastId={open.stored?.id}
                  onOpen={(draft) => afterSave(about, () => change(draft))}
                  onNew={() => afterSave(about, begin)}
                  onDiscard={() => discard(about)}
                  onShare={() => void shareDraft(about)}
                  onTheirs={() => void openTheirs(about)}
                />
              </Suspense>
            ) : null}
          </div>
        )
      }}
    />
  )
}

function openOwn(draft: Omit<OpenDraft, "stored">): OpenDraft {
  return { ...draft, stored: null }
}

function openStored(stored: Broadcast): OpenDraft {
  return { id: stored.id, fields: fieldsOfBroadcast(stored), savedAt: null, stored }
}
