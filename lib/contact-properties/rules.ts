export const propertyTypes = ["string", "number"] as const

export type PropertyType = (typeof propertyTypes)[number]

/** UTF-16 units of one value. */
export const valueCharsMax = 10_000

/** Definitions a project may have. */
export const propertiesMax = 500

const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** Why this text is no value of the type, as a sentence; null if it is one. */
export function valueFault(type: PropertyType, value: string): string | null {
  if (value.length > valueCharsMax) return `Must be at most ${valueCharsMax} characters.`
  if (type === "string") return null
  return number.test(value) && Number.isFinite(Number(value)) ? null : "Must be a number, such as 42 or -1.5."
}
