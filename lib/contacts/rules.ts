import type { FieldProblem } from "@/lib/platform/http/problem"

/** The property values of one contact together, as JSON in UTF-8. */
export const propertiesBytesMax = 50 * 1024

export const validationStatuses = ["valid", "risky", "invalid", "unknown"] as const

type ValidationStatus = (typeof validationStatuses)[number]

export type Verdict = { status: ValidationStatus; reason?: string }

/** Days that the engagement score looks back. */
export const engagementDays = 90

/** What became of the mail of one contact in the days that count; opens and clicks of people, not of machines. */
export type Engagement = {
  sent: number
  delivered: number
  opened: number
  clicked: number
  bounced: number
  complained: number
  /** Days since the last open or click; null without one. */
  idleDays: number | null
}

type Tier = "new" | "cold" | "cool" | "warm" | "hot"

/** A contact is new until three messages were delivered, unless it has reacted to one. */
const newUntilDelivered = 3

/**
 * Opening everything is worth 60, clicking in half of it the other 40. Both fade to 40 % as the last reaction moves to
 * the far end of the 90 days; bounces take up to 30 away, a complaint takes all.
 */
export function engagementScoreOf(engagement: Engagement): { score: number; tier: Tier } {
  const { sent, delivered, opened, clicked, bounced, complained, idleDays } = engagement
  if (complained > 0) return { score: 0, tier: "cold" }
  const reacted = opened + clicked + bounced > 0
  if (delivered < newUntilDelivered && !reacted) return { score: 0, tier: "new" }
  const base = Math.max(delivered, 1)
  const interest = 60 * Math.min(1, Math.max(opened, clicked) / base) + 40 * Math.min(1, (2 * clicked) / base)
  const freshness = idleDays === null ? 0 : 1 - 0.6 * Math.min(1, Math.max(0, idleDays) / engagementDays)
  const loss = 30 * Math.min(1, bounced / Math.max(sent, 1))
  const score = Math.round(Math.min(100, Math.max(0, interest * freshness - loss)))
  return { score, tier: tierOf(score) }
}

function tierOf(score: number): Tier {
  if (score >= 75) return "hot"
  if (score >= 50) return "warm"
  return score >= 25 ? "cool" : "cold"
}

/** Whether these values are too much for one contact. */
export function isOversized(values: Readonly<Record<string, string>>): boolean {
  return new TextEncoder().encode(JSON.stringify(values)).byteLength > propertiesBytesMax
}

/** The problem of a body whose values, alone or with those that the contact has, are too much. */
export const oversized: FieldProblem = {
  pointer: "/properties",
  detail: `Must be at most ${propertiesBytesMax} bytes of JSON.`,
}

type Check = { declared: ReadonlyMap<string, unknown>; faultOf: (key: string, value: string) => string | null }

/** What is wrong with the property values of a contact, each with its pointer. */
export function propertyFaults(values: Record<string, string>, { declared, faultOf }: Check): FieldProblem[] {
  if (isOversized(values)) return [oversized]
  return Object.entries(values).flatMap(([key, value]) => {
    const fault = declared.has(key) ? faultOf(key, value) : "Is no contact property of this project. Define it first."
    return fault ? [{ pointer: `/properties/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, detail: fault }] : []
  })
}

/** Values as a contact shows them: its own, else the fallback; keys that are no longer declared are left out. */
export function shownProperties(
  own: Record<string, string>,
  declared: ReadonlyMap<string, { fallback: string | null }>,
): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [key, { fallback }] of declared) {
    const value = Object.hasOwn(own, key) ? own[key] : fallback
    if (value !== null && value !== undefined) shown[key] = value
  }
  return shown
}

type FieldRule = {
  /** What pages call it. */
  label: string
  charsMax: number
  /** Whether the form for a new contact asks for it. */
  asked: boolean
  /** Names of columns in files of others, in lower case without spaces and accents, that mean this field. */
  spellings: readonly string[]
}

/**
 * The text fields of a contact. The API, the store, imports, exports and pages follow this list: a new field needs a column in
 * the schema, a migration, the trigger `contacts_touch`, the function `announce_contacts`, a line in the shape of
 * `read-sql.ts`, and an entry here. Segment filters by it are added in `lib/segments/rules.ts` and `compile-sql.ts`.
 */
export const contactFields = {
  firstName: {
    label: "First name",
    charsMax: 200,
    asked: true,
    spellings: [
      ...["firstname", "givenname", "first", "forename", "vorname", "prenom", "nombre", "nome"],
      ...["voornaam", "ad", "adi", "isim"],
    ],
  },
  lastName: {
    label: "Last name",
    charsMax: 200,
    asked: true,
    spellings: [
      ...["lastname", "surname", "familyname", "last", "nachname", "familienname", "nom", "nomdefamille"],
      ...["apellido", "apellidos", "cognome", "sobrenome", "achternaam", "soyad", "soyadi"],
    ],
  },
  phone: {
    label: "Phone",
    charsMax: 50,
    asked: false,
    spellings: [
      ...["phone", "phonenumber", "mobile", "telephone", "tel", "telefon", "telefonnummer", "handy", "mobil"],
      ...["portable", "telefono", "movil", "celular", "telefone", "telefoon", "telefoonnummer", "gsm"],
    ],
  },
} as const satisfies Record<string, FieldRule>

export type ContactField = keyof typeof contactFields

export const contactFieldNames = Object.keys(contactFields) as readonly ContactField[]

export const askedFields = contactFieldNames.filter((field) => contactFields[field].asked)

/** One value for each field, as `make` gives it. */
export function eachField<T>(make: (field: ContactField) => T): Record<ContactField, T> {
  return Object.fromEntries(contactFieldNames.map((field) => [field, make(field)])) as Record<ContactField, T>
}
