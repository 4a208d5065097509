import { nameCharsMax, phoneCharsMax, propertiesBytesMax } from "@/lib/contacts/rules"
import { valueFault, type PropertyType } from "@/lib/contact-properties/rules"
import { parseAddress } from "@/lib/domains/address"

export const importModes = ["upsert", "skip"] as const
export type ImportMode = (typeof importModes)[number]

export const importStatuses = ["queued", "running", "completed", "cancelled", "failed"] as const
export type ImportStatus = (typeof importStatuses)[number]

const fields = ["email", "firstName", "lastName", "phone", "unsubscribed"] as const
type Field = (typeof fields)[number]

/** Where a column goes: a field of the contact, `properties.<key>`, or nowhere. */
export type Target = Field | `properties.${string}` | null

export type Declared = ReadonlyMap<string, { type: PropertyType }>

/** Columns that a file may have. */
export const columnsMax = 500

/** What parts the cells of this first line: whichever of comma, semicolon and tab stands outside quotes most often. */
export function delimiterOf(firstLine: string): string {
  const bare = firstLine.replaceAll(/"[^"]*"/g, "")
  const count = (mark: string) => bare.split(mark).length
  return [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

const spellings: Record<Field, readonly string[]> = {
  email: ["email", "emailaddress", "mail", "address"],
  firstName: ["firstname", "givenname", "first", "forename"],
  lastName: ["lastname", "surname", "familyname", "last"],
  phone: ["phone", "phonenumber", "mobile", "telephone", "tel"],
  unsubscribed: ["unsubscribed", "optedout", "optout"],
}

/** Where each column goes when nobody says: by the usual names of the fields, else by the key of a property. */
export function guessTargets(header: readonly string[], declared: Declared): Target[] {
  const taken = new Set<Target>()
  return header.map((name) => {
    const plain = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")
    const field = fields.find((one) => spellings[one].includes(plain))
    const key = [...declared.keys()].find((one) => one.toLowerCase().replaceAll("_", "") === plain)
    const target: Target = field ?? (key === undefined ? null : `properties.${key}`)
    if (target === null || taken.has(target)) return null
    taken.add(target)
    return target
  })
}

export type Mapping = Readonly<Record<string, string | null>>

/** What is wrong with a mapping of column names to targets, as sentences with the column they are about. */
export function mappingFaults(header: readonly string[], mapping: Mapping, declared: Declared): { column: string; detail: string }[] {
  const taken = new Set<string>()
  return Object.entries(mapping).flatMap(([column, target]) => {
    if (!header.includes(column)) return [{ column, detail: "The file has no such column." }]
    if (target === null) return []
    if (taken.has(target)) return [{ column, detail: `Another column goes to ${target} already.` }]
    taken.add(target)
    if ((fields as readonly string[]).includes(target)) return []
    const key = target.startsWith("properties.") ? target.slice("properties.".length) : null
    if (key === null) return [{ column, detail: `Must go to one of ${fields.join(", ")}, properties.<key>, or null.` }]
    return declared.has(key) ? [] : [{ column, detail: `"${key}" is no contact property of this project. Define it first.` }]
  })
}

/** A mapping that was given, as one target a column; columns that it does not name go nowhere. */
export function mappedTargets(header: readonly string[], mapping: Mapping): Target[] {
  return header.map((name, at) => (header.indexOf(name) === at && Object.hasOwn(mapping, name) ? (mapping[name] as Target) : null))
}

/** What a row says of a contact. What it leaves empty it leaves alone. */
export type Draft = {
  /** Canonical form of the address. */
  email: string
  firstName?: string
  lastName?: string
  phone?: string
  unsubscribed: boolean
  properties: Record<string, string>
}

export type Fault = { column: string; detail: string }

/** Reads one row by the targets of its columns; every fault is told at once. */
export function readRow(
  cells: readonly string[],
  { header, targets, declared }: { header: readonly string[]; targets: readonly Target[]; declared: Declared },
): { draft: Draft } | { faults: Fault[] } {
  const draft: Draft = { email: "", unsubscribed: false, properties: {} }
  const faults: Fault[] = []
  for (const [at, target] of targets.entries()) {
    if (target === null) continue
    const text = (cells[at] ?? "").trim()
    const fault = text === "" && target !== "email" ? null : put(draft, target, text, declared)
    if (fault) faults.push({ column: header[at] ?? "", detail: fault })
  }
  const bytes = new TextEncoder().encode(JSON.stringify(draft.properties)).byteLength
  if (bytes > propertiesBytesMax) faults.push({ column: "", detail: `The properties must be at most ${propertiesBytesMax} bytes of JSON.` })
  return faults.length ? { faults } : { draft }
}

/** Puts a cell into its place; answers why it cannot stand there. */
function put(draft: Draft, target: NonNullable<Target>, text: string, declared: Declared): string | null {
  if (text.includes("\uFFFD")) return "Is not UTF-8."
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) return "Must not contain control characters."
  if (target === "email") return putAddress(draft, text)
  if (target === "unsubscribed") return putUnsubscribed(draft, text)
  if (target === "firstName" || target === "lastName" || target === "phone") {
    const charsMax = target === "phone" ? phoneCharsMax : nameCharsMax
    if (text.length > charsMax) return `Must be at most ${charsMax} characters.`
    draft[target] = text
    return null
  }
  const key = target.slice("properties.".length)
  const property = declared.get(key)
  if (!property) return "This property has been deleted meanwhile."
  const value = property.type === "number" ? asNumber(text) : text
  draft.properties[key] = value
  return valueFault(property.type, value)
}

function putAddress(draft: Draft, text: string): string | null {
  const address = parseAddress(text)
  if (!address.ok) return address.reason
  if (address.name !== undefined || text.includes("<")) return "Must be an address alone, without a name."
  draft.email = address.canonical
  return null
}

const yes = ["true", "yes", "y", "1"]
const no = ["false", "no", "n", "0"]

function putUnsubscribed(draft: Draft, text: string): string | null {
  const word = text.toLowerCase()
  if (!yes.includes(word) && !no.includes(word)) return "Must be true or false."
  draft.unsubscribed = yes.includes(word)
  return null
}

/** The ways in which spreadsheets write numbers, as the API takes them: `+7`, `007`, `1.50`. Others stay as they are. */
function asNumber(text: string): string {
  const [, sign = "", whole = "", fraction = "", power = ""] = /^([+-]?)0*(\d+)(\.\d+)?([eE][+-]?\d+)?$/.exec(text) ?? []
  return whole === "" ? text : `${sign === "-" ? "-" : ""}${whole}${fraction}${power}`
}
