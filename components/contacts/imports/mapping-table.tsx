"use client"

import {
  type Choice,
  type Head,
  isNew,
  type NewProperty,
  propertyFor,
  type Reading,
  valuesOf,
} from "@/components/contacts/imports/mapping"
import { fieldTargets, targetWords } from "@/components/contacts/imports/words"
import { typeWords } from "@/components/contact-properties/words"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { type Column, DataTable } from "@/components/ui/table"
import { propertyTypes } from "@/lib/contact-properties/rules"
import type { PropertyTypes } from "@/lib/contacts/imports/column-rules"

/** Chosen instead of a target, for a property that the import defines. */
const newProperty = "new"

type Props = {
  head: Head
  choices: readonly Choice[]
  readings: readonly (Reading | null)[]
  declared: PropertyTypes
  onChange: (choices: Choice[]) => void
}

/** A row for each column of the file: its name, sample values, where it goes, and how its values are read. */
export function MappingTable({ head, choices, readings, declared, onChange }: Props) {
  const targets = [...fieldTargets, ...[...declared.keys()].map((key) => `properties.${key}`)]
  const replace = (at: number, choice: Choice) => onChange(choices.map((old, index) => (index === at ? choice : old)))
  const choose = (at: number, value: string) =>
    replace(at, value === newProperty ? propertyFor(head, at, choices, declared) : ((value || null) as Choice))
  const columns: Column<number>[] = [
    {
      head: "Column",
      truncate: true,
      cellClassName: "font-medium",
      cell: (at) => head.header[at] || <span className="text-muted">Without a name</span>,
    },
    {
      head: "First rows",
      from: "sm",
      truncate: true,
      muted: true,
      cell: (at) => valuesOf(head, at).slice(0, 3).join(", "),
    },
    {
      head: "Goes to",
      width: "w-60 max-sm:w-48",
      cell: (at) => {
        const choice = choices[at] ?? null
        const name = nameOf(head.header, at)
        return (
          <div className="grid gap-1.5">
            <Select
              aria-label={`Goes to: ${name}`}
              value={isNew(choice) ? newProperty : (choice ?? "")}
              onChange={(event) => choose(at, event.target.value)}
            >
              <option value="">{targetWords(null)}</option>
              <option value={newProperty}>New property …</option>
              {targets.map((target) => (
                <option key={target} value={target} disabled={target !== choice && choices.includes(target as Choice)}>
                  {targetWords(target)}
                </option>
              ))}
            </Select>
            {isNew(choice) ? (
              <NewPropertyFields name={name} property={choice} onChange={(property) => replace(at, property)} />
            ) : null}
            <ReadingLine
              reading={readings[at] ?? null}
              fixedType={!isNew(choice) && !!choice?.startsWith("properties.")}
            />
          </div>
        )
      },
    },
  ]
  return <DataTable label="Columns of the file" columns={columns} rows={[...head.header.keys()]} keyOf={String} />
}

type NewPropertyFieldsProps = { name: string; property: NewProperty; onChange: (property: NewProperty) => void }

function NewPropertyFields({ name, property, onChange }: NewPropertyFieldsProps) {
  return (
    <div className="grid gap-1.5 sm:grid-cols-2">
      <Input
        mono
        aria-label={`Key of the new property: ${name}`}
        maxLength={50}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={property.key}
        onChange={({ target }) => onChange({ ...property, key: target.value.trim() })}
      />
      <Select
        aria-label={`Type of the new property: ${name}`}
        value={property.type}
        options={propertyTypes.map((type) => ({ value: type, label: typeWords[type] }))}
        onChange={({ target }) =>
          onChange({ ...property, type: propertyTypes.find((type) => type === target.value) ?? property.type })
        }
      />
    </div>
  )
}

type ReadingLineProps = {
  reading: Reading | null
  /** The type of a property that exists cannot be changed. */
  fixedType: boolean
}

/** What is read differently from how it is written, and what would not be read at all. */
function ReadingLine({ reading, fixedType }: ReadingLineProps) {
  if (!reading) return null
  const { example, rejected, values } = reading
  if (rejected > 0)
    return (
      <p className="text-sm text-warn">
        {rejected} of the first {values} {values === 1 ? "value does" : "values do"} not fit.
        {fixedType ? " For another type, choose “New property …”." : null}
      </p>
    )
  return example ? (
    <p className="truncate text-sm text-muted" title={`${example.from} is read as ${example.to}`}>
      {example.from} is read as {example.to}
    </p>
  ) : null
}

/** Columns of the same name are distinguished by position. */
function nameOf(header: readonly string[], at: number): string {
  const name = header[at] ?? ""
  return header.indexOf(name) === header.lastIndexOf(name) ? name : `${name} (column ${at + 1})`
}
