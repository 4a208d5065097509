type Shown = { properties: Record<string, string>; ownProperties?: readonly string[] }
type Declared = readonly { id: string; key: string }[]

/** The contact's own values by the ids of their properties, also those that equal the fallback; empty for the rest. */
export function ownValues({ properties, ownProperties = [] }: Shown, declared: Declared): Record<string, string> {
  const own = new Set(ownProperties)
  return Object.fromEntries(declared.map(({ id, key }) => [id, (own.has(key) ? properties[key] : undefined) ?? ""]))
}

/** The changed values alone, by key, with null for those that were emptied. */
export function changesOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  declared: Declared,
): Record<string, string | null> {
  const changed = declared.filter(({ id }) => after[id] !== before[id])
  return Object.fromEntries(changed.map(({ id, key }) => [key, after[id] || null]))
}

/** The id of the property at which the API points when it refuses a value. */
export function propertyAt(pointer: string, declared: Declared): string {
  return declared.find(({ key }) => pointer === `/propertyChanges/${key}`)?.id ?? pointer
}
