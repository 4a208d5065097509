"use client"

import { formatNumber } from "@/lib/platform/format"
import type { Fields } from "@/components/compose/fields"
import { sendWord } from "@/components/compose/send-actions"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"

type AskManyProps = { people: number; fields: Fields; onClose: () => void; onConfirm: () => Promise<void> }

/** Asks before many people get something. */
export function AskMany({ people, fields, onClose, onConfirm }: AskManyProps) {
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Send to ${formatNumber(people)} people?`}
      action={sendWord(fields)}
      tone="primary"
      onConfirm={onConfirm}
    >
      Each gets a separate message, from {fields.from}. You can pause it and cancel what has not been sent.
    </ConfirmDialog>
  )
}
