import { columnsMax, type PropertyTypes, type ColumnTarget, type FileEncoding } from "@/lib/contacts/imports/file-rules"
import { type RowFault, type StoredFault, storedFault } from "@/lib/contacts/imports/failure"
import {
  contactFieldNames,
  contactFields,
  type ContactField,
  isOversized,
  propertiesBytesMax,
} from "@/lib/contacts/rules"
import {
  type ColumnFormat,
  type DateOrder,
  type DecidedFormat,
  formatOtherwise,
  readValue,
} from "@/lib/contacts/imports/value-rules"
import { parsePlainAddress } from "@/lib/addresses/address"
import { plainCell } from "@/lib/platform/csv-rules"
import { cutText } from "@/lib/platform/format"

export const importModes = ["upsert", "skip"] as const
export type ImportMode = (typeof importModes)[number]

export const importStatuses = ["queued", "running", "completed", "cancelled", "failed"] as const
export type ImportStatus = (typeof importStatuses)[number]

/** Those of imports that have not ended yet. */
export const openImportStatuses = ["queued", "running"] as const satisfies readonly ImportStatus[]

/** How a file is to be read, and what is to become of its rows. */
export type Options = {
  mode: ImportMode
  dryRun: boolean
  /** In which the file came; it is kept in UTF-8. Imports of earlier versions have none. */
  encoding?: FileEncoding
  delimiter: string
  header: string[]
  targets: ColumnTarget[]
  /** How the values of each column are written, as far as it had to be decided. Imports of earlier versions have none. */
  formats?: (DecidedFormat | null)[]
  /** The order of dates where no value of a column tells, if it was given. */
  dates?: DateOrder
  fileName: string | null
  segmentId: string | null
}

/** Options as they are stored: those of an import that was accepted. */
export const storedOptions = (json: unknown) => json as Options

/** Imports of a project that may be under way at once. */
export const openImportsMax = 5

/** Hours that a completed dry run keeps its file. */
export const fileHours = 24

/** Files that wait to be read, those of completed dry runs included: of a project, and of all projects together. */
export const waitingFiles = { projectCount: 20, projectBytes: 2 ** 30, totalCount: 2_000, totalBytes: 20 * 2 ** 30 }

/** A contact as a row of the file gives it; empty cells change nothing. */
export type Draft = Partial<Record<ContactField, string>> & {
  /** Canonical form of the address. */
  email: string
  unsubscribed: boolean
  properties: Record<string, string>
}

/** A fault with its column, empty for the whole row, and the cell that has it, which is shown as an example. */
type CellFault = RowFault & { column: string; value: string }

type Layout = {
  header: readonly string[]
  targets: readonly ColumnTarget[]
  declared: PropertyTypes
  delimiter?: string
  formats?: readonly (DecidedFormat | null)[]
  dates?: DateOrder
}

/** Reads one row by the targets of its columns; answers every fault at once. */
export function readRow(
  cells: readonly string[],
  { header, targets, declared, delimiter = ",", formats = [], dates }: Layout,
): { draft: Draft } | { faults: CellFault[] } {
  const draft: Draft = { email: "", unsubscribed: false, properties: {} }
  const faults: CellFault[] = []
  const otherwise = formatOtherwise(delimiter, dates)
  for (const [at, target] of targets.entries()) {
    if (target === null) continue
    const text = plainCell(cells[at] ?? "")
    const format = { ...otherwise, ...formats[at] }
    const fault = text === "" && target !== "email" ? null : put(draft, target, text, { declared, format })
    if (fault) faults.push({ ...fault, column: header[at] ?? "", value: text })
  }
  if (isOversized(draft.properties))
    faults.push({ code: "properties_too_large", facts: { bytesMax: propertiesBytesMax }, column: "", value: "" })
  return faults.length ? { faults } : { draft }
}

const rowCharsMax = 500

/** A row to show: its cells between the delimiters of its file, cut. */
export function rowText(cells: readonly string[], delimiter: string): string {
  return cutText(cells.join(delimiter), rowCharsMax)
}

const keptCharsMax = 16_384

/** The cells of a rejected row that are kept for its download: up to 16,384 characters of as many columns as a file can have. */
export function keptCells(cells: readonly string[]): string[] {
  let left = keptCharsMax
  return cells.slice(0, columnsMax).map((cell) => {
    const kept = cutText(cell, left)
    left = Math.max(left - kept.length, 0)
    return kept
  })
}

/** The same cells, unless they are so long that a batch of such rows would fill the memory. */
export function boundedCells(cells: readonly string[]): readonly string[] {
  return cells.reduce((sum, cell) => sum + cell.length, 0) > keptCharsMax ? keptCells(cells) : cells
}

/** A row, as it came and as it was read, and the line on which it begins. */
export type Row = { line: number; cells: readonly string[]; draft: Draft }

export type RefusedRow = { line: number; cells: readonly string[]; faults: CellFault[] }

/** How many rows have the same fault in the same column, with some of its values. */
export type FaultGroup = StoredFault & { rows: number; examples: string[] }

/** Faults that are counted apart; a file has more only if it has many columns and nearly all are mapped wrongly. */
export const faultGroupsMax = 200
const examplesMax = 3
const exampleCharsMax = 60

/** The groups with the faults of more rows counted in. */
export function addToGroups(groups: readonly FaultGroup[], refused: readonly RefusedRow[]): FaultGroup[] {
  const keyOf = ({ column, detail, facts }: StoredFault) => JSON.stringify([column, detail, facts])
  const all = new Map(groups.map((group) => [keyOf(group), { ...group, examples: [...group.examples] }]))
  for (const fault of refused.flatMap(({ faults }) => faults)) {
    const stored = storedFault(fault)
    const key = keyOf(stored)
    const group = all.get(key) ?? { ...stored, rows: 0, examples: [] }
    if (group.rows === 0 && all.size >= faultGroupsMax) continue
    all.set(key, group)
    group.rows += 1
    const example = cutText(fault.value.trim(), exampleCharsMax)
    if (example && group.examples.length < examplesMax && !group.examples.includes(example))
      group.examples.push(example)
  }
  return [...all.values()]
}

/**
 * Rows of one address, each merged over those before it. One that would take the properties, with those that the contact
 * has, over their size is refused and changes nothing. The draft is null when no row is left.
 */
export function layRows(
  rows: readonly Row[],
  stored: Readonly<Record<string, string>>,
): { draft: Draft | null; taken: number; refused: RefusedRow[] } {
  const refused: RefusedRow[] = []
  let draft: Draft | null = null
  for (const row of rows) {
    const next: Draft = draft ? laidOver(draft, row.draft) : row.draft
    const grows = Object.keys(row.draft.properties).length > 0
    if (grows && isOversized({ ...stored, ...next.properties }))
      refused.push({ line: row.line, cells: row.cells, faults: [tooMuch] })
    else draft = next
  }
  return { draft, taken: rows.length - refused.length, refused }
}

const tooMuch: CellFault = {
  ...{ code: "all_properties_too_large", facts: { bytesMax: propertiesBytesMax } },
  ...{ column: "", value: "" },
}

function laidOver(earlier: Draft, later: Draft): Draft {
  return {
    ...earlier,
    ...later,
    unsubscribed: earlier.unsubscribed || later.unsubscribed,
    properties: { ...earlier.properties, ...later.properties },
  }
}

/** Sets a field from a cell; returns why the cell is invalid. */
function put(
  draft: Draft,
  target: NonNullable<ColumnTarget>,
  text: string,
  { declared, format }: { declared: PropertyTypes; format: ColumnFormat },
): RowFault | null {
  if (text.includes("\uFFFD")) return { code: "not_utf8", facts: {} }
  if (text.includes("\0")) return { code: "null_character", facts: {} }
  if (target === "email") return putAddress(draft, text.trim())
  if (target === "unsubscribed") return putUnsubscribed(draft, text.trim(), format)
  if (isField(target)) return putText(draft, target, text)
  const key = target.slice("properties.".length)
  const property = declared.get(key)
  if (!property) return { code: "property_deleted", facts: {} }
  if (property.type !== "string" && text.trim() === "") return null
  const read = readValue(property.type, text, format)
  if ("fault" in read) return read.fault
  draft.properties[key] = read.value
  return null
}

function isField(target: string): target is ContactField {
  return (contactFieldNames as readonly string[]).includes(target)
}

function putText(draft: Draft, field: ContactField, text: string): RowFault | null {
  const { charsMax } = contactFields[field]
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) return { code: "control_characters", facts: {} }
  if (text.length > charsMax) return { code: "too_long", facts: { charsMax } }
  draft[field] = text
  return null
}

function putAddress(draft: Draft, text: string): RowFault | null {
  const address = parsePlainAddress(text)
  if (!address.ok) return { code: "address", facts: { fault: address.code } }
  if (text.includes("<")) return { code: "address", facts: { fault: "with_name" } }
  draft.email = address.canonical
  return null
}

function putUnsubscribed(draft: Draft, text: string, format: ColumnFormat): RowFault | null {
  if (text === "") return null
  const read = readValue("boolean", text, format)
  if ("fault" in read) return read.fault
  draft.unsubscribed = read.value === "true"
  return null
}
