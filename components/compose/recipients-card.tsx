import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Pill, type Tone } from "@/components/ui/pill"
import { Textarea } from "@/components/ui/textarea"
import { AudiencePicker } from "@/components/compose/audience-picker"
import { audienceIn } from "@/components/compose/addresses"
import type { Recipient } from "@/components/compose/check"
import { controlId, type Draft } from "@/components/compose/draft"
import { TopicField } from "@/components/compose/topic-field"

type RecipientsCardProps = { projectId: string; draft: Draft; domains: { domain: string; status: string }[] }

/** Who it is from and who gets it, each address with what a send would make of it. */
export function RecipientsCard({ projectId, draft, domains }: RecipientsCardProps) {
  const { fields, change, errorOf, recipients } = draft
  const plain = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const
  return (
    <Card aria-labelledby="compose-who">
      <CardHeader id="compose-who" title="Sender and recipients" />
      <CardBody>
        <Field label="From" id={controlId("from")} error={errorOf("from")} required>
          <Input
            {...plain}
            list="compose-senders"
            value={fields.from}
            placeholder="Acme <hello@acme.com>"
            onChange={({ target }) => change({ from: target.value })}
          />
        </Field>
        <datalist id="compose-senders">
          {domains.filter(isSending).map(({ domain }) => (
            <option key={domain} value={`hello@${domain}`} />
          ))}
        </datalist>
        <Field
          label="To"
          id={controlId("to")}
          error={errorOf("to")}
          hint="Several apart by comma or line. Without cc and bcc, each gets a message of their own."
          required
        >
          <Textarea {...plain} rows={2} value={fields.to} onChange={({ target }) => change({ to: target.value })} />
        </Field>
        <AudiencePicker projectId={projectId} to={fields.to} onPick={(to) => change({ to })} />
        {audienceIn(fields.to) ? (
          <p className="mb-4 text-sm text-muted">
            Each person gets a message of their own, so there are no copies: this becomes a broadcast.
          </p>
        ) : (
          <div className="grid gap-x-4 sm:grid-cols-2">
            <Field label="Cc" id={controlId("cc")} error={errorOf("cc")} optional>
              <Input {...plain} value={fields.cc} onChange={({ target }) => change({ cc: target.value })} />
            </Field>
            <Field label="Bcc" id={controlId("bcc")} error={errorOf("bcc")} optional className="last:mb-4">
              <Input {...plain} value={fields.bcc} onChange={({ target }) => change({ bcc: target.value })} />
            </Field>
          </div>
        )}
        <TopicField projectId={projectId} draft={draft} />
        {recipients.length > 0 ? <States recipients={recipients} /> : null}
      </CardBody>
    </Card>
  )
}

function isSending({ status }: { status: string }): boolean {
  return status === "verified" || status === "degraded"
}

const shownMax = 50

function States({ recipients }: { recipients: Recipient[] }) {
  const more = recipients.length - shownMax
  return (
    <ul aria-label="Recipients and their state" className="mt-4 grid gap-1.5 border-t border-line pt-3">
      {recipients.slice(0, shownMax).map((recipient) => (
        <li key={recipient.address} className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="min-w-0 [overflow-wrap:anywhere]">{recipient.address}</span>
          <StateOf recipient={recipient} />
        </li>
      ))}
      {more > 0 ? <li className="text-muted">and {more} more</li> : null}
    </ul>
  )
}

function StateOf({ recipient: { state, reason, detail } }: { recipient: Recipient }) {
  const { tone, word } = states[state]
  if (state === "invalid")
    return (
      <Pill tone={tone} tip={reason}>
        {word}
      </Pill>
    )
  const why = detail ? `${detail}. Nothing will be sent.` : reason && suppressedWhy[reason]
  return (
    <Pill tone={tone} tip={why}>
      {word}
    </Pill>
  )
}

const states: Record<Recipient["state"], { tone: Tone; word: string }> = {
  sendable: { tone: "good", word: "Will get it" },
  suppressed: { tone: "warn", word: "Suppressed" },
  invalid: { tone: "bad", word: "Not an address" },
  unknown: { tone: "wait", word: "Checking" },
}

const suppressedWhy: Record<string, string> = {
  bounce: "An earlier email bounced there. Nothing will be sent.",
  complaint: "They marked an earlier email as spam. Nothing will be sent.",
  unsubscribe: "They asked for no more mail. Nothing will be sent.",
  manual: "Somebody of this project put it on the suppression list. Nothing will be sent.",
  simulator: "This address of the simulator is always treated as suppressed.",
}
