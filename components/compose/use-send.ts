"use client"

import { useRef } from "react"
import { useCall } from "@/components/data/use-call"
import { audienceIn } from "@/components/compose/addresses"
import { bodyOf, type Fields } from "@/components/compose/fields"
import { createKeys } from "@/components/compose/key-for"

/** Where a send leads, below the project, and what is said of it. */
type Sent = { path: string; words: string }

/** Sends the email of the form, or makes the broadcast of it; the same content makes one of them, however often it is called. */
export function useSend(projectId: string) {
  const send = useCall("POST /v1/emails", ["GET /v1/projects/{projectId}/emails"])
  const broadcast = useCall("POST /v1/projects/{projectId}/broadcasts", ["GET /v1/projects/{projectId}/broadcasts"])
  const keyFor = useRef(createKeys())

  async function go(fields: Fields): Promise<Sent> {
    const later = fields.when === "later"
    if (audienceIn(fields.to)) {
      const { broadcastOf } = await import("@/components/compose/broadcast")
      const body = broadcastOf(fields)
      const idempotencyKey = body.idempotencyKey ?? keyFor.current(JSON.stringify(body))
      const made = await broadcast.mutateAsync({ params: { projectId }, body: { ...body, idempotencyKey } })
      return { path: `broadcasts/${made.id}`, words: later ? "Broadcast scheduled" : "Broadcast started" }
    }
    const body = bodyOf(fields)
    const idempotencyKey = body.idempotencyKey ?? keyFor.current(JSON.stringify(body))
    const sent = await send.mutateAsync({ query: { projectId }, body: { ...body, idempotencyKey } })
    const count = sent.messages?.length ?? 1
    const what = count === 1 ? "Email" : `${count} emails`
    return {
      path: sent.messages ? "emails" : `emails/${sent.id}`,
      words: `${what} ${later ? "scheduled" : "accepted"}`,
    }
  }

  return { go, pending: send.isPending || broadcast.isPending }
}

/** The word on the button. */
export function sendWord({ testMode, when }: Fields): string {
  if (testMode) return when === "later" ? "Schedule test" : "Run test"
  return when === "later" ? "Schedule email" : "Send email"
}
