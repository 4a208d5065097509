"use client"

import type { ChosenAudience } from "@/components/compose/audience"
import { type ComposeCheck, OpenChecks } from "@/components/compose/check"
import type { Fields } from "@/components/compose/fields"
import { sendWord } from "@/components/compose/send-actions"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { formatNumber } from "@/lib/platform/format"

type AskSendProps = {
  fields: Fields
  audience: ChosenAudience | undefined
  /** Those that are not green, or not known yet. */
  open: readonly ComposeCheck[]
  onClose: () => void
  onConfirm: () => Promise<void>
}

/** Asks before an audience gets something, and before anything leaves with a check that is not green. */
export function AskSend({ fields, audience, open, onClose, onConfirm }: AskSendProps) {
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={audience ? `Send to ${peopleWords(audience)}?` : "Send it all the same?"}
      action={sendWord(fields)}
      tone="primary"
      onConfirm={onConfirm}
    >
      {audience ? (
        <p>Each gets a separate message, from {fields.from}. You can pause it and cancel what has not been sent.</p>
      ) : null}
      <OpenChecks checks={open} />
    </ConfirmDialog>
  )
}

/** "46 people", "at least 10,000 people", or everyone in it while they are not counted. */
function peopleWords({ preview, name, id }: ChosenAudience): string {
  if (!preview) return `everyone in ${name ?? id}`
  return `${preview.exact ? "" : "at least "}${formatNumber(preview.sendable)} ${preview.sendable === 1 ? "person" : "people"}`
}
