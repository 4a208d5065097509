"use client"

import { useOpenedAt } from "@/components/ui/relative-time"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
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
import type { Broadcast } from "@/components/broadcasts/queries"
import { audienceIn, splitTypedAddresses } from "@/components/compose/addresses"
import { useAudience } from "@/components/compose/audience"
import { type CheckedRecipient, needsQuestion } from "@/components/compose/check"
import { CheckCard, PreviewCard } from "@/components/compose/before-sending"
import { useTitle } from "@/components/compose/compose-header"
import { ContentCard, tabOf } from "@/components/compose/content-card"
import {
  useStoredDraft,
  controlId,
  type KeptDraft,
  isWorthKeeping,
  type Kept,
  messageOf,
  useDraft,
} from "@/components/compose/drafts"
import { useExactPreview } from "@/components/compose/exact-preview"
import type { ComposeFault } from "@/components/compose/faults"
import type { Fields } from "@/components/compose/fields"
import { MoreCard, moreFields, WhenCard } from "@/components/compose/send-options"
import { RecipientsCard } from "@/components/compose/recipients-card"
import { SendActions, sendByKey, useSend } from "@/components/compose/send-actions"
import { usePublishedTemplates, usePublishedVersion } from "@/components/compose/templated"
import { call, problemOf } from "@/components/data/call"
import { projectDetail } from "@/components/data/query"
import { topicsQuery } from "@/components/segments/queries"
import { useSettled } from "@/components/ui/input"
import { Button } from "@/components/ui/button"
import { Columns } from "@/components/ui/card"
import { toast } from "@/components/ui/toast"
import { useGoOn, useStay } from "@/components/ui/leaving"

const FormErrorSummary = lazy(() =>
  import("@/components/ui/form-error-summary").then((module) => ({ default: module.FormErrorSummary })),
)

/** A draft of this browser, or one on the server, which all of the project see. */
export type OpenDraft = { id: string; fields: Fields; savedAt: number | null; stored: Broadcast | null }

export type AboutDraft = {
  /** Of the draft in this browser, or on the server. */
  id: string
  kept: Kept
  fields: Fields
  done: () => void
  /** Of a draft on the server: saves what is not saved yet. */
  save: () => Promise<void>
  overwrite: () => Promise<void>
}

export type ComposeFormProps = {
  projectId: string
  baseUrl: string
  draft: OpenDraft
  /** The line below the title, about this draft and the others. */
  line: (about: AboutDraft) => ReactNode
  /** Address of the signed-in person. */
  me: string
  domains: { domain: string; status: string }[] | undefined
  maxRecipients: number
}

export function ComposeForm({ projectId, baseUrl, draft, line, me, domains, maxRecipients }: ComposeFormProps) {
  const goOn = useGoOn()
  const formId = useId()
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
  /** For whom the preview is; empty for the first of the audience. */
  const [person, setPerson] = useState("")
  useTitle(fields.subject)
  const { stored, id, savedAt } = draft
  const own = useDraft(projectId, { id, savedAt, enabled: stored === null }, fields)
  const shared = useStoredDraft(projectId, stored, fields)
  const { done } = own
  const { save, overwrite } = shared
  const kept = stored ? shared.kept : own.kept
  const send = useSend(projectId, stored && { id: stored.id, save })
  const isSaving = stored !== null && kept.state === "saving"
  const isOpen = isSaving || kept.state === "changed" || kept.state === "refused"
  // What this browser cannot keep is gone with the page.
  const isLost = stored === null && (kept.state === "full" || fields.attachments.length > 0)
  useStay(
    !leaving && (isOpen || isLost),
    isSaving ? async () => (await save().catch(() => false)) !== false : undefined,
  )

  const { rules, load } = useRules(isWorthKeeping(draft.fields))
  const [now, setNow] = useState(useOpenedAt())
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
  const preview = useExactPreview(projectId, fields, variables, person)
  const tracksClicks = useQuery(projectDetail(projectId)).data?.trackingSettings.clickTracking
  const around = {
    domains,
    ...(templates ? { templates } : {}),
    ...(variables ? { variables } : {}),
    recipients,
    maxRecipients,
    ...(topics ? { topics } : {}),
    ...(audience ? { audience } : {}),
    ...(preview ? { preview } : {}),
    ...(tracksClicks === undefined ? {} : { tracksClicks }),
  }
  const checks = rules?.composeChecks(fields, { ...around, now }) ?? []
  /** Of exactly this content, and also what comes to be known while the question is open. */
  const openChecks = () =>
    rules
      ?.composeChecks(fields, { ...around, ...(preview?.outdated && { preview: {} }), now })
      .filter((check) => needsQuestion(check) || check.tone === "wait") ?? []
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

  async function sendUnlessFaulty({ composeChecks, faultsOf }: NonNullable<typeof rules>) {
    const found = composeChecks(fields, { ...around, now: Date.now() })
    const faults = faultsOf(fields, found)
    if (faults.length) return refuse(faults)
    if (audience || found.some(needsQuestion)) return setAsking(true)
    await sendNow()
  }

  /** What the API refuses is shown on its field. */
  async function sendNow() {
    try {
      const { path, words } = await send.go(fields)
      setLeaving(true)
      done()
      toast.success(words)
      goOn(`/projects/${projectId}/${path}`)
    } catch (error) {
      const { refusedFaults } = await import("@/components/compose/faults")
      const problem = problemOf(error)
      refuse(refusedFaults(problem), problem.requestId)
    }
  }

  async function makeText() {
    const { textOfHtml } = await import("@/components/compose/text-of-html")
    part.change({ text: textOfHtml(fields.html) })
    setTab("text")
  }

  return (
    <>
      <SendActions {...{ projectId, fields, me, domains, person }} form={formId} sending={send.pending || leaving} />
      {line({ id: own.id, kept, fields, done, save, overwrite })}
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
            <PreviewCard {...{ projectId, fields, preview, person }} onPerson={setPerson} />
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
          <AskSend {...{ fields, audience }} open={openChecks()} onClose={() => setAsking(false)} onConfirm={sendNow} />
        </Suspense>
      ) : null}
    </>
  )
}

// Shown after a press alone.
const AskSend = lazy(() => import("@/components/compose/send-dialogs").then((module) => ({ default: module.AskSend })))
const ComposeCurl = lazy(() =>
  import("@/components/compose/send-dialogs").then((loaded) => ({ default: loaded.ComposeCurl })),
)

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
