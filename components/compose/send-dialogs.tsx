"use client"

import type { ChosenAudience } from "@/components/compose/audience"
import { type ComposeCheck, OpenChecks } from "@/components/compose/check"
import { type Fields, bodyOfFields } from "@/components/compose/fields"
import { sendWord } from "@/components/compose/send-actions"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { formatNumber } from "@/lib/platform/format"
import { CurlDialog } from "@/components/data/curl-dialog"
import { sendCommand } from "@/components/emails/curl"
import { audienceIn } from "@/components/compose/addresses"
import { broadcastOf } from "@/components/compose/broadcast"

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

type ComposeCurlProps = { fields: Fields; projectId: string; baseUrl: string; onClose: () => void }

/** The email in the form as a command, made when the dialog opens instead of at every keystroke. */
export function ComposeCurl({ fields, projectId, baseUrl, onClose }: ComposeCurlProps) {
  const [path, body] = audienceIn(fields.to)
    ? [`/v1/projects/${projectId}/broadcasts`, broadcastOf(fields)]
    : ["/v1/emails", bodyOfFields(fields)]
  const attachments = body.attachments?.map((file) => ({ ...file, content: shortened(file.content) }))
  return (
    <CurlDialog
      title="Send this email with curl"
      description="The same request as one command. To retry it safely, give it an idempotencyKey in its body; the header Idempotency-Key is not read."
      code={sendCommand(baseUrl, body, path)}
      shown={sendCommand(baseUrl, { ...body, attachments }, path)}
      onClose={onClose}
    />
  )
}

/** Files would bury the rest; the copy holds them whole. */
function shortened(content: string): string {
  return content.length > 60 ? `${content.slice(0, 40)}…` : content
}
