export const propertyTypes = ["string", "number", "boolean", "date"] as const

export type PropertyType = (typeof propertyTypes)[number]

/** Characters of a key. */
export const keyCharsMax = 50

/** UTF-16 units of one value. */
export const valueCharsMax = 10_000

/** Definitions a project may have. */
export const propertiesMax = 500

const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** Why this text is no value of the type, as a sentence; null if it is one. */
export function valueFault(type: PropertyType, value: string): string | null {
  if (value.length > valueCharsMax) return `Must be at most ${valueCharsMax} characters.`
  switch (type) {
    case "string":
      return null
    case "number":
      return number.test(value) && Number.isFinite(Number(value)) ? null : "Must be a number, such as 42 or -1.5."
    case "boolean":
      return value === "true" || value === "false" ? null : "Must be true or false."
    case "date":
      return isCalendarDate(value) ? null : "Must be a date, such as 2026-03-31."
  }
}

/** Whether this is a day of the calendar in the format of ISO 8601, such as 2026-03-31. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const midnight = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}

/** What is suggested for a filter: so many values, of the newest contacts, none longer than a line. */
export const valuesShown = 20
export const contactsRead = 2_000
export const valueCharsShown = 100
