import { useQuery } from "@tanstack/react-query"
import { useEffect, useEffectEvent } from "react"
import type { DialogName } from "@/components/data/add-dialog"
import { sendCommand } from "@/components/emails/curl"
import { Journey } from "@/components/emails/journey"
import { journeyOf } from "@/components/emails/journey-steps"
import { EmailPreview } from "@/components/emails/preview"
import { emailQuery, explanationQuery } from "@/components/emails/queries"
import { firstEmail, type GuideFor } from "@/components/overview/guide/steps"
import { type MessageDetail, messageQuery, messagesQuery } from "@/components/sandbox/queries"
import { checkNames, checks, verdictWords } from "@/components/sandbox/verdicts"
import { ButtonLink } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { CodeBlock } from "@/components/ui/code-block"
import { intend } from "@/components/ui/intent"
import { useReaderTimes } from "@/components/ui/reader-times"
import type { Tone } from "@/components/ui/pill"
import { Spinner } from "@/components/ui/spinner"

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
