import { Table, Td, Th } from "@/components/ui/table"
import { Pill } from "@/components/ui/pill"
import {
  answerOf,
  groupedServers,
  recordTitle,
  serverWords,
  type DiagnosedRecord,
} from "@/components/domains/diagnosis"

/** A row for each record and each different answer to it. */
export function DiagnosisTable({ records }: { records: DiagnosedRecord[] }) {
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
          <Rows key={record.record} record={record} />
        ))}
      </tbody>
    </Table>
  )
}

function Rows({ record }: { record: DiagnosedRecord }) {
  const groups = groupedServers(record.servers)
  if (groups.length === 0) {
    return (
      <tr>
        <Td>{recordTitle(record.record)}</Td>
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
        {index === 0 ? <Td rowSpan={groups.length}>{recordTitle(record.record)}</Td> : null}
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
