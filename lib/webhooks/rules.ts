/** The types of events of the contract. */
export const webhookEvents = [
  "email.sent",
  "email.delivered",
  "email.bounced",
  "email.complained",
  "email.opened",
  "email.clicked",
  "email.failed",
  "email.rejected",
  "email.delivery_delayed",
  "email.suppressed",
  "email.unsubscribed",
  "email.read_engaged",
  "webhook.test",
] as const

/** Further types, beyond those of the contract. They are written only for webhooks that name them: `announce_*` in `prisma/functions`. */
export const addedEvents = [
  "contact.created",
  "contact.updated",
  "contact.deleted",
  "domain.created",
  "domain.verified",
  "domain.degraded",
  "domain.failed",
  "domain.deleted",
  "suppression.added",
  "suppression.removed",
] as const

/** All that `events` takes. */
export const allEvents = [...webhookEvents, ...addedEvents] as const

export type WebhookEvent = (typeof allEvents)[number]

export const filterOperators = ["eq", "neq", "contains", "exists"] as const
export const transformationTypes = ["rename_field", "add_field", "remove_field", "compute_field"] as const

export type Filter = { field: string; operator: (typeof filterOperators)[number]; value?: string | undefined }

export type Transformation = {
  type: (typeof transformationTypes)[number]
  field?: string | undefined
  from?: string | undefined
  to?: string | undefined
  template?: string | undefined
  value?: string | null | undefined
}

export type Json = string | number | boolean | null | Json[] | { [field: string]: Json }
export type Payload = { [field: string]: Json }

const depthMax = 8
const computedCharsMax = 4_000

/** The fields that a transformation must have, and which it may have besides. */
export const companions: Record<Transformation["type"], readonly (keyof Transformation)[]> = {
  rename_field: ["from", "to"],
  add_field: ["field", "value"],
  remove_field: ["field"],
  compute_field: ["field", "template"],
}

/** The names in a dot path; null where it is no path, or one that reaches into prototypes. */
export function pathOf(text: string): string[] | null {
  const names = text.split(".")
  if (names.length > depthMax) return null
  return names.every((name) => name && name.trim() === name && !inherited.has(name)) ? names : null
}

const inherited = new Set(["__proto__", "constructor", "prototype"])

/** Whether a payload passes all filters. */
export function passes(filters: readonly Filter[], payload: Payload): boolean {
  return firstFailing(filters, payload) === -1
}

/** The position of the first filter that leaves a payload out; -1 where it passes all. */
export function firstFailing(filters: readonly Filter[], payload: Payload): number {
  return filters.findIndex((filter) => !passesOne(filter, payload))
}

/** Values are compared as text; a missing field equals and contains nothing. */
function passesOne({ field, operator, value = "" }: Filter, payload: Payload): boolean {
  const found = valueAt(payload, field)
  const text = found === undefined ? undefined : textOf(found)
  if (operator === "exists") return found !== undefined && found !== null
  if (operator === "eq") return text === value
  if (operator === "neq") return text !== value
  return text?.includes(value) ?? false
}

/** The payload after all transformations, in their order; the given one is unchanged. */
export function transformed(transformations: readonly Transformation[], payload: Payload): Payload {
  if (!transformations.length) return payload
  const result = structuredClone(payload)
  for (const one of transformations) apply(one, result)
  return result
}

function apply(
  { type, field = "", from = "", to = "", template = "", value = null }: Transformation,
  payload: Payload,
) {
  if (type === "add_field") return put(payload, field, value)
  if (type === "remove_field") return remove(payload, field)
  if (type === "compute_field") return put(payload, field, filled(template, payload))
  const moved = valueAt(payload, from)
  // The old field stays where the new one cannot be written, so that renaming never loses a value.
  if (moved !== undefined && from !== to && put(payload, to, structuredClone(moved))) remove(payload, from)
}

/** A template with each `{{path}}` replaced by the value there; a missing one leaves nothing. */
function filled(template: string, payload: Payload): string {
  const text = template
    .split("{{")
    .map((part, at) => {
      const end = part.indexOf("}}")
      if (at === 0 || end < 0) return at === 0 ? part : `{{${part}`
      const found = valueAt(payload, part.slice(0, end).trim())
      return `${found === undefined || found === null ? "" : textOf(found)}${part.slice(end + 2)}`
    })
    .join("")
  return text.slice(0, computedCharsMax).toWellFormed()
}

function valueAt(payload: Payload, path: string): Json | undefined {
  let here: Json | undefined = payload
  for (const name of pathOf(path) ?? [""]) {
    if (!isObject(here) || !Object.hasOwn(here, name)) return undefined
    here = here[name]
  }
  return here
}

/** Writes a field, with the objects on the way there; false where another value is in the way. */
function put(payload: Payload, path: string, value: Json): boolean {
  const parent = parentOf(payload, path, true)
  if (parent) parent.of[parent.name] = value
  return parent !== null
}

function remove(payload: Payload, path: string): void {
  const parent = parentOf(payload, path, false)
  if (parent) delete parent.of[parent.name]
}

function parentOf(payload: Payload, path: string, create: boolean): { of: Payload; name: string } | null {
  const names = pathOf(path)
  const name = names?.pop()
  if (!names || name === undefined) return null
  let here = payload
  for (const step of names) {
    if (!Object.hasOwn(here, step)) {
      if (!create) return null
      here[step] = {}
    }
    const next = here[step]
    if (!isObject(next)) return null
    here = next
  }
  return { of: here, name }
}

function isObject(value: Json | undefined): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}
