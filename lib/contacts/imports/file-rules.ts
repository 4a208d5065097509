import { contactFieldNames, contactFields, eachField } from "@/lib/contacts/rules"
import { propertiesMax, type PropertyType } from "@/lib/contact-properties/rules"

/** The columns of the contact itself, in files that are imported and exported. */
export const columns = ["email", ...contactFieldNames, "unsubscribed"] as const
type Column = (typeof columns)[number]

/** Where a column goes: a field of the contact, `properties.<key>`, or nowhere. */
export type ColumnTarget = Column | `properties.${string}` | null

export type PropertyTypes = ReadonlyMap<string, { type: PropertyType }>

/** Columns that a file may have: an export has one for each property, and some more. */
export const columnsMax = propertiesMax + 100

const delimiters = [",", ";", "\t", "|"] as const

/** Rows at the beginning of a file by which it is judged. */
export const judgedRows = 100

/**
 * The delimiter of a file by its beginning: what a line `sep=;` of a spreadsheet names, else that by which most rows have as many
 * cells as the header. If several do, the one that finds a column of email addresses, then the one that finds the most columns.
 */
export function delimiterOf(start: string): string {
  const named = separatorLine.exec(start)?.[1]
  if (named) return named
  const ranked = delimiters.map((delimiter) => ({ delimiter, rank: rankOf(cellsOf(start, delimiter)) }))
  return ranked.reduce((best, one) => (isHigher(one.rank, best.rank) ? one : best)).delimiter
}

const separatorLine = /^\uFEFF?\s*"?sep=([^"\p{L}\p{N}\r\n])"?(?=[\r\n]|$)/iu

/** Whether a row, which has these cells, is the line in which a spreadsheet names its delimiter. */
export function isSeparatorLine(cells: readonly string[], delimiter: string): boolean {
  return cells.length <= 2 && cells.join(delimiter).trim().toLowerCase() === `sep=${delimiter}`.trim()
}

/** A row of delimiters, as spreadsheets add them below and above a table. */
export function isBlankRow(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === "")
}

/** A header may be broken into lines to fit its column. */
export function headerName(cell: string): string {
  return cell.replaceAll(/\s+/g, " ").trim()
}

function rankOf([header = [], ...rows]: string[][]): [number, number, number] {
  if (header.length < 2) return [-1, 0, 1]
  const alike = rows.filter(({ length }) => length === header.length).length
  const isAddressed = header
    .slice(0, columnsMax)
    .some((name, at) => isEmailName(name) || shareOfAddresses(rows, at) === 1)
  return [alike, Number(isAddressed), header.length]
}

function isHigher(rank: readonly number[], other: readonly number[]): boolean {
  const at = rank.findIndex((part, index) => part !== other[index])
  return at >= 0 && (rank[at] ?? 0) > (other[at] ?? 0)
}

/** The first rows of a text, blank ones left out, as the parser of the import would read them. */
function cellsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let cells: string[] = []
  let cell = ""
  let isQuoted = false
  /** Spaces may come before a quote. */
  let isBegun = false
  const endRow = () => {
    cells.push(cell)
    if (!isBlankRow(cells)) rows.push(cells)
    cells = []
    cell = ""
    isBegun = false
  }
  for (let at = 0; at < text.length && rows.length <= judgedRows; at += 1) {
    const character = text[at] ?? ""
    if (isQuoted && character === '"' && text[at + 1] === '"') at += 1
    else if (character === '"' && (isQuoted || !isBegun)) {
      isQuoted = !isQuoted
      isBegun = true
    } else if (isQuoted) cell += character
    else if (character === delimiter) {
      cells.push(cell)
      cell = ""
      isBegun = false
    } else if (character === "\n" || character === "\r") endRow()
    else {
      cell += character
      isBegun ||= character !== " "
    }
  }
  // What is left is a row if the text ends with it: the start of a file may end anywhere.
  if (rows.length === 0) endRow()
  return rows
}

const spellings: Record<Column, readonly string[]> = {
  email: [
    ...["email", "emails", "emailaddress", "mail", "mailaddress", "emailid", "emailaddr", "emailadr", "mailadr"],
    ...["email1", "email1value", "primaryemail", "contactemail", "customeremail", "useremail", "workemail"],
    ...["emailadresse", "mailadresse", "elektronischeadresse", "adressemail", "adresseemail", "adresseelectronique"],
    ...["courriel", "mel", "correo", "correoelectronico", "direcciondecorreo", "direcciondecorreoelectronico"],
    ...["emailadres", "mailadres", "indirizzoemail", "indirizzomail", "postaelettronica", "enderecodeemail"],
    ...["enderecoemail", "correioeletronico", "eposta", "epostaadresi", "epostaadres"],
  ],
  ...eachField((field) => contactFields[field].spellings),
  unsubscribed: [
    "unsubscribed",
    "optedout",
    "optout",
    "abgemeldet",
    "desabonne",
    "desinscrit",
    "dadodebaja",
    "afgemeld",
    "disiscritto",
    "descadastrado",
    "aboneliktencikti",
  ],
}

/**
 * The target of each column without a mapping: the column whose values in these rows are addresses is `email`, whatever its
 * name; the others go by the usual names of the fields, else by the key of a property. What has exactly the name of a field or
 * property goes first, so that our own exports find the way back whatever they hold. Of several columns with addresses, or
 * without any, the name decides.
 */
export function guessTargets(
  header: readonly string[],
  declared: PropertyTypes,
  rows: readonly (readonly string[])[] = [],
): ColumnTarget[] {
  const targets: ColumnTarget[] = header.map(() => null)
  const { possible, certain } = addressColumns(header, rows)
  const byValues = (_name: string, _declared: PropertyTypes, at: number): ColumnTarget =>
    at === certain ? "email" : null
  /** Beside a column of first names. */
  const likeLastName = (name: string): ColumnTarget =>
    plain(name) === "name" && targets.includes("firstName") ? "lastName" : null
  for (const guess of [byValues, sameField, likeEmail, likeAddress, sameProperty, alike, likeLastName]) {
    for (const [at, name] of header.entries()) {
      const target = targets[at] === null ? guess(name, declared, at) : null
      if (target === null || targets.includes(target)) continue
      if (target === "email" && possible.length > 0 && !possible.includes(at)) continue
      targets[at] = target
    }
  }
  return targets
}

/** Longer than any name that is known. Finding the accents of a text takes time that grows with the square of their number. */
const nameCharsMax = 200

/** In lower case and without accents: "Prénom" is `prenom`, "Soyadı" `soyadi`. Empty for what is too long to be known. */
const plain = (name: string) =>
  name.length > nameCharsMax
    ? ""
    : name
        .normalize("NFD")
        .toLowerCase()
        .replaceAll("ı", "i")
        .replaceAll(/[^\p{L}\p{N}]/gu, "")

const sameField = (name: string): ColumnTarget => columns.find((field) => field === name) ?? null

const isEmailName = (name: string) => spellings.email.includes(plain(name))

const likeEmail = (name: string): ColumnTarget => (isEmailName(name) ? "email" : null)

/** Usually the postal one, where there is another for email. */
const likeAddress = (name: string): ColumnTarget => (plain(name) === "address" ? "email" : null)

/**
 * The columns that have addresses, and the one that certainly holds those of the contacts: none where a name has to decide, or
 * where several have as many.
 */
function addressColumns(header: readonly string[], rows: readonly (readonly string[])[]) {
  const columnsWith = (least: (name: string) => number) =>
    header.flatMap((name, at) => (shareOfAddresses(rows, at) >= least(name) ? [at] : []))
  const possible = columnsWith((name) => (isEmailName(name) ? 0.01 : 0.5))
  const mostly = columnsWith(() => 0.9)
  const [only, ...others] = mostly.length ? mostly : possible
  const isNamed = possible.some((at) => isEmailName(header[at] ?? ""))
  return { possible, certain: isNamed || others.length ? null : only }
}

/** How many of the values in a column are addresses, from 0 to 1. */
function shareOfAddresses(rows: readonly (readonly string[])[], at: number): number {
  const values = rows.map((cells) => cells[at]?.trim() ?? "").filter(Boolean)
  const addresses = values.filter((value) => /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;".]{2,}$/.test(value))
  return values.length === 0 ? 0 : addresses.length / values.length
}

const sameProperty = (name: string, declared: PropertyTypes): ColumnTarget =>
  declared.has(name) ? `properties.${name}` : null

function alike(name: string, declared: PropertyTypes): ColumnTarget {
  const wanted = plain(name)
  const field = columns.find((one) => spellings[one].includes(wanted))
  const key = [...declared.keys()].find((one) => one.toLowerCase().replaceAll("_", "") === wanted)
  return field ?? (key === undefined ? null : `properties.${key}`)
}

/** The type of the property to which a column goes; null for other targets and properties that are not there. */
export function propertyTypeOf(target: ColumnTarget, declared: PropertyTypes): PropertyType | null {
  return (target?.startsWith("properties.") && declared.get(target.slice("properties.".length))?.type) || null
}

/** Targets by the names of columns, or one for each column in its place. */
export type Mapping = Readonly<Record<string, string | null>> | readonly (string | null)[]

type MappingFault = {
  /** The column as the mapping says it, by name or by place from 0; null when it is about all of them. */
  column: string | null
  detail: string
}

/** What is wrong with a mapping of columns to targets, as sentences with the column they are about. */
export function mappingFaults(header: readonly string[], mapping: Mapping, declared: PropertyTypes): MappingFault[] {
  if (isList(mapping) && mapping.length !== header.length) {
    return [{ column: null, detail: `A list must have a target for each of the ${header.length} columns.` }]
  }
  const taken = new Set<string>()
  return Object.entries(mapping).flatMap(([column, target]) => {
    if (!isList(mapping) && !header.includes(headerName(column)))
      return [{ column, detail: "The file has no such column." }]
    if (target === null) return []
    if (!isList(mapping) && header.filter((name) => name === headerName(column)).length > 1)
      return [{ column, detail: doubled(column) }]
    if (taken.has(target)) return [{ column, detail: `Another column goes to ${target} already.` }]
    taken.add(target)
    if ((columns as readonly string[]).includes(target)) return []
    const key = target.startsWith("properties.") ? target.slice("properties.".length) : null
    if (key === null) return [{ column, detail: `Must go to one of ${columns.join(", ")}, properties.<key>, or null.` }]
    return declared.has(key)
      ? []
      : [{ column, detail: `"${key}" is no contact property of this project. Define it first.` }]
  })
}

const doubled = (column: string) =>
  `Several columns are called "${column}". Rename them, or map by a list of targets, one for each column.`

const isList = (mapping: Mapping): mapping is readonly (string | null)[] => Array.isArray(mapping)

/** A mapping that was given and has no faults, as one target a column; columns that it does not name go nowhere. */
export function mappedTargets(header: readonly string[], mapping: Mapping): ColumnTarget[] {
  if (isList(mapping)) return mapping as ColumnTarget[]
  const named = new Map(Object.entries(mapping).map(([column, target]) => [headerName(column), target as ColumnTarget]))
  return header.map((name) => named.get(name) ?? null)
}

/** Encodings in which spreadsheets and their export write text, by the names of the Encoding Standard. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const
export type FileEncoding = (typeof encodings)[number]

/** What a file begins with decides, once it has been read so far or has anything beyond ASCII. */
export const encodingBytes = 256 * 1024

/**
 * The encoding of a file by its bytes, which are added from its beginning on. A byte order mark decides; else zeros between
 * ASCII characters are UTF-16. Bytes beyond ASCII are UTF-8 if any of them form a character of it, whatever else is broken, and
 * Windows-1252 (of which Latin-1 is a part) if none do.
 */
export function createEncodingScan() {
  let read = 0
  let wide: FileEncoding | null = null
  /** Bytes of a character of UTF-8 that are still to come. */
  let open = 0
  let characters = 0
  let strays = 0

  function addByte(byte: number) {
    if (open > 0 && (byte & 0xc0) === 0x80) {
      open -= 1
      if (open === 0) characters += 1
      return
    }
    if (open > 0) strays += 1
    open = byte < 0x80 ? 0 : followers(byte)
    if (byte >= 0x80 && open === 0) strays += 1
  }

  return {
    add(bytes: Uint8Array) {
      if (read === 0) wide = wideEncodingOf(bytes)
      read += bytes.length
      if (!wide) for (const byte of bytes) addByte(byte)
    },
    /** True if more bytes do not change the result. */
    decided: () => wide !== null || (read >= encodingBytes && characters + strays > 0),
    encoding: (): FileEncoding => wide ?? (strays > 0 && characters === 0 ? "windows-1252" : "utf-8"),
  }
}

/** Of a first byte of UTF-8: how many follow; 0 if none begins with it. */
function followers(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 1
  if (byte >= 0xe0 && byte <= 0xef) return 2
  return byte >= 0xf0 && byte <= 0xf4 ? 3 : 0
}

function wideEncodingOf([first = 1, second = 1]: Uint8Array): FileEncoding | null {
  if (first === 0xff && second === 0xfe) return "utf-16le"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  if (second === 0 && first !== 0) return "utf-16le"
  return first === 0 && second !== 0 ? "utf-16be" : null
}
