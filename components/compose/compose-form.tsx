"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import {
  type FormEvent,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react"
import { audienceIn, splitTypedAddresses } from "@/components/compose/addresses"
import { useAudience } from "@/components/compose/audience"
import type { ComposeCheck, CheckedRecipient } from "@/components/compose/check"
import { useTitle } from "@/components/compose/compose-header"
import { ContentCard, tabOf } from "@/components/compose/content-card"
import { controlId, type KeptDraft, isWorthKeeping, type Kept, messageOf, useDraft } from "@/components/compose/drafts"
import type { ComposeFault } from "@/components/compose/faults"
import type { Fields } from "@/components/compose/fields"
import { MoreCard, moreFields } from "@/components/compose/more-card"
import { PreviewCard } from "@/components/compose/preview-card"
import { RecipientsCard } from "@/components/compose/recipients-card"
import { SendActions, sendByKey, sendWord, useSend } from "@/components/compose/send-actions"
import { usePublishedTemplates, usePublishedVersion } from "@/components/compose/templated"
import { WhenCard } from "@/components/compose/when-card"
import { call, problemOf } from "@/components/data/call"
import { topicsQuery } from "@/components/segments/queries"
import { useSettled } from "@/components/segments/use-settled"
import { Button, ButtonLink } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { Columns } from "@/components/ui/columns"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import type { Tone } from "@/components/ui/pill"
import { formatNumber } from "@/lib/platform/format"
import { toast } from "@/components/ui/toast"

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
  const [refused, setRefused] = useState<{ faults: ComposeFault[]; requestId?: string; count: number }>({
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
    useMemo(() => [fields.to, fields.cc, fields.bcc].flatMap(splitTypedAddresses), [fields]),
    topicId,
  )
  const audience = useAudience(projectId, fields.to, topicId)
  const templates = usePublishedTemplates(projectId)
  const variables = usePublishedVersion(projectId, fields.template)?.variables
  const around = {
    domains,
    ...(templates ? { templates } : {}),
    ...(variables ? { variables } : {}),
    recipients,
    maxRecipients,
    ...(topics ? { topics } : {}),
    ...(audience ? { audience } : {}),
  }
  const people = audience?.preview?.sendable ?? 0
  const checks = rules?.composeChecks(fields, { ...around, now }) ?? []
  const part: KeptDraft = {
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

  function refuse(faults: ComposeFault[], requestId?: string) {
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

  async function sendUnlessFaulty({ composeChecks, faultsOf, refusedFaults }: NonNullable<typeof rules>) {
    const faults = faultsOf(fields, composeChecks(fields, { ...around, now: Date.now() }))
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
            <ContentCard projectId={projectId} draft={part} tab={tab} onTab={setTab} onMakeText={makeText} />
            <WhenCard draft={part} />
            <MoreCard draft={part} open={more} onOpen={setMore} />
          </div>
          <div className="min-w-0 lg:sticky lg:top-4">
            <PreviewCard projectId={projectId} fields={fields} />
            <CheckCard
              {...{ checks, projectId }}
              onMakeText={makeText}
              actions={<ShowCurl {...{ projectId, baseUrl, fields }} />}
            />
          </div>
        </Columns>
      </form>
      {asking ? <AskMany {...{ people, fields }} onClose={() => setAsking(false)} onConfirm={sendNow} /> : null}
    </>
  )
}

type AskManyProps = { people: number; fields: Fields; onClose: () => void; onConfirm: () => Promise<void> }

/** Asks before many people get something. */
function AskMany({ people, fields, onClose, onConfirm }: AskManyProps) {
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Send to ${formatNumber(people)} people?`}
      action={sendWord(fields)}
      tone="primary"
      onConfirm={onConfirm}
    >
      Each gets a separate message, from {fields.from}. You can pause it and cancel what has not been sent.
    </ConfirmDialog>
  )
}

type CheckCardProps = { checks: ComposeCheck[]; projectId: string; onMakeText: () => void; actions: ReactNode }

/** What is known of the email before it leaves, in words, with the fix beside what needs one. */
function CheckCard({ checks, projectId, onMakeText, actions }: CheckCardProps) {
  return (
    <Card aria-labelledby="compose-check">
      <CardHeader id="compose-check" title="Before you send" actions={actions} />
      {checks.length === 0 ? (
        <p className="px-4 py-3 text-muted">Sender, recipients and content are checked here while you write.</p>
      ) : null}
      <ul>
        {checks.map(({ id, tone, title, detail, fix }) => (
          <li key={id} className="border-b border-line px-4 py-2.5 last:border-b-0">
            <div className="flex items-start gap-3">
              <span aria-hidden="true" className={cn("mt-1.5 size-2 shrink-0 rounded-full", fill[tone])} />
              <b className="min-w-0 flex-1 font-medium">{title}</b>
              <span className={cn("text-sm", text[tone])}>{words[tone]}</span>
            </div>
            {detail ? <p className="ml-5 text-sm text-muted [overflow-wrap:anywhere]">{detail}</p> : null}
            {fix === "text" ? (
              <Button size="small" className="mt-1.5 ml-5" onClick={onMakeText}>
                Make it from the HTML
              </Button>
            ) : null}
            {fix === "domains" ? (
              <ButtonLink size="small" className="mt-1.5 ml-5" href={`/projects/${projectId}/domains`}>
                Domains
              </ButtonLink>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const words: Record<Tone, string> = { good: "Good", warn: "Check", bad: "Blocks sending", wait: "Missing" }
/** What is well needs no word that everybody reads. */
const text: Record<Tone, string> = { good: "sr-only", warn: "text-warn", bad: "text-bad", wait: "text-muted" }
const fill: Record<Tone, string> = { good: "bg-good", warn: "bg-warn", bad: "bg-bad", wait: "bg-wait" }

const ComposeCurl = lazy(() => import("@/components/compose/curl-dialog"))

type ShowCurlProps = { projectId: string; baseUrl: string; fields: Fields }

/** The way to send the same from a program. */
function ShowCurl({ projectId, baseUrl, fields }: ShowCurlProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="link" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Show as curl
      </Button>
      {open ? (
        <Suspense>
          <ComposeCurl fields={fields} projectId={projectId} baseUrl={baseUrl} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

const route = "POST /v1/projects/{projectId}/emails/check-recipients"
const checkedMax = 1_000

/** The state of each address, once the person has stopped typing for a moment; unknown until then. */
function useRecipients(projectId: string, addresses: string[], topicId: string): CheckedRecipient[] {
  const typed = [...new Set(addresses)]
    .filter((address) => audienceIn(address) === null)
    .slice(0, checkedMax)
    .join("\n")
  const asked = useSettled(typed)

  const { data } = useQuery({
    queryKey: [route, projectId, topicId, asked],
    enabled: asked !== "",
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    queryFn: () =>
      call(route, { params: { projectId }, body: { addresses: asked.split("\n"), ...(topicId ? { topicId } : {}) } }),
  })
  const known = new Map<string, CheckedRecipient>(data?.data.map((one) => [one.address, one]))
  return typed === "" ? [] : typed.split("\n").map((address) => known.get(address) ?? { address, state: "unknown" })
}

type Rules = typeof import("@/components/compose/checks") & typeof import("@/components/compose/faults")

let known: Rules | null = null

/** Null while the rules cannot be loaded (offline, or after another version was deployed); sending then shows an error. */
async function readRules(): Promise<Rules | null> {
  try {
    const [checks, faults] = await Promise.all([
      import("@/components/compose/checks"),
      import("@/components/compose/faults"),
    ])
    return (known ??= { ...checks, ...faults })
  } catch {
    return null
  }
}

/** The rules that check an email: loaded at once for a draft, else when the form is first used. */
function useRules(atOnce: boolean) {
  const [rules, setRules] = useState(known)
  const load = useCallback(async () => {
    const read = await readRules()
    setRules(read)
    return read
  }, [])
  useEffect(() => {
    if (atOnce) void readRules().then(setRules)
  }, [atOnce])
  return { rules, load }
}
