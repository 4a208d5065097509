import { Check } from "lucide-react"
import { type ReactNode, useEffect, useEffectEvent } from "react"
import type { CreatedKey } from "@/components/api-keys/key-forms"
import { shownOnce } from "@/components/api-keys/key-words"
import { useCreateKey } from "@/components/api-keys/queries"
import type { DialogName } from "@/components/data/add-dialog"
import { problemOf } from "@/components/data/call"
import { callThen, useCall, useOneAtATime } from "@/components/data/use-call"
import type { Domain } from "@/components/domains/queries"
import { recordGroups } from "@/components/domains/records"
import { Button, ButtonLink } from "@/components/ui/button"
import { CopyButton } from "@/components/ui/copy-button"
import { intend } from "@/components/ui/intent"
import { KeyValues } from "@/components/ui/key-values"
import { Spinner } from "@/components/ui/loading"
import { useStay } from "@/components/ui/leaving"
import type { Permission } from "@/lib/access/permissions"
import type { Region } from "@/lib/regions/regions"
import { useQuery } from "@tanstack/react-query"
import { sendCommand } from "@/components/emails/curl"
import { Journey, journeyOf } from "@/components/emails/journey"
import { EmailPreview } from "@/components/emails/preview"
import { emailQuery, explanationQuery } from "@/components/emails/queries"
import { type MessageDetail, messageQuery, messagesQuery } from "@/components/sandbox/queries"
import { checkNames, checks, verdictWords } from "@/components/sandbox/verdicts"
import { cn } from "@/components/ui/cn"
import { CodeBlock } from "@/components/ui/code-block"
import { useReaderTimes } from "@/components/ui/local-time"
import type { Tone } from "@/components/ui/pill"

/** What the guide needs to know of the project and the person. */
export type GuideFor = {
  projectId: string
  /** Of the installation, whose own DNS answers for it at once; null where email leaves the machine. */
  testDomain: string | null
  region: string
  baseUrl: string
  person: { email: string; name?: string }
}

type StepFrameProps = { title: string; children: ReactNode; actions?: ReactNode; error?: string | undefined }

/** One step of the guide: what it is, what was refused, and what to press. */
function StepFrame({ title, children, actions, error }: StepFrameProps) {
  return (
    <section className="max-w-200 px-4 py-6 sm:px-6">
      <h3 className="text-xl font-semibold">{title}</h3>
      <div className="mt-1.5 text-muted [overflow-wrap:anywhere]">{children}</div>
      {error ? (
        <p role="alert" className="mt-3 text-bad">
          {error}
        </p>
      ) : null}
      {actions ? <div className="mt-4 flex flex-wrap gap-2">{actions}</div> : null}
    </section>
  )
}

/** A domain of this installation, whose DNS is here, or one's own. */
export function DomainStep({ projectId, testDomain, region }: GuideFor) {
  const create = useCall("POST /v1/projects/{projectId}/domains", ["GET /v1/projects/{projectId}/domains"])
  const addOnce = useOneAtATime((domain: string) =>
    create.mutateAsync({ params: { projectId }, body: { domain, region: region as Region } }).catch(() => undefined),
  )
  const own = (
    <ButtonLink
      href={`/projects/${projectId}/domains`}
      variant={testDomain ? "default" : "primary"}
      onClick={() => intend("add-domain" satisfies DialogName)}
    >
      Use your own domain
    </ButtonLink>
  )
  return (
    <StepFrame
      title="Which domain do you send from?"
      error={create.error ? problemOf(create.error).detail : undefined}
      actions={
        testDomain ? (
          <>
            <Button
              ref={takeFocus}
              variant="primary"
              loading={create.isPending || create.isSuccess}
              onClick={() => void addOnce(testDomain)}
            >
              Use {testDomain}
            </Button>
            {own}
          </>
        ) : (
          own
        )
      }
    >
      {testDomain
        ? `${testDomain} exists only on this machine: its records are published automatically, and its email stays in the sandbox mailbox. You can add your own domain at any time.`
        : "The part after the @ of your sender. Copy its records to your DNS provider; each is ticked when it is found."}
    </StepFrame>
  )
}

/** The records of the domain, ticked as they are found. */
export function RecordsStep({ projectId, domain }: { projectId: string; domain: Domain | undefined }) {
  const records = domain ? recordGroups(domain).flatMap((group) => group.records) : []
  const found = records.filter(({ status }) => status === "verified").length
  return (
    <StepFrame
      title={`${found} of ${records.length} records found`}
      actions={
        domain ? <ButtonLink href={`/projects/${projectId}/domains/${domain.id}`}>Open the records</ButtonLink> : null
      }
    >
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {records.map(({ key, name, type, status }) => (
          <li key={key} className="flex items-center gap-3 py-2 text-text">
            {status === "verified" ? <Check aria-label="Found" className="size-4 shrink-0 text-good" /> : <Spinner />}
            <span className="mono w-14 shrink-0 text-muted">{type}</span>
            <span className="mono min-w-0 [overflow-wrap:anywhere]">{name}</span>
          </li>
        ))}
      </ul>
    </StepFrame>
  )
}

/** Code that sends also asks what became of it. */
const firstKeyPermissions: Permission[] = ["emails:send", "emails:read"]

type KeyStepProps = {
  projectId: string
  created: CreatedKey | undefined
  onCreated: (key: CreatedKey) => void
  onStored: () => void
}

/** A key that sends and reads email, shown this once. */
export function KeyStep({ projectId, created, onCreated, onStored }: KeyStepProps) {
  const create = useCreateKey()
  const createOnce = useOneAtATime(() =>
    create
      .mutateAsync({ params: { projectId }, body: { name: "First key", permissions: firstKeyPermissions } })
      .then(onCreated, () => undefined),
  )
  useStay(created !== undefined)
  if (created) {
    return (
      <StepFrame
        title="Store your API key"
        actions={
          <>
            <CopyButton value={created.apiKey} variant="primary">
              Copy key
            </CopyButton>
            <Button onClick={onStored}>I have stored it</Button>
          </>
        }
      >
        {shownOnce}
        <code className="mono mt-3 block rounded-md border border-line bg-sunken px-4 py-3 font-medium text-text select-all">
          {created.apiKey}
        </code>
      </StepFrame>
    )
  }
  return (
    <StepFrame
      title="Create a key for your code"
      error={create.error ? problemOf(create.error).detail : undefined}
      actions={
        <Button ref={takeFocus} variant="primary" loading={create.isPending} onClick={() => void createOnce()}>
          Create API key
        </Button>
      }
    >
      “First key” can send email and read what became of it, and nothing else. You can create keys with other
      permissions at any time.
    </StepFrame>
  )
}

type SendStepProps = GuideFor & { from: string; onSent: (emailId: string) => void }

/** The message is filled in; Send sends it, once however often it is pressed. */
export function SendStep({ onSent, ...about }: SendStepProps) {
  const { projectId } = about
  const send = useCall("POST /v1/emails", [])
  const email = firstEmail(about)
  return (
    <StepFrame
      title="Send the first email"
      error={send.error ? problemOf(send.error).detail : undefined}
      actions={
        <Button
          ref={takeFocus}
          variant="primary"
          loading={send.isPending}
          onClick={() =>
            callThen(send, { query: { projectId }, body: { ...email, idempotencyKey: "first-email" } }, ({ id }) =>
              onSent(id),
            )
          }
        >
          Send
        </Button>
      }
    >
      <KeyValues
        className="px-0"
        items={[
          { label: "From", value: email.from },
          { label: "To", value: email.to[0] },
          { label: "Subject", value: email.subject },
        ]}
      />
    </StepFrame>
  )
}

type First = { from: string; person: { email: string; name?: string }; baseUrl: string; projectId: string }

/** The first email of a project, sent to the person who set it up. */
export function firstEmail({ from, person: { email, name }, baseUrl, projectId }: First) {
  const hello = `Hello${name ? ` ${name.split(" ")[0]}` : ""},`
  const what = "This is the first email of your project. Your own Mailroom signed it, sent it and received it."
  const page = `${baseUrl}/projects/${projectId}/emails`
  return {
    from,
    to: [email],
    subject: "It works",
    text: `${hello}\n\n${what}\n\nSee how it got here: ${page}\n`,
    html: `<div style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;padding:24px"><p>${escaped(hello)}</p><p>${what}</p><p><a href="${page}" style="display:inline-block;background:#1b1b18;color:#fff;padding:10px 16px;border-radius:6px;text-decoration:none">See how it got here</a></p></div>`,
  }
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

/** The `ref` of a control that appears without a click: focuses it, unless another control has the focus. */
function takeFocus(control: HTMLElement | null) {
  if (control && document.activeElement === document.body) control.focus()
}

type DeliveredStepProps = GuideFor & {
  emailId: string
  from: string
  /** While it is in the memory of this page. */
  apiKey: string | undefined
  onDelivered: () => void
}

/** The email on its way, then what its receiver says of it beside the message, and what comes next. */
export function DeliveredStep({ emailId, apiKey, onDelivered, ...about }: DeliveredStepProps) {
  const { projectId } = about
  const why = useQuery({
    ...explanationQuery(projectId, emailId),
    refetchInterval: ({ state }) => (deliveredMs(state.data) === undefined ? 300 : false),
  }).data
  const ms = deliveredMs(why)
  const list = useQuery({
    ...messagesQuery(projectId),
    enabled: about.testDomain !== null,
    refetchInterval: ({ state }) => (state.data?.data.some((one) => one.emailId === emailId) ? false : 500),
  }).data
  const found = list?.data.find((one) => one.emailId === emailId)
  const message = useQuery({ ...messageQuery(projectId, found?.id ?? ""), enabled: found !== undefined }).data
  const sent = useQuery(emailQuery(projectId, emailId)).data
  const delivered = useEffectEvent(onDelivered)
  useEffect(() => {
    if (ms !== undefined) delivered()
  }, [ms])
  const email = firstEmail(about)
  const inReaderTime = useReaderTimes()
  const code = sendCommand(about.baseUrl, { from: email.from, to: email.to, subject: email.subject, text: "It works." })
  return (
    <>
      <div className="grid lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <section className="border-line py-6 max-lg:border-b lg:border-r">
          <div className="px-4 sm:px-6">
            {ms === undefined ? (
              <h3 className="flex items-center gap-2 text-xl font-semibold">
                <Spinner /> {why?.recipients[0]?.evidence ? inReaderTime(why.cause) : "On its way"}
              </h3>
            ) : (
              <h3 className="text-2xl font-semibold">Delivered in {(ms / 1000).toFixed(1)} s</h3>
            )}
            {message ? (
              <>
                <p className="mt-1.5 mb-4 text-muted">
                  Received by the sandbox on this machine, which checked it the way a mailbox provider does.
                </p>
                <VerdictList verdicts={message.verdicts} />
              </>
            ) : null}
          </div>
          {sent && why ? <Journey projectId={projectId} steps={journeyOf(sent, why)} /> : null}
          <div className="px-4 pt-2 sm:px-6">
            <ButtonLink href={`/projects/${projectId}/emails/${emailId}`}>Open email</ButtonLink>
          </div>
        </section>
        <section aria-label="The message" className="min-w-0 bg-sunken">
          <EmailPreview html={message?.html ?? email.html} />
        </section>
      </div>
      {ms === undefined ? null : (
        <>
          <section className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line px-4 py-4 sm:px-6">
            <div className="min-w-0">
              <h3 className="font-semibold">Next: send from your own domain</h3>
              <p className="text-muted">
                Copy its DNS records to your provider and watch each one being found. Allow 10 minutes.
              </p>
            </div>
            <ButtonLink
              href={`/projects/${projectId}/domains`}
              variant="primary"
              onClick={() => intend("add-domain" satisfies DialogName)}
            >
              Add your own domain
            </ButtonLink>
          </section>
          <section className="border-t border-line px-4 py-4 sm:px-6">
            <h3 className="mb-2.5">
              <b className="font-semibold">The same from your code</b>
              <span className="ml-2 text-muted">
                {apiKey ? "Copies with your key while this page is open" : "Set MAILROOM_API_KEY to your key first"}
              </span>
            </h3>
            <CodeBlock name="curl command" code={apiKey ? code.replace("$MAILROOM_API_KEY", apiKey) : code}>
              {code}
            </CodeBlock>
          </section>
        </>
      )}
    </>
  )
}

type Told = { events: { type: string; occurredAt: string }[] }

/** From accepted to delivered. */
function deliveredMs(why: Told | undefined): number | undefined {
  const at = (type: string) => why?.events.find((event) => event.type.replace("email.", "") === type)?.occurredAt
  const [from, to] = [at("queued"), at("delivered")]
  return from && to ? Math.max(0, Date.parse(to) - Date.parse(from)) : undefined
}

/** What the receiver found, a line for each check. */
function VerdictList({ verdicts }: { verdicts: MessageDetail["verdicts"] }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {checks.map((check) => {
        const { result } = verdicts[check]
        const { tone, means } = verdictWords(check, result)
        return (
          <li key={check} className="grid grid-cols-[60px_60px_minmax(0,1fr)] items-baseline py-2.5">
            <b className="font-semibold">{checkNames[check]}</b>{" "}
            <span className={cn("flex items-center gap-2", text[tone])}>
              <span aria-hidden="true" className={cn("size-2 rounded-full", fill[tone])} />
              {result}
            </span>{" "}
            <span className="text-sm text-muted">{means}</span>
          </li>
        )
      })}
    </ul>
  )
}

const text: Record<Tone, string> = { wait: "text-muted", good: "text-good", warn: "text-warn", bad: "text-bad" }
const fill: Record<Tone, string> = { wait: "bg-wait", good: "bg-good", warn: "bg-warn", bad: "bg-bad" }
