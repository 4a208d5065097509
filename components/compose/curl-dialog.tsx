"use client"

import { CurlDialog } from "@/components/data/curl-dialog"
import { sendCommand } from "@/components/emails/curl"
import { audienceIn } from "@/components/compose/addresses"
import { broadcastOf } from "@/components/compose/broadcast"
import { bodyOfFields, type Fields } from "@/components/compose/fields"

type ComposeCurlProps = { fields: Fields; projectId: string; baseUrl: string; onClose: () => void }

/** The email in the form as a command, made when the dialog opens instead of at every keystroke. */
export default function ComposeCurl({ fields, projectId, baseUrl, onClose }: ComposeCurlProps) {
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
