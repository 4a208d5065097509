import { Table, Td, Th } from "@/components/ui/table"
import { Pill } from "@/components/ui/pill"
import { answerOf, groupedServers, serverWords, type DiagnosedRecord } from "@/components/domains/diagnosis"
import { titleOf } from "@/components/domains/statuses"

/** A row for each record and each different answer to it. */
export function DiagnosisTable({ records, standby }: { records: DiagnosedRecord[]; standby: string | undefined }) {
  return (
    <Table label="What each name server answers" minWidth="min-w-215">
      <colgroup>
        <col className="w-40" />
        <col className="w-48" />
        <col />
        <col className="w-36" />
      </colgroup>
      <thead>
        <tr>
          <Th>Record</Th>
          <Th>Server</Th>
          <Th>Answer</Th>
          <Th>Verdict</Th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <Rows key={record.record} record={record} title={titleOf(record.record, standby)} />
        ))}
      </tbody>
    </Table>
  )
}

function Rows({ record, title }: { record: DiagnosedRecord; title: string }) {
  const groups = groupedServers(record.servers)
  if (groups.length === 0) {
    return (
      <tr>
        <Td>{title}</Td>
        <Td colSpan={3} className="text-muted">
          No server could be asked.
        </Td>
      </tr>
    )
  }
  return groups.map(({ names, answer }, index) => {
    const { tone, word } = serverWords(answer, record.optional)
    return (
      <tr key={names.join()}>
        {index === 0 ? <Td rowSpan={groups.length}>{title}</Td> : null}
        <Td className="[overflow-wrap:anywhere] whitespace-normal text-muted">{names.join(", ")}</Td>
        <Td className="whitespace-normal">
          <code className="line-clamp-2 [overflow-wrap:anywhere]" title={answerOf(answer)}>
            {answerOf(answer)}
          </code>
          {answer.likelyCause ? (
            <span className="block">
              {answer.likelyCause.message} {answer.likelyCause.fix}
            </span>
          ) : null}
        </Td>
        <Td>
          <Pill tone={tone} inTable>
            {word}
          </Pill>
        </Td>
      </tr>
    )
  })
}
