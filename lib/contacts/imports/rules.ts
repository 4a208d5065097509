import type { PropertyTypes, ColumnTarget } from "@/lib/contacts/imports/column-rules"
import type { FileEncoding } from "@/lib/contacts/imports/encoding-rules"
import { contactFieldNames, contactFields, type ContactField } from "@/lib/contacts/field-rules"
import { isOversized, propertiesBytesMax } from "@/lib/contacts/rules"
import { valueFault } from "@/lib/contact-properties/rules"
import { parseAddress } from "@/lib/addresses/address"
import { plainCell } from "@/lib/platform/csv-rules"
import { cutText } from "@/lib/platform/text"

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

export type Fault = { column: string; detail: string }

type Layout = {
  header: readonly string[]
  targets: readonly ColumnTarget[]
  declared: PropertyTypes
  delimiter?: string
}

/** Reads one row by the targets of its columns; answers every fault at once. */
export function readRow(
  cells: readonly string[],
  { header, targets, declared, delimiter = "," }: Layout,
): { draft: Draft } | { faults: Fault[] } {
  const draft: Draft = { email: "", unsubscribed: false, properties: {} }
  const faults: Fault[] = []
  for (const [at, target] of targets.entries()) {
    if (target === null) continue
    const text = plainCell(cells[at] ?? "")
    const fault = text === "" && target !== "email" ? null : put(draft, target, text, { declared, delimiter })
    if (fault) faults.push({ column: header[at] ?? "", detail: fault })
  }
  if (isOversized(draft.properties))
    faults.push({ column: "", detail: `The properties must be at most ${propertiesBytesMax} bytes of JSON.` })
  return faults.length ? { faults } : { draft }
}

const rowCharsMax = 500

/** A row to show: its cells between the delimiters of its file, cut. */
export function rowText(cells: readonly string[], delimiter: string): string {
  return cutText(cells.join(delimiter), rowCharsMax)
}

/** A row, as it came and as it was read, and the line on which it begins. */
export type Row = { line: number; text: string; draft: Draft }

export type RefusedRow = { line: number; text: string; faults: Fault[] }

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
      refused.push({ line: row.line, text: row.text, faults: [{ column: "", detail: tooMuch }] })
    else draft = next
  }
  return { draft, taken: rows.length - refused.length, refused }
}

const tooMuch = `The properties, with those that the contact has, must be at most ${propertiesBytesMax} bytes of JSON.`

function laidOver(earlier: Draft, later: Draft): Draft {
  return {
    ...earlier,
    ...later,
    unsubscribed: earlier.unsubscribed || later.unsubscribed,
    properties: { ...earlier.properties, ...later.properties },
  }
}

/** Sets a field from a cell; answers why the cell is invalid. */
function put(
  draft: Draft,
  target: NonNullable<ColumnTarget>,
  text: string,
  { declared, delimiter }: { declared: PropertyTypes; delimiter: string },
): string | null {
  if (text.includes("\uFFFD")) return "Is not UTF-8."
  if (text.includes("\0")) return "Must not contain the character U+0000."
  if (target === "email") return putAddress(draft, text.trim())
  if (target === "unsubscribed") return putUnsubscribed(draft, text.trim())
  if (isField(target)) return putText(draft, target, text)
  const key = target.slice("properties.".length)
  const property = declared.get(key)
  if (!property) return "This property has been deleted meanwhile."
  const value = property.type === "number" ? asNumber(text.trim(), delimiter) : text
  if (value === "") return null
  draft.properties[key] = value
  return valueFault(property.type, value)
}

function isField(target: string): target is ContactField {
  return (contactFieldNames as readonly string[]).includes(target)
}

function putText(draft: Draft, field: ContactField, text: string): string | null {
  const { charsMax } = contactFields[field]
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) return "Must not contain control characters."
  if (text.length > charsMax) return `Must be at most ${charsMax} characters.`
  draft[field] = text
  return null
}

function putAddress(draft: Draft, text: string): string | null {
  const address = parseAddress(text)
  if (!address.ok) return address.reason
  if (address.name !== undefined || text.includes("<")) return "Must be an address alone, without a name."
  draft.email = address.canonical
  return null
}

/**
 * In the languages in which the names of columns are known, and as their spreadsheets write truth: English, German, French, Spanish,
 * Italian, Dutch, Portuguese and Turkish, without accents.
 */
const yes = new Set(
  [
    ...["true yes y t 1 on", "wahr ja j", "vrai oui o", "verdadero si s", "vero", "waar"],
    ...["verdadeiro sim", "dogru evet e"],
  ].flatMap((words) => words.split(" ")),
)
const no = new Set(
  [...["false no n f 0 off", "falsch nein", "faux non", "falso", "onwaar nee", "nao", "yanlis hayir h"]].flatMap(
    (words) => words.split(" "),
  ),
)

function putUnsubscribed(draft: Draft, text: string): string | null {
  const word = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ı", "i")
  if (word === "") return null
  if (!yes.has(word) && !no.has(word))
    return "Must be true or false, yes or no, or 1 or 0; or these words in a language of column names."
  draft.unsubscribed = yes.has(word)
  return null
}

/** The ways in which spreadsheets write numbers, as the API takes them: `+7`, `007`, `1.50`. Others stay as they are. */
function asNumber(given: string, delimiter: string): string {
  const text = withPoint(given, delimiter)
  const [, sign = "", whole = "", fraction = "", power = ""] =
    /^([+-]?)0*(\d+)(\.\d+)?([eE][+-]?\d+)?$/.exec(text) ?? []
  return whole === "" ? text : `${sign === "-" ? "-" : ""}${whole}${fraction}${power}`
}

/**
 * A number with a decimal comma, thousands grouped or not, with a decimal point. Spreadsheets that write one separate cells by
 * semicolons; after a tab or a bar, `6,489` could also be some thousands and stays as it is, and so does everything between commas.
 */
function withPoint(text: string, delimiter: string): string {
  if (delimiter === ",") return text
  const [, sign = "", whole = "", fraction = ""] =
    /^([+-]?)(\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+),(\d+)$/.exec(text) ?? []
  if (whole === "" || (delimiter !== ";" && /^\d{1,3}$/.test(whole) && fraction.length === 3)) return text
  return `${sign}${whole.replaceAll(/\D/g, "")}.${fraction}`
}
