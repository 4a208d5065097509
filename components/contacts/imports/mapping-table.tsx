import { Select } from "@/components/ui/select"
import { Table, Td, Th } from "@/components/ui/table"
import type { Head } from "@/components/contacts/imports/read-head"
import { fieldTargets, targetWords } from "@/components/contacts/imports/words"

type Props = {
  head: Head
  targets: (string | null)[]
  /** Keys of the properties that the project has. */
  properties: string[]
  onChange: (targets: (string | null)[]) => void
}

/** A row for each column of the file: its name, sample values and target. */
export function MappingTable({ head, targets, properties, onChange }: Props) {
  const choices = [...fieldTargets, ...properties.map((key) => `properties.${key}`)]
  return (
    <Table label="Columns of the file" minWidth="min-w-0">
      <thead>
        <tr>
          <Th>Column</Th>
          <Th className="max-sm:hidden">First rows</Th>
          <Th className="w-48 max-sm:w-40">Goes to</Th>
        </tr>
      </thead>
      <tbody>
        {head.header.map((name, at) => (
          <tr key={`${at}-${name}`}>
            <Td truncate className="align-middle font-medium">
              {name || <span className="text-muted">Without a name</span>}
            </Td>
            <Td truncate muted className="align-middle max-sm:hidden">
              {samples(head, at)}
            </Td>
            <Td className="align-middle">
              <Select
                aria-label={`Goes to: ${nameOf(head.header, at)}`}
                value={targets[at] ?? ""}
                onChange={(event) =>
                  onChange(targets.map((target, index) => (index === at ? event.target.value || null : target)))
                }
              >
                <option value="">{targetWords(null)}</option>
                {choices.map((target) => (
                  <option key={target} value={target} disabled={target !== targets[at] && targets.includes(target)}>
                    {targetWords(target)}
                  </option>
                ))}
              </Select>
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** Columns of the same name are distinguished by position. */
function nameOf(header: readonly string[], at: number): string {
  const name = header[at] ?? ""
  return header.indexOf(name) === header.lastIndexOf(name) ? name : `${name} (column ${at + 1})`
}

function samples({ rows }: Head, at: number): string {
  return rows
    .map((cells) => cells[at]?.trim())
    .filter(Boolean)
    .slice(0, 3)
    .join(", ")
}
