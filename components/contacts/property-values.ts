const place = "propertyChanges."

type Shown = { properties: Record<string, string>; ownProperties?: readonly string[] }

/** The name of a property's field: where the API points when it refuses the value, its parts joined by dots. */
export const fieldOf = (key: string) => `${place}${key}`

/** What stands in the fields: the contact's own values, also those that equal the fallback, and nothing for the rest. */
export function ownValues(
  { properties, ownProperties = [] }: Shown,
  declared: readonly { key: string }[],
): Record<string, string> {
  const own = new Set(ownProperties)
  return Object.fromEntries(
    declared.map(({ key }) => [fieldOf(key), (own.has(key) ? properties[key] : undefined) ?? ""]),
  )
}

/** The values that were changed alone, with null for those that were emptied: what nobody touched stays as it is. */
export function changesOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name])
  return Object.fromEntries(changed.map(([name, value]) => [name.slice(place.length), value || null]))
}
