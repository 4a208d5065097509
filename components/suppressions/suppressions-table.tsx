import { AddressText } from "@/components/ui/address-text"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { Table, Td, Th } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import type { Suppression } from "@/components/suppressions/queries"
import { reasonWords } from "@/components/suppressions/reasons"
import { RemoveSuppression } from "@/components/suppressions/remove-suppression"

/** Suppressed addresses, newest first, each with what led to it; where there is little room the evidence is below the address. */
export function SuppressionsTable({ projectId, suppressions }: { projectId: string; suppressions: Suppression[] }) {
  return (
    <Table label="Suppressed addresses" minWidth="min-w-0">
      <thead>
        <tr>
          <Th>Address</Th>
          <Th className="hidden w-34 lg:table-cell">Reason</Th>
          <Th className="hidden lg:w-[42%] lg:table-cell">Evidence</Th>
          <Th className="hidden w-38 md:table-cell" numeric>
            Since
          </Th>
          <Th className="w-12">
            <span className="sr-only">Remove</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {suppressions.map((suppression) => (
          <SuppressionRow key={suppression.id} projectId={projectId} suppression={suppression} />
        ))}
      </tbody>
    </Table>
  )
}

function SuppressionRow({ projectId, suppression }: { projectId: string; suppression: Suppression }) {
  const { word, tone, means } = reasonWords(suppression.reason)
  return (
    <tr>
      <Td>
        <span className="block font-medium [overflow-wrap:anywhere]">
          <AddressText address={suppression.email} />
        </span>
        <span className="mt-1 grid grid-cols-[minmax(0,1fr)] justify-items-start gap-1 text-muted lg:hidden">
          <Pill tone={tone} tip={means} inTable>
            {word}
          </Pill>
          <Evidence projectId={projectId} suppression={suppression} />
        </span>
      </Td>
      <Td className="hidden lg:table-cell">
        <Pill tone={tone} tip={means} inTable>
          {word}
        </Pill>
      </Td>
      <Td muted className="hidden lg:table-cell" title={suppression.evidence}>
        <Evidence projectId={projectId} suppression={suppression} />
      </Td>
      <Td numeric muted className="hidden whitespace-nowrap md:table-cell">
        <RelativeTime at={suppression.createdAt} />
      </Td>
      <Td className="px-2 py-1">
        <RemoveSuppression projectId={projectId} suppression={suppression} />
      </Td>
    </tr>
  )
}

/** What a server said, the mail it said it of, and the contact it is about, as far as there are such. */
function Evidence({
  projectId,
  suppression: { evidence, emailId, contactId },
}: {
  projectId: string
  suppression: Suppression
}) {
  if (!evidence && !emailId && !contactId) return <>–</>
  return (
    <span className="flex max-w-full gap-x-2 whitespace-nowrap max-lg:flex-wrap">
      {evidence ? (
        <span
          className="mono min-w-0 text-sm max-lg:basis-full max-lg:whitespace-normal max-lg:[overflow-wrap:anywhere] lg:truncate"
          title={evidence}
        >
          {evidence}
        </span>
      ) : null}
      {emailId ? (
        <TextLink href={`/projects/${projectId}/emails/${emailId}`} className="shrink-0">
          Email
        </TextLink>
      ) : null}
      {contactId ? (
        <TextLink href={`/projects/${projectId}/contacts/${contactId}`} className="shrink-0">
          Contact
        </TextLink>
      ) : null}
    </span>
  )
}
