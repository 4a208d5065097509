"use client"

import type { Kept, StoredDraft } from "@/components/compose/drafts"
import { Button } from "@/components/ui/button"
import { dateWords } from "@/components/ui/date-words"
import { Menu, MenuItem } from "@/components/ui/menu"

type DraftLineProps = {
  kept: Kept
  others: StoredDraft[]
  onOpen: (draft: StoredDraft) => void
  onNew: () => void
  onDiscard: () => void
}

/** Whether what is written is kept, and the way to the other drafts. */
export function DraftLine({ kept, others, onOpen, onNew, onDiscard }: DraftLineProps) {
  const saved = kept.state === "saved"
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
      <span role="status" className={kept.state === "full" ? "text-warn" : undefined}>
        {wordsOf(kept)}
      </span>
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
      {saved ? (
        <>
          <Button variant="link" onClick={onNew}>
            New email
          </Button>
          <Button variant="link" onClick={onDiscard}>
            Discard
          </Button>
        </>
      ) : null}
    </p>
  )
}

function wordsOf(kept: Kept): string {
  if (kept.state === "none") return ""
  if (kept.state === "saving") return "Saving …"
  if (kept.state === "full") return "Not saved: the browser's storage is full"
  const time = dateWords(kept.at, { hour: "2-digit", minute: "2-digit" })
  return `Draft, kept in this browser, saved at ${time}`
}
