"use client"

import { type KeyboardEvent, useRef } from "react"
import { createPortal } from "react-dom"
import { audienceIn } from "@/components/compose/addresses"
import { useActionsPlace } from "@/components/compose/compose-header"
import { bodyOfFields, type Fields } from "@/components/compose/fields"
import type { SenderDomain } from "@/components/compose/recipients-card"
import { problemOf } from "@/components/data/call"
import { useCall } from "@/components/data/use-call"
import { Button } from "@/components/ui/button"
import { useGo } from "@/components/ui/leaving"
import { toast } from "@/components/ui/toast"
import { presentBody } from "@/lib/emails/message-rules"

type SendActionsProps = {
  projectId: string
  fields: Fields
  me: string
  sending: boolean
  domains: readonly SenderDomain[] | undefined
  /** Whose values a test of a broadcast shows; empty for the first of its audience. */
  person: string
  /** Id of the form that the last of them submits. */
  form: string
}

/** What is done with what has been written: at the top right, on a phone always at hand at the bottom. */
export function SendActions({ projectId, fields, me, sending, domains, person, form }: SendActionsProps) {
  const place = useActionsPlace()
  if (!place) return null
  const noSender = domains?.length === 0 && !fields.from
  return createPortal(
    <div className="flex gap-2 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-10 max-sm:border-t max-sm:border-line max-sm:bg-bg max-sm:px-4 max-sm:py-3 max-sm:[&>button]:flex-1">
      <SendTest {...{ projectId, fields, me, person }} />
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

/** Sends what is written to the signed-in person alone, at once; the form stays as it is. */
function SendTest({ projectId, fields, me, person }: Pick<SendActionsProps, "projectId" | "fields" | "me" | "person">) {
  const go = useGo()
  const send = useCall("POST /v1/emails", ["GET /v1/projects/{projectId}/emails"])
  const keyFor = useRef(createKeys())
  const busy = useRef(false)
  const ready = Boolean(
    fields.from.trim() &&
    (fields.template || (fields.subject.trim() && (presentBody(fields.html) || presentBody(fields.text)))),
  )

  async function sendTest() {
    // A second click comes before the button is drawn as busy.
    if (busy.current) return
    busy.current = true
    try {
      const { testOf } = await import("@/components/compose/broadcast")
      const { personalContent } = await import("@/components/compose/exact-preview")
      const body = testOf({ ...fields, ...(await personalContent(projectId, fields, person)) }, me)
      const idempotencyKey = keyFor.current(JSON.stringify(body))
      const { id } = await send.mutateAsync({ query: { projectId }, body: { ...body, idempotencyKey } })
      toast.success(`Test sent to ${me}`, {
        action: { label: "Open", onClick: () => go(`/projects/${projectId}/emails/${id}`) },
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

/** Where a send leads, below the project, and what is said of it. */
type Sent = { path: string; words: string }

/** A draft on the server, and what saves its last changes. */
type StoredDraft = { id: string; save: () => Promise<void> }

/** Sends the email of the form, or makes the broadcast of it; the same content makes one of them, however often it is called. */
export function useSend(projectId: string, stored: StoredDraft | null) {
  const send = useCall("POST /v1/emails", ["GET /v1/projects/{projectId}/emails"])
  const broadcast = useCall("POST /v1/projects/{projectId}/broadcasts", ["GET /v1/projects/{projectId}/broadcasts"])
  const sendDraft = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/send", [
    "GET /v1/projects/{projectId}/broadcasts",
  ])
  const keyFor = useRef(createKeys())

  async function go(fields: Fields): Promise<Sent> {
    const later = fields.when === "later"
    const broadcastWords = later ? "Broadcast scheduled" : "Broadcast started"
    if (stored) {
      await stored.save()
      await sendDraft.mutateAsync({ params: { projectId, broadcastId: stored.id } })
      return { path: `broadcasts/${stored.id}`, words: broadcastWords }
    }
    if (audienceIn(fields.to)) {
      const { broadcastOf } = await import("@/components/compose/broadcast")
      const body = broadcastOf(fields)
      const idempotencyKey = body.idempotencyKey ?? keyFor.current(JSON.stringify(body))
      const made = await broadcast.mutateAsync({ params: { projectId }, body: { ...body, idempotencyKey } })
      return { path: `broadcasts/${made.id}`, words: broadcastWords }
    }
    const body = bodyOfFields(fields)
    const idempotencyKey = body.idempotencyKey ?? keyFor.current(JSON.stringify(body))
    const sent = await send.mutateAsync({ query: { projectId }, body: { ...body, idempotencyKey } })
    const count = sent.messages?.length ?? 1
    const what = count === 1 ? "Email" : `${count} emails`
    return {
      path: sent.messages ? "emails" : `emails/${sent.id}`,
      words: `${what} ${later ? "scheduled" : "accepted"}`,
    }
  }

  return { go, pending: send.isPending || broadcast.isPending || sendDraft.isPending }
}

/** The word on the button. */
export function sendWord({ testMode, when }: Fields): string {
  if (testMode) return when === "later" ? "Schedule test" : "Run test"
  return when === "later" ? "Schedule email" : "Send email"
}

/**
 * The idempotency key of a draft that names none: the same for the same content, so that pressing Send again after a
 * lost answer makes no second email, and another as soon as a word has changed.
 */
export function createKeys(random: () => string = randomText): (content: string) => string {
  let last: { content: string; key: string } | undefined
  return (content) => {
    if (last?.content !== content) last = { content, key: `compose-${random()}` }
    return last.key
  }
}

/** `crypto.randomUUID` is missing where the page is not served by https. */
function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
