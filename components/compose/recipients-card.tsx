import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { audienceIn } from "@/components/compose/addresses"
import { controlId, type Draft } from "@/components/compose/draft"
import { RecipientsInput } from "@/components/compose/recipients-input"
import type { SendingDomain } from "@/components/compose/sender"
import { SenderField } from "@/components/compose/sender-field"
import { TopicField } from "@/components/compose/topic-field"
import { useAudiences } from "@/components/compose/use-audience"

type RecipientsCardProps = { projectId: string; draft: Draft; domains: SendingDomain[] }

/** Who it is from and who gets it, each with what a send would make of it. */
export function RecipientsCard({ projectId, draft, domains }: RecipientsCardProps) {
  const { fields, change, errorOf, recipients } = draft
  const audiences = useAudiences(projectId)
  const shared = { projectId, recipients }
  return (
    // Suggestions may be longer than the card.
    <Card aria-labelledby="compose-who" className="overflow-visible">
      <CardHeader id="compose-who" title="Sender and recipients" />
      <CardBody>
        <SenderField projectId={projectId} draft={draft} domains={domains} />
        <Field
          label="To"
          id={controlId("to")}
          error={errorOf("to")}
          hint={
            <>
              Contacts, addresses, or one segment or topic. Without Cc and Bcc, each gets a message of their own.
              <span className="sr-only"> The left arrow key goes to them: Enter edits one, Backspace removes it.</span>
            </>
          }
          required
        >
          <RecipientsInput {...shared} audiences={audiences} value={fields.to} onChange={(to) => change({ to })} />
        </Field>
        {audienceIn(fields.to) ? (
          <p className="mb-4 text-sm text-muted">
            Each person gets a message of their own, so there are no copies: this becomes a broadcast.
          </p>
        ) : (
          <div className="grid items-start gap-x-4 sm:grid-cols-2">
            <Field label="Cc" id={controlId("cc")} error={errorOf("cc")} optional>
              <RecipientsInput {...shared} value={fields.cc} onChange={(cc) => change({ cc })} />
            </Field>
            <Field label="Bcc" id={controlId("bcc")} error={errorOf("bcc")} optional className="last:mb-4">
              <RecipientsInput {...shared} value={fields.bcc} onChange={(bcc) => change({ bcc })} />
            </Field>
          </div>
        )}
        <TopicField projectId={projectId} draft={draft} />
      </CardBody>
    </Card>
  )
}
