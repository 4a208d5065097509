"use client"

import { audienceIn } from "@/components/compose/addresses"
import type { AboutDraft } from "@/components/compose/compose-form"
import type { Kept, StoredDraft } from "@/components/compose/drafts"
import { Button } from "@/components/ui/button"
import { dateWords } from "@/components/ui/time-words"
import { Menu, MenuItem } from "@/components/ui/menu"
import { TextLink } from "@/components/ui/text"

type DraftLineProps = {
  projectId: string
  about: AboutDraft
  others: StoredDraft[]
  /** Of a draft on the server. */
  broadcastId: string | undefined
  onOpen: (draft: StoredDraft) => void
  onNew: () => void
  onDiscard: () => void
  onShare: () => void
  onTheirs: () => void
}

/** Whether what is written is kept, and the way to the other drafts. */
export function DraftLine({ projectId, about, others, broadcastId, onOpen, onNew, onDiscard, ...on }: DraftLineProps) {
  const { kept, fields, overwrite } = about
  const saved = kept.state === "saved"
  const isProblem = kept.state === "full" || kept.state === "changed" || kept.state === "refused"
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
      <span role="status" className={isProblem ? "text-warn" : undefined}>
        {wordsOf(kept, fields.attachments.length > 0)}
      </span>
      {kept.state === "changed" ? (
        <>
          <Button variant="link" onClick={on.onTheirs}>
            Open theirs
          </Button>
          <Button variant="link" onClick={() => void overwrite().catch(() => undefined)}>
            Save mine over it
          </Button>
        </>
      ) : null}
      {broadcastId ? <TextLink href={`/projects/${projectId}/broadcasts/${broadcastId}`}>Its page</TextLink> : null}
      {others.length > 0 ? (
        <Menu
          align="start"
          trigger={
            <Button variant="link">{others.length === 1 ? "1 other draft" : `${others.length} other drafts`}</Button>
          }
        >
          {others.map((draft) => (
            <MenuItem key={draft.id} onSelect={() => onOpen(draft)}>
              {draft.fields.subject.trim() || draft.fields.to.trim() || "No subject"}
            </MenuItem>
          ))}
        </Menu>
      ) : null}
      {saved && audienceIn(fields.to) ? (
        <Button variant="link" onClick={on.onShare}>
          Share with your project
        </Button>
      ) : null}
      {saved || broadcastId ? (
        <Button variant="link" onClick={onNew}>
          New email
        </Button>
      ) : null}
      {saved ? (
        <Button variant="link" onClick={onDiscard}>
          Discard
        </Button>
      ) : null}
    </p>
  )
}

function wordsOf(kept: Kept, hasFiles: boolean): string {
  if (kept.state === "none") return ""
  if (kept.state === "saving") return "Saving …"
  if (kept.state === "full") return "Not saved: the browser's storage is full"
  if (kept.state === "changed") return "Not saved: somebody else changed this draft in the meantime"
  if (kept.state === "refused") return `Not saved: ${kept.why}`
  const time = dateWords(kept.at, { hour: "2-digit", minute: "2-digit" })
  return kept.state === "shared"
    ? `Draft, shared with your project, saved at ${time}`
    : `Draft, kept in this browser${hasFiles ? " without its files" : ""}, saved at ${time}`
}
