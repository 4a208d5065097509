import { Select } from "@/components/ui/select"
import { DataTable, type Column } from "@/components/ui/table"
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
  const choose = (at: number, target: string) =>
    onChange(targets.map((old, index) => (index === at ? target || null : old)))
  const columns: Column<number>[] = [
    {
      head: "Column",
      truncate: true,
      cellClassName: "align-middle font-medium",
      cell: (at) => head.header[at] || <span className="text-muted">Without a name</span>,
    },
    {
      head: "First rows",
      from: "sm",
      truncate: true,
      muted: true,
      cellClassName: "align-middle",
      cell: (at) => samples(head, at),
    },
    {
      head: "Goes to",
      width: "w-48 max-sm:w-40",
      cellClassName: "align-middle",
      cell: (at) => (
        <Select
          aria-label={`Goes to: ${nameOf(head.header, at)}`}
          value={targets[at] ?? ""}
          onChange={(event) => choose(at, event.target.value)}
        >
          <option value="">{targetWords(null)}</option>
          {choices.map((target) => (
            <option key={target} value={target} disabled={target !== targets[at] && targets.includes(target)}>
              {targetWords(target)}
            </option>
          ))}
        </Select>
      ),
    },
  ]
  return <DataTable label="Columns of the file" columns={columns} rows={[...head.header.keys()]} keyOf={String} />
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
