import type { ReactNode } from "react"
import { bareAddress, nameOf } from "@/components/emails/address"
import { Journey } from "@/components/emails/journey"
import { answerOf, journeyOf } from "@/components/emails/journey-steps"
import type { Email, Explanation } from "@/components/emails/types"
import { textOfHtml } from "@/components/compose/text-of-html"
import { CopyText } from "@/components/ui/copy-text"
import { KeyValues } from "@/components/ui/key-values"
import { presentBody } from "@/lib/emails/message-rules"

type PeekContentProps = { projectId: string; email: Email; explanation: Explanation }

/** What became of the email, how it begins, and what it carries. */
export function PeekContent({ projectId, email, explanation }: PeekContentProps) {
  const { to, from, subject, tags, id } = email
  const first = presentBody(email.text) ?? textOfHtml(presentBody(email.html) ?? "")
  return (
    <>
      <div className="px-5 py-4">
        <h2 className="text-lg font-semibold [overflow-wrap:anywhere]">{subject}</h2>
        {to.map((header) => (
          <p key={header} className="text-muted [overflow-wrap:anywhere]">
            to <span className="text-text">{bareAddress(header)}</span> {nameOf(header)}
          </p>
        ))}
        <p className="text-muted [overflow-wrap:anywhere]">from {bareAddress(from)}</p>
      </div>
      <Part title={answerOf(email, explanation)}>
        <Journey projectId={projectId} steps={journeyOf(email, explanation)} />
      </Part>
      {first ? (
        <Part title="First lines">
          <p className="mx-5 mt-1.5 mb-3.5 line-clamp-3 [overflow-wrap:anywhere] whitespace-pre-line">
            {first.slice(0, 600).replaceAll(/\n+/g, "\n")}
          </p>
        </Part>
      ) : null}
      <Part title="Details">
        <KeyValues
          className="px-5 sm:grid-cols-[64px_1fr]"
          items={[
            tags
              ? {
                  label: "Tags",
                  value: Object.entries(tags)
                    .map((pair) => pair.join("="))
                    .join(", "),
                }
              : null,
            { label: "ID", value: <CopyText value={id} name="email id" inline /> },
          ]}
        />
      </Part>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line">
      <h3 className="px-5 pt-2.5 text-xs font-semibold">{title}</h3>
      {children}
    </section>
  )
}
