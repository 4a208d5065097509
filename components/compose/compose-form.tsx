"use client"

import { useQuery } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useMemo, useRef, useState, type FormEvent, lazy, Suspense } from "react"
import { problemOf } from "@/components/api/problem"
import { useCall } from "@/components/api/use-call"
import { topicsQuery } from "@/components/segments/queries"
import { Button } from "@/components/ui/button"
import { Columns } from "@/components/ui/columns"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { toast } from "@/components/ui/toast"
import { splitAddresses } from "@/components/compose/addresses"
import { CheckCard } from "@/components/compose/check-card"
import { checksOf } from "@/components/compose/checks"
import { ContentCard } from "@/components/compose/content-card"
import { controlId, messageOf, type Draft } from "@/components/compose/draft"
import type { Fault } from "@/components/compose/faults"
import { bodyOf, type Fields } from "@/components/compose/fields"
import { createKeys } from "@/components/compose/key-for"
import { moreFields, MoreCard } from "@/components/compose/more-card"
import { RecipientsCard } from "@/components/compose/recipients-card"
import { useAudience } from "@/components/compose/use-audience"
import { useRecipients } from "@/components/compose/use-recipients"
import { WhenCard } from "@/components/compose/when-card"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"

/** The rules that are checked when the email is sent. */
const loadFaults = () => import("@/components/compose/faults")

export type ComposeFormProps = {
  projectId: string
  baseUrl: string
  initial: Fields
  domains: { domain: string; status: string }[] | undefined
  maxRecipients: number
}

export function ComposeForm({ projectId, baseUrl, initial, domains, maxRecipients }: ComposeFormProps) {
  const router = useRouter()
  const send = useCall("POST /v1/emails", ["GET /v1/projects/{projectId}/emails"])
  const keyFor = useRef(createKeys())
  const submitting = useRef(false)
  const [fields, setFields] = useState(initial)
  const [refused, setRefused] = useState<{ faults: Fault[]; requestId?: string; count: number }>({
    faults: [],
    count: 0,
  })
  const [tab, setTab] = useState(initial.html || !initial.text ? "html" : "text")
  const [more, setMore] = useState(false)
  const [leaving, setLeaving] = useState(false)

  const [now, setNow] = useState(() => Date.now())
  const topics = useQuery(topicsQuery(projectId)).data?.data
  const topicId = topics?.every(({ id }) => id !== fields.topicId) ? "" : fields.topicId
  const recipients = useRecipients(
    projectId,
    useMemo(() => [fields.to, fields.cc, fields.bcc].flatMap(splitAddresses), [fields]),
    topicId,
  )
  const audience = useAudience(projectId, fields.to, topicId)
  const around = {
    domains,
    recipients,
    maxRecipients,
    ...(topics ? { topics } : {}),
    ...(audience ? { audience } : {}),
  }
  const checks = checksOf(fields, { ...around, now })
  const draft: Draft = {
    fields,
    recipients,
    errorOf: (field) => messageOf(refused.faults, field),
    change: (part) => {
      setNow(Date.now())
      setFields((before) => ({ ...before, ...part }))
      setRefused((before) => ({
        ...before,
        faults: before.faults.filter(({ field }) => field === "root" || !(field in part)),
      }))
    },
  }

  function refuse(faults: Fault[], requestId?: string) {
    const fieldsAtFault = faults.map(({ field }) => field)
    if (fieldsAtFault.some((field) => field !== "root" && moreFields.has(field))) setMore(true)
    // The summary leads to the control, which must be on the page.
    if (fieldsAtFault.includes("html")) setTab("html")
    else if (fieldsAtFault.includes("text")) setTab("text")
    setRefused(({ count }) => ({ faults, count: count + 1, ...(requestId ? { requestId } : {}) }))
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (submitting.current || leaving) return
    submitting.current = true
    try {
      const rules = await loadFaults().catch(() => null)
      if (rules) await sendUnlessFaulty(rules)
      else
        refuse([{ field: "root", message: "This page could not be loaded completely. Try again once you are online." }])
    } finally {
      submitting.current = false
    }
  }

  async function sendUnlessFaulty({ faultsOf, refusedFaults }: Awaited<ReturnType<typeof loadFaults>>) {
    const faults = faultsOf(fields, checksOf(fields, { ...around, now: Date.now() }))
    if (faults.length) return refuse(faults)
    const body = bodyOf(fields)
    try {
      const idempotencyKey = body.idempotencyKey ?? keyFor.current(JSON.stringify(body))
      const sent = await send.mutateAsync({ query: { projectId }, body: { ...body, idempotencyKey } })
      setLeaving(true)
      toast.success(sentWords(fields, sent.messages?.length ?? 1))
      router.push(`/projects/${projectId}/emails${sent.messages ? "" : `/${sent.id}`}`)
    } catch (error) {
      const problem = problemOf(error)
      refuse(refusedFaults(problem), problem.requestId)
    }
  }

  async function makeText() {
    const { textOfHtml } = await import("@/components/compose/text-of-html")
    draft.change({ text: textOfHtml(fields.html) })
    setTab("text")
  }

  return (
    <form noValidate onSubmit={submit} onFocus={() => void loadFaults().catch(() => undefined)} aria-label="Compose">
      <FormErrorSummary
        key={refused.count}
        title="The email was not sent."
        faults={refused.faults.map(({ field, message }) =>
          field === "root" ? { message } : { message, fieldId: controlId(field) },
        )}
        requestId={refused.requestId}
      />
      <Columns layout="end" className="items-start">
        <div className="min-w-0">
          <RecipientsCard projectId={projectId} draft={draft} senders={sendersOf(domains)} />
          <ContentCard draft={draft} tab={tab} onTab={setTab} onMakeText={makeText} />
          <WhenCard draft={draft} />
          <MoreCard draft={draft} open={more} onOpen={setMore} />
        </div>
        <div className="min-w-0 lg:sticky lg:top-4">
          <CheckCard checks={checks} projectId={projectId} onMakeText={makeText} />
          <div className="mb-4 flex flex-wrap justify-end gap-2">
            <CurlDialog fields={fields} baseUrl={baseUrl} />
            <Button type="submit" variant="primary" loading={send.isPending || leaving}>
              {sendWord(fields)}
            </Button>
          </div>
        </div>
      </Columns>
    </form>
  )
}

function sendersOf(domains: ComposeFormProps["domains"] = []): string[] {
  return domains
    .filter(({ status }) => status === "verified" || status === "degraded")
    .map(({ domain }) => `hello@${domain}`)
}

function sendWord({ testMode, when }: Fields): string {
  if (testMode) return when === "later" ? "Schedule test" : "Run test"
  return when === "later" ? "Schedule email" : "Send email"
}

function sentWords({ when }: Fields, count: number): string {
  const what = count === 1 ? "Email" : `${count} emails`
  return `${what} ${when === "later" ? "scheduled" : "accepted"}`
}

const loadCommand = () => import("@/components/compose/curl-command")
const CurlCommand = lazy(loadCommand)

/** The email in the form as a command, made when the dialog opens instead of at every keystroke. */
function CurlDialog({ fields, baseUrl }: { fields: Fields; baseUrl: string }) {
  return (
    <Dialog
      trigger={
        <Button onPointerEnter={() => void loadCommand()} onFocus={() => void loadCommand()}>
          Show as curl
        </Button>
      }
      title="Send this email with curl"
      description="The same request as one command. Set MAILROOM_API_KEY to one of your keys first."
      size="large"
    >
      <Suspense fallback={<Skeleton className="h-60" />}>
        <CurlCommand fields={fields} baseUrl={baseUrl} />
      </Suspense>
    </Dialog>
  )
}
