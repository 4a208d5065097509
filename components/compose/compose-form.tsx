"use client"

import { useQuery } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { lazy, Suspense, useId, useMemo, useRef, useState, type FormEvent, type ReactNode } from "react"
import { problemOf } from "@/components/data/problem"
import { topicsQuery } from "@/components/segments/queries"
import { Columns } from "@/components/ui/columns"
import { toast } from "@/components/ui/toast"
import { splitAddresses } from "@/components/compose/addresses"
import { CheckCard } from "@/components/compose/check-card"
import { PreviewCard } from "@/components/compose/preview-card"
import { isWorthKeeping } from "@/components/compose/drafts"
import { SendActions, sendByKey } from "@/components/compose/send-actions"
import { ShowCurl } from "@/components/compose/show-curl"
import { useDraft, type Kept } from "@/components/compose/use-draft"
import { useSend } from "@/components/compose/use-send"
import { ContentCard, tabOf } from "@/components/compose/content-card"
import { controlId, messageOf, type Draft } from "@/components/compose/draft"
import type { Fault } from "@/components/compose/faults"
import type { Fields } from "@/components/compose/fields"
import { moreFields, MoreCard } from "@/components/compose/more-card"
import { RecipientsCard } from "@/components/compose/recipients-card"
import { useAudience } from "@/components/compose/use-audience"
import { useTitle } from "@/components/compose/title"
import { useRules } from "@/components/compose/use-rules"
import { useRecipients } from "@/components/compose/use-recipients"
import { WhenCard } from "@/components/compose/when-card"

const AskMany = lazy(() => import("@/components/compose/ask-many").then((module) => ({ default: module.AskMany })))
const FormErrorSummary = lazy(() =>
  import("@/components/ui/form-error-summary").then((module) => ({ default: module.FormErrorSummary })),
)

/** People from whose number on a send asks once. */
const manyPeople = 100

export type ComposeFormProps = {
  projectId: string
  baseUrl: string
  draft: { id: string; fields: Fields; savedAt: number | null }
  /** The line below the title, about this draft and the others. */
  line: (kept: Kept, done: () => void) => ReactNode
  /** Address of the signed-in person. */
  me: string
  domains: { domain: string; status: string }[] | undefined
  maxRecipients: number
}

export function ComposeForm({ projectId, baseUrl, draft, line, me, domains, maxRecipients }: ComposeFormProps) {
  const router = useRouter()
  const formId = useId()
  const send = useSend(projectId)
  const submitting = useRef(false)
  const [fields, setFields] = useState(draft.fields)
  const [refused, setRefused] = useState<{ faults: Fault[]; requestId?: string; count: number }>({
    faults: [],
    count: 0,
  })
  const [tab, setTab] = useState(() => tabOf(draft.fields))
  const [more, setMore] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [asking, setAsking] = useState(false)
  useTitle(fields.subject)
  const { kept, done } = useDraft(projectId, draft.id, fields, draft.savedAt)

  const { rules, load } = useRules(isWorthKeeping(draft.fields))
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
  const people = audience?.preview?.sendable ?? 0
  const checks = rules?.checksOf(fields, { ...around, now }) ?? []
  const part: Draft = {
    fields,
    recipients,
    errorOf: (field) => messageOf(refused.faults, field),
    change: (changed) => {
      setNow(Date.now())
      setFields((before) => ({ ...before, ...changed }))
      setRefused((before) => ({
        ...before,
        faults: before.faults.filter(({ field }) => field === "root" || !(field in changed)),
      }))
    },
  }

  function refuse(faults: Fault[], requestId?: string) {
    const fieldsAtFault = faults.map(({ field }) => field)
    if (fieldsAtFault.some((field) => field !== "root" && moreFields.has(field))) setMore(true)
    // The summary leads to the control, which must be on the page.
    const body = (["write", "html", "text"] as const).find((field) => fieldsAtFault.includes(field))
    if (body) setTab(body)
    setRefused(({ count }) => ({ faults, count: count + 1, ...(requestId ? { requestId } : {}) }))
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (submitting.current || leaving) return
    submitting.current = true
    try {
      const rules = await load()
      if (rules) await sendUnlessFaulty(rules)
      else
        refuse([{ field: "root", message: "This page could not be loaded completely. Try again once you are online." }])
    } finally {
      submitting.current = false
    }
  }

  async function sendUnlessFaulty({ checksOf, faultsOf, refusedFaults }: NonNullable<typeof rules>) {
    const faults = faultsOf(fields, checksOf(fields, { ...around, now: Date.now() }))
    if (faults.length) return refuse(faults)
    if (people > manyPeople) return setAsking(true)
    try {
      await sendNow()
    } catch (error) {
      const problem = problemOf(error)
      refuse(refusedFaults(problem), problem.requestId)
    }
  }

  async function sendNow() {
    const { path, words } = await send.go(fields)
    setLeaving(true)
    done()
    toast.success(words)
    router.push(`/projects/${projectId}/${path}`)
  }

  async function makeText() {
    const { textOfHtml } = await import("@/components/compose/text-of-html")
    part.change({ text: textOfHtml(fields.html) })
    setTab("text")
  }

  return (
    <>
      <SendActions {...{ projectId, fields, me, domains }} form={formId} sending={send.pending || leaving} />
      {line(kept, done)}
      <form
        id={formId}
        noValidate
        onSubmit={submit}
        onKeyDown={sendByKey}
        onFocus={() => void load()}
        aria-label="Compose"
        // What has the focus is not behind the buttons.
        className="max-sm:pb-10 max-sm:[&_:focus]:scroll-mb-20"
      >
        {refused.faults.length > 0 ? (
          <Suspense>
            <FormErrorSummary
              key={refused.count}
              title="The email was not sent."
              faults={refused.faults.map(({ field, message }) =>
                field === "root" ? { message } : { message, fieldId: controlId(field) },
              )}
              requestId={refused.requestId}
            />
          </Suspense>
        ) : null}
        <Columns className="items-start">
          <div className="min-w-0">
            <RecipientsCard projectId={projectId} draft={part} domains={domains ?? []} />
            <ContentCard draft={part} tab={tab} onTab={setTab} onMakeText={makeText} />
            <WhenCard draft={part} />
            <MoreCard draft={part} open={more} onOpen={setMore} />
          </div>
          <div className="min-w-0 lg:sticky lg:top-4">
            <PreviewCard fields={fields} />
            <CheckCard
              {...{ checks, projectId }}
              onMakeText={makeText}
              actions={<ShowCurl {...{ projectId, baseUrl, fields }} />}
            />
          </div>
        </Columns>
      </form>
      {asking ? (
        <Suspense>
          <AskMany {...{ people, fields }} onClose={() => setAsking(false)} onConfirm={sendNow} />
        </Suspense>
      ) : null}
    </>
  )
}
