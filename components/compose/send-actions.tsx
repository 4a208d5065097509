"use client"

import type { KeyboardEvent } from "react"
import { createPortal } from "react-dom"
import { useActionsPlace } from "@/components/compose/actions-place"
import type { Fields } from "@/components/compose/fields"
import type { SendingDomain } from "@/components/compose/sender"
import { SendTest } from "@/components/compose/send-test"
import { sendWord } from "@/components/compose/use-send"
import { Button } from "@/components/ui/button"

type SendActionsProps = {
  projectId: string
  fields: Fields
  me: string
  sending: boolean
  domains: readonly SendingDomain[] | undefined
  /** Id of the form that the last of them submits. */
  form: string
}

/** What is done with what has been written: at the top right, on a phone always at hand at the bottom. */
export function SendActions({ projectId, fields, me, sending, domains, form }: SendActionsProps) {
  const place = useActionsPlace()
  if (!place) return null
  const noSender = domains?.length === 0 && !fields.from
  return createPortal(
    <div className="flex gap-2 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-10 max-sm:border-t max-sm:border-line max-sm:bg-bg max-sm:px-4 max-sm:py-3 max-sm:[&>button]:flex-1">
      <SendTest projectId={projectId} fields={fields} me={me} />
      <Button
        type="submit"
        form={form}
        variant="primary"
        loading={sending}
        disabled={noSender}
        title={noSender ? "Add a domain to send from first" : undefined}
      >
        {sendWord(fields)}
      </Button>
    </div>,
    place,
  )
}

/** Ctrl or ⌘ with Enter sends, wherever one is in the form. */
export function sendByKey(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
