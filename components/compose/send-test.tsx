"use client"

import { useRouter } from "next/navigation"
import { useRef } from "react"
import { problemOf } from "@/components/data/problem"
import { useCall } from "@/components/data/use-call"
import type { Fields } from "@/components/compose/fields"
import { createKeys } from "@/components/compose/key-for"
import { Button } from "@/components/ui/button"
import { toast } from "@/components/ui/toast"
import { presentBody } from "@/lib/emails/message-rules"

/** Sends what is written to the signed-in person alone, at once; the form stays as it is. */
export function SendTest({ projectId, fields, me }: { projectId: string; fields: Fields; me: string }) {
  const router = useRouter()
  const send = useCall("POST /v1/emails", ["GET /v1/projects/{projectId}/emails"])
  const keyFor = useRef(createKeys())
  const busy = useRef(false)
  const ready = Boolean(
    fields.from.trim() && fields.subject.trim() && (presentBody(fields.html) || presentBody(fields.text)),
  )

  async function sendTest() {
    // A second click comes before the button is drawn as busy.
    if (busy.current) return
    busy.current = true
    try {
      const { testOf } = await import("@/components/compose/broadcast")
      const body = testOf(fields, me)
      const idempotencyKey = keyFor.current(JSON.stringify(body))
      const { id } = await send.mutateAsync({ query: { projectId }, body: { ...body, idempotencyKey } })
      toast.success(`Test sent to ${me}`, {
        action: { label: "Open", onClick: () => router.push(`/projects/${projectId}/emails/${id}`) },
      })
    } catch (error) {
      const { detail, title } = problemOf(error)
      toast.error(`The test was not sent: ${detail ?? title}`)
    } finally {
      busy.current = false
    }
  }

  return (
    <Button disabled={!ready} loading={send.isPending} onClick={() => void sendTest()}>
      Send me a test
    </Button>
  )
}
