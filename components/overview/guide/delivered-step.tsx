import { useQuery } from "@tanstack/react-query"
import { useEffect, useEffectEvent } from "react"
import { explanationQuery } from "@/components/emails/queries"
import { sendCommand } from "@/components/emails/curl"
import { Preview } from "@/components/emails/preview"
import { firstEmail } from "@/components/overview/guide/first-email"
import type { GuideFor } from "@/components/overview/guide/types"
import { messageQuery, messagesQuery } from "@/components/sandbox/queries"
import { checkNames, checks, verdictWords } from "@/components/sandbox/verdicts"
import { ButtonLink } from "@/components/ui/button"
import { CopyButton } from "@/components/ui/copy-button"
import { Spinner } from "@/components/ui/spinner"

type DeliveredStepProps = GuideFor & {
  emailId: string
  from: string
  /** While it is in the memory of this page. */
  apiKey: string | undefined
  onDelivered: () => void
}

/** The email on its way, then what its receiver says of it, beside the message. */
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
  const delivered = useEffectEvent(onDelivered)
  useEffect(() => {
    if (ms !== undefined) delivered()
  }, [ms])
  const email = firstEmail(about)
  const code = sendCommand(about.baseUrl, { from: email.from, to: email.to, subject: email.subject, text: "It works." })
  return (
    <div className="grid lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <section className="border-line px-4 py-6 sm:px-6 max-lg:border-b lg:border-r">
        {ms === undefined ? (
          <h3 className="flex items-center gap-2 text-xl font-semibold">
            <Spinner /> {why?.recipients[0]?.evidence ? why.cause : "On its way"}
          </h3>
        ) : (
          <h3 className="text-2xl font-semibold">Delivered in {(ms / 1000).toFixed(1)} s</h3>
        )}
        {message ? (
          <>
            <p className="mt-1.5 text-muted">
              Received by the sandbox on this machine, which checked it the way a mailbox provider does.
            </p>
            <ul className="mt-4 divide-y divide-line border-y border-line">
              {checks.map((check) => {
                const { result } = message.verdicts[check]
                return (
                  <li key={check} className="py-2.5">
                    <b className="font-semibold">{checkNames[check]}</b>{" "}
                    <span className={tones[verdictWords(check, result).tone]}>{result}</span>
                    <span className="block text-sm text-muted">{verdictWords(check, result).means}</span>
                  </li>
                )
              })}
            </ul>
          </>
        ) : null}
        <div className="mt-5 flex flex-wrap gap-2">
          <ButtonLink href={`/projects/${projectId}/emails/${emailId}`}>Open email</ButtonLink>
          <CopyButton value={apiKey ? code.replace("$MAILROOM_API_KEY", apiKey) : code}>Copy curl command</CopyButton>
          {ms === undefined ? null : (
            <ButtonLink href={`/projects/${projectId}/domains`} variant="primary">
              Add your own domain
            </ButtonLink>
          )}
        </div>
      </section>
      <section aria-label="The message" className="min-w-0 bg-sunken">
        <Preview html={message?.html ?? email.html} />
      </section>
    </div>
  )
}

const tones: Record<string, string> = { good: "text-good", warn: "text-warn", bad: "text-bad" }

type Told = { events: { type: string; occurredAt: string }[] }

/** From accepted to delivered. */
function deliveredMs(why: Told | undefined): number | undefined {
  const at = (type: string) => why?.events.find((event) => event.type.replace("email.", "") === type)?.occurredAt
  const [from, to] = [at("queued"), at("delivered")]
  return from && to ? Math.max(0, Date.parse(to) - Date.parse(from)) : undefined
}
