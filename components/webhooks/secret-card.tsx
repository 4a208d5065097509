"use client"

import { useOpenedAt } from "@/components/ui/relative-time"
import { useState } from "react"
import { May } from "@/components/access/powers"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { CodeBlock } from "@/components/ui/code-block"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { CopyButton } from "@/components/ui/copy-button"
import { Dialog } from "@/components/ui/dialog"
import { Pill } from "@/components/ui/pill"
import { toast } from "@/components/ui/toast"
import { DayTime } from "@/components/data/clock-time"
import { useRotateSecret, useUpdateWebhook, type Webhook } from "@/components/webhooks/queries"
import { dayMs } from "@/lib/platform/time"

const overlapMs = dayMs

/** The signing secret: never shown, replaced by another one. */
export function SecretCard({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const now = useOpenedAt()
  const { formerSecretUntil: until } = webhook
  // The page may be older than the rotation.
  const left = until ? Math.min(overlapMs, Date.parse(until) - now) : 0
  return (
    <Card aria-label="Signing secret">
      <CardHeader
        title={
          <span className="flex items-center gap-2">
            Signing secret {left > 0 ? <Pill tone="warn">Rotating</Pill> : null}
          </span>
        }
        actions={
          <May permission="webhooks:write">
            <Rotate projectId={projectId} webhook={webhook} />
          </May>
        }
      />
      <CardBody>
        {left > 0 && until ? (
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
            <dt className="text-muted">New secret</dt>
            <dd>
              Signs since <DayTime at={new Date(Date.parse(until) - overlapMs).toISOString()} />
            </dd>
            <dt className="text-muted">Old secret</dt>
            <dd>
              Valid until <DayTime at={until} />
              <div aria-hidden="true" className="my-2 h-1 overflow-hidden rounded-full bg-wait-soft">
                <span className="block h-full bg-accent" style={{ width: `${100 - (left / overlapMs) * 100}%` }} />
              </div>
              <p className="text-muted">
                <UntilWords ms={left} />. Until then each request carries both signatures, the new one first.
              </p>
              <May permission="webhooks:write">
                <EndOverlap projectId={projectId} webhook={webhook} />
              </May>
            </dd>
          </dl>
        ) : (
          <p className="text-muted">
            Shown once when the webhook was created, and stored encrypted. If it is lost or compromised, rotate it.
          </p>
        )}
      </CardBody>
    </Card>
  )
}

function UntilWords({ ms }: { ms: number }) {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return <span className="tabular-nums">{hours > 0 ? `${hours} h ${rest} min left` : `${rest} min left`}</span>
}

function EndOverlap({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const update = useUpdateWebhook()
  async function confirmed() {
    await update.mutateAsync({ params: { projectId, endpointId: webhook.id }, body: { formerSecretUntil: null } })
    toast.success("The old secret has ended")
  }
  return (
    <ConfirmDialog
      trigger={
        <Button size="small" className="mt-3">
          End overlap now
        </Button>
      }
      title="End the old secret?"
      action="End old secret"
      onConfirm={confirmed}
    >
      From the next request on, only the new secret is used. A server that still verifies with the old one refuses every
      event.
    </ConfirmDialog>
  )
}

function Rotate({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const rotate = useRotateSecret()
  const [secret, setSecret] = useState<string>()
  async function confirmed() {
    const answer = await rotate.mutateAsync({ params: { projectId, endpointId: webhook.id } })
    setSecret(answer.secret)
  }
  return (
    <>
      <ConfirmDialog
        trigger={<Button>Rotate secret</Button>}
        title={`Rotate the secret of ${webhook.name}?`}
        action="Rotate secret"
        tone="primary"
        onConfirm={confirmed}
      >
        You get a new secret. For 24 hours, requests are signed with both, so that you can update your server without
        losing an event. After that, the old secret is not used.
        {webhook.formerSecretUntil ? " A rotation is in progress: its old secret ends at once." : ""}
      </ConfirmDialog>
      {secret ? <SecretReveal secret={secret} rotated onStored={() => setSecret(undefined)} /> : null}
    </>
  )
}

type SecretRevealProps = { secret: string; rotated?: boolean; onStored: () => void }

/** Shows a secret this once; it closes by the one button that says so. */
export function SecretReveal({ secret, rotated, onStored }: SecretRevealProps) {
  return (
    <Dialog
      open
      locked
      title={rotated ? "The new signing secret" : "The signing secret"}
      description="Store it where your server can read it. It is not shown again; if it is lost, rotate it."
      footer={
        <>
          <CopyButton value={secret} variant="primary">
            Copy secret
          </CopyButton>
          <Button onClick={onStored}>I have stored it</Button>
        </>
      }
    >
      <CodeBlock code={secret} name="signing secret" className="text-text">
        <b>{secret}</b>
      </CodeBlock>
      <p className="mt-3 text-muted">
        {rotated
          ? "For 24 hours, every request carries two signatures, one of each secret. A server that has either secret accepts it."
          : "Your server uses it to verify requests. The webhook's page has code for that, ready to copy."}
      </p>
    </Dialog>
  )
}
