"use client"

import { useState, type FormEvent } from "react"
import { problemOf } from "@/components/api/problem"
import { useCall } from "@/components/api/use-call"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import type { Email } from "@/components/emails/types"

type RescheduleProps = { email: Email; projectId: string; onDone: () => void }

/** The form in the dialog of a scheduled email. */
export function Reschedule({ email, projectId, onDone }: RescheduleProps) {
  const move = useCall("PATCH /v1/emails/{emailId}", [
    "GET /v1/projects/{projectId}/emails",
    "GET /v1/projects/{projectId}/emails/{emailId}",
    "GET /v1/projects/{projectId}/emails/{emailId}/events",
  ])
  const [at, setAt] = useState(() => localOf(email.scheduledAt))
  const [fault, setFault] = useState("")

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (move.isPending) return
    const time = new Date(at)
    if (!Number.isFinite(time.getTime())) return setFault("Give a time.")
    setFault("")
    try {
      await move.mutateAsync({
        params: { emailId: email.id },
        query: { projectId },
        body: { scheduledAt: time.toISOString() },
      })
      toast.success("Email rescheduled")
      onDone()
    } catch (error) {
      const { errors, detail, title } = problemOf(error)
      setFault(errors?.[0]?.detail ?? detail ?? title)
    }
  }

  return (
    <form noValidate onSubmit={submit}>
      <Field
        label="Send at"
        error={fault}
        hint={`Your time, ${Intl.DateTimeFormat().resolvedOptions().timeZone}; 30 seconds to 30 days ahead.`}
        required
      >
        <Input
          type="datetime-local"
          autoFocus
          className="max-w-60"
          value={at}
          onChange={({ target }) => {
            setAt(target.value)
            setFault("")
          }}
        />
      </Field>
      <DialogFooter>
        <DialogClose>
          <Button>Keep the time</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={move.isPending}>
          Reschedule
        </Button>
      </DialogFooter>
    </form>
  )
}

/** As `datetime-local` writes a time: the reader's own clock, to the minute. */
function localOf(at: string | undefined): string {
  if (!at) return ""
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
