"use client"

import { useQueryClient } from "@tanstack/react-query"
import { useState, type FormEvent } from "react"
import { Button } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Textarea } from "@/components/ui/textarea"
import { deliveryRoute, type Delivery } from "@/components/webhooks/queries"
import { headersText } from "@/components/webhooks/sent-request"
import { verifyRequest, type Verdict } from "@/components/webhooks/verify-request"

export default function VerifyForm() {
  const client = useQueryClient()
  // What the page shows at this moment.
  const open = client.getQueryCache().findAll({ queryKey: [deliveryRoute], type: "active" })[0]?.state.data as
    Delivery | undefined
  const sent = open?.attempts?.findLast(({ requestHeaders }) => requestHeaders)?.requestHeaders
  const [headers, setHeaders] = useState(sent ? headersText(sent) : "")
  const [body, setBody] = useState(sent ? (open?.payload ?? "") : "")
  const [secret, setSecret] = useState("")
  const [verdict, setVerdict] = useState<Verdict>()

  async function check(event: FormEvent) {
    event.preventDefault()
    // Browsers compute signatures for secure origins alone.
    if (!window.isSecureContext) return setVerdict(insecure)
    setVerdict(await verifyRequest({ headers, body, secret }, Date.now()))
  }
  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      setVerdict(undefined)
    }
  return (
    <form method="post" onSubmit={(event) => void check(event)}>
      <Field label="Secret" hint="It is not stored.">
        <Input
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="whsec_…"
          value={secret}
          onChange={({ target }) => changed(setSecret)(target.value)}
        />
      </Field>
      <Field label="Headers" hint={sent ? "From the open delivery." : "As name: value, one per line."}>
        <Textarea
          mono
          rows={5}
          spellCheck={false}
          value={headers}
          onChange={({ target }) => changed(setHeaders)(target.value)}
        />
      </Field>
      <Field label="Body" hint="Exactly as it was received.">
        <Textarea
          mono
          rows={6}
          spellCheck={false}
          value={body}
          onChange={({ target }) => changed(setBody)(target.value)}
        />
      </Field>
      <div aria-live="polite">
        {verdict ? (
          <Callout tone={verdict.tone} title={verdict.title} className="mb-0">
            {verdict.detail}
          </Callout>
        ) : null}
      </div>
      <DialogFooter>
        <Button type="submit" variant="primary">
          Check
        </Button>
        <DialogClose>
          <Button>Close</Button>
        </DialogClose>
      </DialogFooter>
    </form>
  )
}

const insecure: Verdict = {
  tone: "warn",
  title: "Not available here",
  detail: "Browsers compute signatures only on https pages and on localhost. Open the dashboard by https.",
}
