import { bareAddress } from "@/components/emails/address"
import { RelativeTime } from "@/components/ui/relative-time"
import { Table, Td, Th } from "@/components/ui/table"
import { RowLink, TableRow } from "@/components/ui/table-row"
import type { Message } from "@/components/sandbox/types"
import { checks, checkNames, verdictWords, type Check } from "@/components/sandbox/verdicts"
import { Pill } from "@/components/ui/pill"

/** On a small screen the verdicts are below the recipient, and the sender is on the message's page only. */
export function MessagesTable({ projectId, messages }: { projectId: string; messages: Message[] }) {
  return (
    <Table label="Messages" minWidth="min-w-0">
      <thead>
        <tr>
          <Th className="sm:w-[45%] xl:w-[28%]">To</Th>
          <Th className="hidden sm:table-cell">Subject</Th>
          <Th className="hidden w-[18%] min-[1680px]:table-cell">From</Th>
          <Th className="hidden w-86 xl:table-cell">Verdicts</Th>
          <Th className="hidden w-34 sm:table-cell" numeric>
            Received
          </Th>
        </tr>
      </thead>
      <tbody>
        {messages.map((message) => (
          <MessageRow key={message.id} message={message} href={`/projects/${projectId}/sandbox/${message.id}`} />
        ))}
      </tbody>
    </Table>
  )
}

function MessageRow({ message, href }: { message: Message; href: string }) {
  const verdicts = (
    <span className="flex flex-wrap gap-x-3 gap-y-1.5">
      {checks.map((check) => (
        <VerdictPill key={check} check={check} result={message[check]} />
      ))}
    </span>
  )
  return (
    <TableRow href={href}>
      <Td>
        <RowLink href={href} prefetch={false} className="block truncate" title={message.to}>
          {message.to}
        </RowLink>
        <span className="mt-0.5 block truncate text-muted sm:hidden">{message.subject ?? "(no subject)"}</span>
        <span className="mt-1.5 block xl:hidden">{verdicts}</span>
        <RelativeTime at={message.receivedAt} className="mt-1 block text-xs text-muted sm:hidden" />
      </Td>
      <Td truncate className="hidden sm:table-cell" title={message.subject}>
        {message.subject ?? "(no subject)"}
      </Td>
      <Td truncate muted className="hidden min-[1680px]:table-cell" title={message.from}>
        {bareAddress(message.from)}
      </Td>
      <Td className="hidden xl:table-cell">{verdicts}</Td>
      <Td numeric muted className="hidden whitespace-nowrap sm:table-cell">
        <RelativeTime at={message.receivedAt} />
      </Td>
    </TableRow>
  )
}

/** A check and its result; the explanation is in the tooltip. */
function VerdictPill({ check, result }: { check: Check; result: string }) {
  const { word, tone, means } = verdictWords(check, result)
  return (
    <Pill tone={tone} tip={means} inTable>
      {checkNames[check]} {word.toLowerCase()}
    </Pill>
  )
}
