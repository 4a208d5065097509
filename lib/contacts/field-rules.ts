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
