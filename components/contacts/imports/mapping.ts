import type { PropertyType } from "@/lib/contact-properties/rules"
import { type ColumnTarget, guessTargets, type PropertyTypes, propertyTypeOf } from "@/lib/contacts/imports/file-rules"
import {
  type ColumnFormat,
  createFormatScan,
  type DateOrder,
  formatOtherwise,
  proposedKey,
  proposedType,
  readValue,
} from "@/lib/contacts/imports/value-rules"

/** The header of a file and its first rows, by which its columns are judged and which stand for it on the page. */
export type Head = { header: string[]; rows: string[][]; delimiter: string }

/** A property that is defined when the import starts. */
export type NewProperty = { key: string; type: PropertyType }

/** Where a column goes: to a target, or to a property that is still to be defined. */
export type Choice = ColumnTarget | NewProperty

export function isNew(choice: Choice | undefined): choice is NewProperty {
  return typeof choice === "object" && choice !== null
}

type Imported = { columns: readonly { name: string; target: string | null }[] }

/**
 * The mapping that the newest import of a file with this header had; null where there is none. A last column `reason`, as in
 * a download of rejected rows, makes no difference. Properties that have been deleted go nowhere.
 */
export function rememberedTargets(
  header: readonly string[],
  imports: readonly Imported[],
  declared: PropertyTypes,
): ColumnTarget[] | null {
  const named = header.at(-1) === "reason" ? header.slice(0, -1) : header
  const before = imports.find(
    ({ columns }) => columns.length === named.length && columns.every(({ name }, at) => name === named[at]),
  )
  if (!before) return null
  return header.map((_, at) => {
    const target = (before.columns[at]?.target ?? null) as ColumnTarget
    return target?.startsWith("properties.") && !propertyTypeOf(target, declared) ? null : target
  })
}

/** The mapping that a file begins with. */
export function firstTargets({ header, rows }: Head, declared: PropertyTypes, imports: readonly Imported[]) {
  const remembered = rememberedTargets(header, imports, declared)
  return { targets: remembered ?? guessTargets(header, declared, rows), isRemembered: remembered !== null }
}

/** A property for a column, by its name and its values. */
export function propertyFor(head: Head, at: number, choices: readonly Choice[], declared: PropertyTypes): NewProperty {
  const isTaken = (key: string) => declared.has(key) || choices.some((choice) => isNew(choice) && choice.key === key)
  return {
    key: proposedKey(head.header[at] ?? "", isTaken),
    type: proposedType(valuesOf(head, at), formatOtherwise(head.delimiter)),
  }
}

/** Columns that go nowhere and have values. */
export function unmappedColumns(head: Head, choices: readonly Choice[]): number[] {
  return choices.flatMap((choice, at) => (choice === null && valuesOf(head, at).length > 0 ? [at] : []))
}

export function valuesOf({ rows }: Head, at: number): string[] {
  return rows.map((cells) => cells[at]?.trim() ?? "").filter(Boolean)
}

/** What the import makes of a column, as far as the first rows tell. */
export type Reading = {
  /** A value that is stored in another form than the file has it. */
  example: { from: string; to: string } | null
  /** Values that would be rejected, of all in the first rows. */
  rejected: number
  values: number
  /** A date of a column in which none tells whether the day or the month comes first. */
  openDate: string | null
}

export function readingsOf(
  head: Head,
  choices: readonly Choice[],
  declared: PropertyTypes,
  dates: DateOrder,
): (Reading | null)[] {
  const types = choices.map((choice) => (isNew(choice) ? choice.type : propertyTypeOf(choice, declared)))
  const scan = createFormatScan(types)
  for (const cells of head.rows) scan.add(cells)
  const otherwise = formatOtherwise(head.delimiter, dates)
  const formats = scan.formats(otherwise)
  return types.map((type, at) => {
    if (type === null) return null
    const values = valuesOf(head, at)
    const decided = formats[at]
    return {
      ...readingOf(type, values, { ...otherwise, ...decided }),
      openDate: decided?.dates && decided.assumed ? openDateOf(values) : null,
    }
  })
}

function readingOf(type: PropertyType, values: readonly string[], format: ColumnFormat) {
  let rejected = 0
  let example: Reading["example"] = null
  for (const from of values) {
    const read = readValue(type, from, format)
    if ("fault" in read) rejected += 1
    else if (example === null && read.value !== from) example = { from, to: read.value }
  }
  return { example, rejected, values: values.length }
}

function openDateOf(values: readonly string[]): string | null {
  return values.find((value) => /^\d{1,2}[-/]\d/.test(value)) ?? null
}
