"use client"

import { useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { Button } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input, Textarea } from "@/components/ui/input"
import type { Tone } from "@/components/ui/pill"
import { type WebhookDelivery, deliveryRoute } from "@/components/webhooks/queries"
import { headersText } from "@/components/webhooks/sent-request"

export default function VerifyForm() {
  const client = useQueryClient()
  // What the page shows at this moment.
  const open = client.getQueryCache().findAll({ queryKey: [deliveryRoute], type: "active" })[0]?.state.data as
    | WebhookDelivery
    | undefined
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

export type Pasted = { headers: string; body: string; secret: string }
type Verdict = { tone: Tone; title: string; detail: string }

const prefix = "whsec_"
const toleranceSeconds = 300
const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const

type Names = (typeof names)[number]

/** Whether a request is one of ours, and if not, which part of it differs. Computed here: nothing leaves the browser. */
export async function verifyRequest({ headers, body, secret }: Pasted, nowMs: number): Promise<Verdict> {
  const found = headersOf(headers)
  const missing = names.filter((name) => !found[name])
  if (missing.length) return bad(`${missing.join(" and ")} missing`, "Paste the headers as name: value, one per line.")
  const key = keyOf(secret)
  if (!key) return bad("The secret is incomplete", "It must be whsec_ followed by base64.")
  const given: Given = { id: found["webhook-id"] ?? "", timestamp: found["webhook-timestamp"] ?? "", body }
  const signatures = (found["webhook-signature"] ?? "").split(/\s+/).filter(Boolean)
  const position = signatures.indexOf(await signatureOf(key, given))
  if (position < 0) return explained(key, given, signatures)
  const age = Math.round(nowMs / 1000 - Number(given.timestamp))
  if (Math.abs(age) > toleranceSeconds)
    return {
      tone: "warn",
      title: "The signature is valid, but old",
      detail: `It was made ${span(age)}. Receivers refuse more than 5 minutes, so that a request cannot be replayed.`,
    }
  const which = position === 0 ? "" : "It matches the second signature: this is the old secret. "
  return { tone: "good", title: "Valid", detail: `${which}Id, timestamp and body are unchanged.` }
}

type Key = Uint8Array<ArrayBuffer>
type Given = { id: string; timestamp: string; body: string }

/** Tries what usually happens to a request on its way into a program. */
async function explained(key: Key, given: Given, signatures: string[]): Promise<Verdict> {
  const fits = async (change: Partial<Given>) => signatures.includes(await signatureOf(key, { ...given, ...change }))
  for (const body of rewrittenBodies(given.body))
    if (await fits({ body }))
      return bad(
        "The body was changed",
        "Its values are the same, its bytes are not. Verify the request before parsing JSON.",
      )
  const id = /"id":\s*"(evt_[0-9a-z]{26})"/.exec(given.body)?.[1]
  if (id && id !== given.id && (await fits({ id })))
    return bad("The webhook-id was changed", `The signature was made for ${id}.`)
  if (!signatures.some((one) => one.startsWith("v1,")))
    return bad("No signature of version 1", "webhook-signature holds parts such as v1,base64, separated by spaces.")
  return bad(
    "No signature matches",
    "The secret is a different one, or the body, id or timestamp was changed. Copy all of them from one request.",
  )
}

function rewrittenBodies(body: string): string[] {
  const trimmed = body.trim()
  const crlf = trimmed.replaceAll("\r\n", "\n")
  try {
    return [trimmed, crlf, `${trimmed}\n`, JSON.stringify(JSON.parse(trimmed))]
  } catch {
    return [trimmed, crlf, `${trimmed}\n`]
  }
}

/** From lines, or from the -H arguments of a curl command; a signature on a line of its own goes on with the one before. */
function headersOf(text: string): Partial<Record<Names, string>> {
  const found: Partial<Record<Names, string>> = {}
  let last: Names | undefined
  for (const raw of text.split("\n")) {
    const line = unquoted(raw)
    const colon = line.indexOf(":")
    const name = names.find((one) => one === line.slice(0, Math.max(0, colon)).trim().toLowerCase())
    if (name) found[(last = name)] = line.slice(colon + 1).trim()
    else if (last === "webhook-signature" && line.startsWith("v1")) found[last] += ` ${line}`
    else last = undefined
  }
  return found
}

function unquoted(raw: string): string {
  const line = raw.trim().replace(/^-H\s/, "").replace(/\\$/, "").trim()
  return /^(['"]).*\1$/.test(line) ? line.slice(1, -1) : line
}

function keyOf(secret: string): Key | null {
  const text = secret.trim()
  if (!text.startsWith(prefix) || text.length === prefix.length) return null
  try {
    return Uint8Array.from(atob(text.slice(prefix.length)), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

async function signatureOf(bytes: Key, { id, timestamp, body }: Given): Promise<string> {
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  const mac = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${id}.${timestamp}.${body}`))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`
}

function bad(title: string, detail: string): Verdict {
  return { tone: "bad", title, detail }
}

function span(seconds: number): string {
  const size = Math.abs(seconds)
  const text = size < 7_200 ? `${Math.round(size / 60)} minutes` : `${Math.round(size / 3_600)} hours`
  return seconds < 0 ? `${text} ahead of this computer's clock` : `${text} ago`
}
