import { problemOf } from "@/components/data/problem"
import { callThen, useCall } from "@/components/data/use-call"
import { firstEmail } from "@/components/overview/guide/first-email"
import type { GuideFor } from "@/components/overview/guide/types"
import { StepFrame } from "@/components/overview/guide/step-frame"
import { Button } from "@/components/ui/button"
import { KeyValues } from "@/components/ui/key-values"
import { takeFocus } from "@/components/ui/take-focus"

type SendStepProps = GuideFor & { from: string; onSent: (emailId: string) => void }

/** The message is filled in; Send sends it, once however often it is pressed. */
export function SendStep({ onSent, ...about }: SendStepProps) {
  const { projectId } = about
  const send = useCall("POST /v1/emails", [])
  const email = firstEmail(about)
  return (
    <StepFrame
      title="Send the first email"
      error={send.error ? problemOf(send.error).detail : undefined}
      actions={
        <Button
          ref={takeFocus}
          variant="primary"
          loading={send.isPending}
          onClick={() =>
            callThen(send, { query: { projectId }, body: { ...email, idempotencyKey: "first-email" } }, ({ id }) =>
              onSent(id),
            )
          }
        >
          Send
        </Button>
      }
    >
      <KeyValues
        className="px-0"
        items={[
          { label: "From", value: email.from },
          { label: "To", value: email.to[0] },
          { label: "Subject", value: email.subject },
        ]}
      />
    </StepFrame>
  )
}
