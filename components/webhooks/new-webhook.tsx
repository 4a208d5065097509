"use client"

import { useRouter } from "next/navigation"
import { useState } from "react"
import type { CallAnswer } from "@/components/data/call"
import { usualEvents } from "@/components/webhooks/event-words"
import { useCreateWebhook } from "@/components/webhooks/queries"
import { SecretReveal } from "@/components/webhooks/secret-card"
import { WebhookForm } from "@/components/webhooks/webhook-form"

type Created = CallAnswer<"POST /v1/projects/{projectId}/webhooks">

type NewWebhookFormProps = {
  projectId: string
  /** When email of the project's region counts as delivered. */
  delivered: string
}

export function NewWebhookForm({ projectId, delivered }: NewWebhookFormProps) {
  const router = useRouter()
  const create = useCreateWebhook()
  const [created, setCreated] = useState<Created>()
  const root = `/projects/${projectId}/webhooks`
  return (
    <>
      <WebhookForm
        projectId={projectId}
        delivered={delivered}
        initial={{ name: "", url: "", events: usualEvents(delivered), filters: [], transformations: [] }}
        action="Create webhook"
        refusal="The webhook was not created."
        back={root}
        save={async ({ name, ...values }) => {
          const body = { ...values, ...(name && { name }) }
          setCreated(await create.mutateAsync({ params: { projectId }, body }))
        }}
      />
      {created ? <SecretReveal secret={created.secret} onStored={() => router.push(`${root}/${created.id}`)} /> : null}
    </>
  )
}
