"use client"

import { X } from "lucide-react"
import type { KeyboardEvent } from "react"
import type { CheckedRecipient } from "@/components/compose/check"
import { addressWithoutName, nameOf } from "@/components/emails/address"
import { cn } from "@/components/ui/cn"
import { Tooltip } from "@/components/ui/tooltip"

type RecipientChipProps = {
  entry: string
  /** Of a segment or topic. */
  audience?: string | undefined
  recipient?: CheckedRecipient | undefined
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  onEdit: () => void
  onRemove: () => void
}

/** One recipient with its state in a send. Arrow keys focus it, Enter edits it, Backspace removes it. */
export function RecipientChip({ entry, audience, recipient, onKeyDown, onEdit, onRemove }: RecipientChipProps) {
  const name = audience ?? nameOf(entry)
  const { word, why, style } = stateOf(recipient)
  const chip = (
    <button
      type="button"
      data-chip
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onDoubleClick={onEdit}
      className="min-w-0 rounded-sm py-0.5 pl-2 text-left [overflow-wrap:anywhere] -outline-offset-1 focus:outline-2 focus:outline-accent"
    >
      {name ? <span className="mr-1.5">{name}</span> : null}
      {audience ? null : <span className={cn(name && "text-muted")}>{addressWithoutName(entry)}</span>}
      {word ? (
        <span className="ml-1.5 font-medium whitespace-nowrap">
          {word}
          <span className="sr-only">. {why}</span>
        </span>
      ) : null}
    </button>
  )
  return (
    <li className={cn("flex max-w-full items-center rounded-md border", style)}>
      {why ? (
        <Tooltip text={why} names>
          {chip}
        </Tooltip>
      ) : (
        chip
      )}
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Remove ${name || addressWithoutName(entry)}`}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-sm text-muted hover:text-text [&_svg]:size-3.5"
      >
        <X />
      </button>
    </li>
  )
}

function stateOf(recipient: CheckedRecipient | undefined): { word?: string; why?: string | undefined; style: string } {
  if (recipient?.state === "invalid")
    return { word: "Not an address", why: recipient.reason, style: "border-bad bg-bad-soft text-bad" }
  if (recipient?.state !== "suppressed") return { style: "border-line-strong" }
  const { reason = "", detail } = recipient
  const why = detail ? `${detail}. Nothing will be sent.` : suppressedWhy[reason]
  return { word: "Suppressed", why, style: "border-transparent bg-warn-soft text-warn" }
}

const suppressedWhy: Record<string, string> = {
  bounce: "An earlier email bounced there. Nothing will be sent.",
  complaint: "They marked an earlier email as spam. Nothing will be sent.",
  unsubscribe: "They unsubscribed. Nothing will be sent.",
  manual: "A member of this project added it to the suppression list. Nothing will be sent.",
  simulator: "This simulator address is always treated as suppressed.",
}
