import { contactFieldNames, contactFields, eachField } from "@/lib/contacts/field-rules"
import { propertiesMax, type PropertyType } from "@/lib/contact-properties/rules"

/** The columns of the contact itself, in files that are imported and exported. */
export const columns = ["email", ...contactFieldNames, "unsubscribed"] as const
type Column = (typeof columns)[number]

/** Where a column goes: a field of the contact, `properties.<key>`, or nowhere. */
export type Target = Column | `properties.${string}` | null

export type Declared = ReadonlyMap<string, { type: PropertyType }>

/** Columns that a file may have: an export has one for each property, and some more. */
export const columnsMax = propertiesMax + 100

/** The delimiter of a file by its first line: the most frequent of comma, semicolon and tab outside quotes. */
export function delimiterOf(firstLine: string): string {
  const bare = firstLine.replaceAll(/"[^"]*"/g, "")
  const count = (mark: string) => bare.split(mark).length
  return [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

const spellings: Record<Column, readonly string[]> = {
  email: [
    ...["email", "emailaddress", "mail", "address"],
    ...["emailadresse", "mailadresse", "adressemail", "adresseemail", "adresseelectronique", "courriel"],
    ...["correo", "correoelectronico", "emailadres", "indirizzoemail", "enderecodeemail", "eposta", "epostaadresi"],
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
  ],
}

/**
 * The target of each column without a mapping: by the usual names of the fields, else by the key of a property. What has
 * exactly the name of a field or property goes first, so that our own exports find the way back whatever they hold.
 */
export function guessTargets(header: readonly string[], declared: Declared): Target[] {
  const targets: Target[] = header.map(() => null)
  for (const guess of [sameField, likeEmail, sameProperty, alike]) {
    for (const [at, name] of header.entries()) {
      const target = targets[at] === null ? guess(name, declared) : null
      if (target !== null && !targets.includes(target)) targets[at] = target
    }
  }
  return targets
}

/** In lower case and without accents: "Prénom" is `prenom`, "Soyadı" `soyadi`. */
const plain = (name: string) =>
  name
    .normalize("NFD")
    .toLowerCase()
    .replaceAll("ı", "i")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")

const sameField = (name: string): Target => columns.find((field) => field === name) ?? null

const likeEmail = (name: string): Target => (spellings.email.includes(plain(name)) ? "email" : null)

const sameProperty = (name: string, declared: Declared): Target => (declared.has(name) ? `properties.${name}` : null)

function alike(name: string, declared: Declared): Target {
  const field = columns.find((one) => spellings[one].includes(plain(name)))
  const key = [...declared.keys()].find((one) => one.toLowerCase().replaceAll("_", "") === plain(name))
  return field ?? (key === undefined ? null : `properties.${key}`)
}

/** Targets by the names of columns, or one for each column in its place. */
export type Mapping = Readonly<Record<string, string | null>> | readonly (string | null)[]

export type MappingFault = {
  /** The column as the mapping says it, by name or by place from 0; null when it is about all of them. */
  column: string | null
  detail: string
}

/** What is wrong with a mapping of columns to targets, as sentences with the column they are about. */
export function mappingFaults(header: readonly string[], mapping: Mapping, declared: Declared): MappingFault[] {
  if (isList(mapping) && mapping.length !== header.length) {
    return [{ column: null, detail: `A list must have a target for each of the ${header.length} columns.` }]
  }
  const taken = new Set<string>()
  return Object.entries(mapping).flatMap(([column, target]) => {
    if (!isList(mapping) && !header.includes(column)) return [{ column, detail: "The file has no such column." }]
    if (target === null) return []
    if (!isList(mapping) && header.indexOf(column) !== header.lastIndexOf(column))
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
export function mappedTargets(header: readonly string[], mapping: Mapping): Target[] {
  if (isList(mapping)) return mapping as Target[]
  return header.map((name) => (Object.hasOwn(mapping, name) ? (mapping[name] as Target) : null))
}
