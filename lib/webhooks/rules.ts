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
  // Queued by lib/received for the webhook of a route alone.
  "email.received",
] as const

/** All that `events` takes. */
export const allEvents = [...webhookEvents, ...addedEvents] as const

export type WebhookEvent = (typeof allEvents)[number]

export const filterOperators = ["eq", "neq", "contains", "exists"] as const
export const transformationTypes = ["rename_field", "add_field", "remove_field", "compute_field"] as const

export type EventFilter = { field: string; operator: (typeof filterOperators)[number]; value?: string | undefined }

export type Transformation = {
  type: (typeof transformationTypes)[number]
  field?: string | undefined
  from?: string | undefined
  to?: string | undefined
  template?: string | undefined
  value?: string | null | undefined
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [field: string]: JsonValue }
export type Payload = { [field: string]: JsonValue }

const depthMax = 8
const computedCharsMax = 4_000
/** Of a value that a filter compares or a template contains. */
const valueBytesMax = 64 * 1024
/** Of an event as it is sent, at every step on the way there. */
const eventBytesMax = 256 * 1024
/** For one event with all its filters and transformations. */
const eventMs = 20

/** Why a webhook's filters and transformations made nothing of an event. */
export type ShapingFault = "shaping_too_large" | "shaping_too_slow" | "shaping_failed"

/** Shown in place of the code that is stored. */
export const shapingFaults: Record<ShapingFault, string> = {
  shaping_too_large: `The event was not sent: after the webhook's transformations it is larger than ${eventBytesMax / 1024} KiB, or one of its values is larger than ${valueBytesMax / 1024} KiB.`,
  shaping_too_slow: `The event was not sent: the webhook's filters and transformations took longer than ${eventMs} ms.`,
  shaping_failed: "The event was not sent: the webhook's filters and transformations could not be applied to it.",
}

/** Thrown while the text is built, before it takes memory or time. */
export class ShapingFailed extends Error {
  constructor(readonly fault: ShapingFault) {
    super(fault)
  }
}

/** The fields that a transformation must have, and which it may have besides. */
export const companions: Record<Transformation["type"], readonly (keyof Transformation)[]> = {
  rename_field: ["from", "to"],
  add_field: ["field", "value"],
  remove_field: ["field"],
  compute_field: ["field", "template"],
}

/** The names in a dot path; null where it is no path, or one that reaches into prototypes. */
export function dotPath(text: string): string[] | null {
  const names = text.split(".")
  if (names.length > depthMax) return null
  return names.every((name) => name && name.trim() === name && !inherited.has(name)) ? names : null
}

const inherited = new Set(["__proto__", "constructor", "prototype"])

/** Whether a payload passes all filters. @throws ShapingFailed */
export function passes(filters: readonly EventFilter[], payload: Payload, work = startWork()): boolean {
  return firstFailing(filters, payload, work) === -1
}

/** The position of the first filter that leaves a payload out; -1 where it passes all. @throws ShapingFailed */
export function firstFailing(filters: readonly EventFilter[], payload: Payload, work = startWork()): number {
  return filters.findIndex((filter) => !passesOne(filter, payload, work))
}

/** Values are compared as text; a missing field equals and contains nothing. */
function passesOne({ field, operator, value = "" }: EventFilter, payload: Payload, work: TimeBudget): boolean {
  work.check()
  const found = valueAt(payload, field)
  if (operator === "exists") return found !== undefined && found !== null
  const text = found === undefined ? undefined : textOf(found, work)
  if (operator === "eq") return text === value
  if (operator === "neq") return text !== value
  return text?.includes(value) ?? false
}

/** The payload after all transformations, in their order; the given one is unchanged. @throws ShapingFailed */
export function transformed(transformations: readonly Transformation[], payload: Payload, work = startWork()): Payload {
  if (!transformations.length) return payload
  const result = structuredClone(payload)
  for (const one of transformations) {
    work.check()
    apply(one, result, work)
  }
  return result
}

/**
 * Whether transformations make every event too large: they do so of one without data, where there is nothing else to blame,
 * and of one whose fields are in their way.
 */
export function neverFit(transformations: readonly Transformation[]): boolean {
  const head = { id: "", type: "", timestamp: "", createdAt: "", projectId: "" }
  const samples: Payload[] = [{}, { emailId: "", to: "", from: "", subject: "" }]
  return samples.every((data) => {
    try {
      eventText(transformed(transformations, { ...head, data }, untimed), untimed)
      return false
    } catch (error) {
      if (error instanceof ShapingFailed) return true
      throw error
    }
  })
}

const untimed: TimeBudget = { check() {} }

/** The payload as JSON text, as it is signed and sent. @throws ShapingFailed where it is larger than an event may be */
export function eventText(payload: Payload, work = startWork()): string {
  return jsonText(payload, eventBytesMax, work)
}

/** The time that the work on one event may take; it is checked at every step. */
export type TimeBudget = { check(): void }

export type Clocks = { wallMs(): number; cpuMs(): number }

const processClocks: Clocks = {
  wallMs: () => performance.now(),
  cpuMs: () => process.cpuUsage().user / 1_000,
}

/** Time in which the process did not run, on a busy machine, does not count: the CPU's clock has the last word. */
export function startWork({ wallMs, cpuMs }: Clocks = processClocks): TimeBudget {
  const [wallUntil, cpuUntil] = [wallMs() + eventMs, cpuMs() + eventMs]
  return {
    check() {
      if (wallMs() > wallUntil && cpuMs() > cpuUntil) throw new ShapingFailed("shaping_too_slow")
    },
  }
}

function apply(
  { type, field = "", from = "", to = "", template = "", value = null }: Transformation,
  payload: Payload,
  work: TimeBudget,
) {
  if (type === "add_field") return put(payload, field, value)
  if (type === "remove_field") return remove(payload, field)
  if (type === "compute_field") return put(payload, field, filled(template, payload, work))
  const moved = valueAt(payload, from)
  if (moved === undefined || from === to) return
  // The old field stays where the new one cannot be written, so that renaming never loses a value. It makes room first, for
  // the new path may lead through it.
  remove(payload, from)
  if (!put(payload, to, moved)) put(payload, from, moved)
}

/** A template with each `{{path}}` replaced by the value there, up to a length; a missing one leaves nothing. */
function filled(template: string, payload: Payload, work: TimeBudget): string {
  let text = ""
  const texts = new Map<string, string>()
  for (const [at, part] of template.split("{{").entries()) {
    if (text.length >= computedCharsMax) break
    const end = part.indexOf("}}")
    if (at === 0 || end < 0) {
      text += at === 0 ? part : `{{${part}`
      continue
    }
    const path = part.slice(0, end).trim()
    const known = texts.get(path) ?? templateText(valueAt(payload, path), work)
    texts.set(path, known)
    text += known.slice(0, computedCharsMax - text.length) + part.slice(end + 2)
  }
  return text.slice(0, computedCharsMax).toWellFormed()
}

function templateText(value: JsonValue | undefined, work: TimeBudget): string {
  return value === undefined || value === null ? "" : textOf(value, work)
}

function valueAt(payload: Payload, path: string): JsonValue | undefined {
  let here: JsonValue | undefined = payload
  for (const name of dotPath(path) ?? [""]) {
    if (!isObject(here) || !Object.hasOwn(here, name)) return undefined
    here = here[name]
  }
  return here
}

/** Writes a field, with the objects on the way there; false where another value is in the way. */
function put(payload: Payload, path: string, value: JsonValue): boolean {
  const parent = parentOf(payload, path, true)
  if (parent) parent.of[parent.name] = value
  return parent !== null
}

function remove(payload: Payload, path: string): void {
  const parent = parentOf(payload, path, false)
  if (parent) delete parent.of[parent.name]
}

function parentOf(payload: Payload, path: string, create: boolean): { of: Payload; name: string } | null {
  const names = dotPath(path)
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

const encoder = new TextEncoder()
let scratch: Uint8Array<ArrayBuffer> | undefined

/** In UTF-8; of a text beyond what an event may have, more than that. */
function bytesOf(text: string): number {
  if (text.length > eventBytesMax) return text.length
  scratch ??= new Uint8Array(eventBytesMax)
  const { read, written } = encoder.encodeInto(text, scratch)
  return read < text.length ? eventBytesMax + 1 : written
}

function isObject(value: JsonValue | undefined): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function textOf(value: JsonValue, work: TimeBudget): string {
  if (typeof value !== "string") return jsonText(value, valueBytesMax, work)
  if (bytesOf(value) > valueBytesMax) throw new ShapingFailed("shaping_too_large")
  return value
}

/** What `JSON.stringify` returns, counted while it is built. @throws ShapingFailed */
function jsonText(value: JsonValue, bytesMax: number, work: TimeBudget): string {
  const parts: string[] = []
  let room = bytesMax
  const add = (part: string) => {
    room -= bytesOf(part)
    if (room < 0) throw new ShapingFailed("shaping_too_large")
    parts.push(part)
  }
  const write = (here: JsonValue) => {
    if (typeof here !== "object" || here === null) {
      // Escaped it is longer, never shorter.
      if (typeof here === "string" && here.length > room) throw new ShapingFailed("shaping_too_large")
      return add(JSON.stringify(here))
    }
    work.check()
    const entries = Array.isArray(here) ? here.map((one) => ["", one] as const) : Object.entries(here)
    add(Array.isArray(here) ? "[" : "{")
    for (const [at, [name, one]] of entries.entries()) {
      const separator = at > 0 ? "," : ""
      add(Array.isArray(here) ? separator : `${separator}${JSON.stringify(name)}:`)
      write(one)
    }
    add(Array.isArray(here) ? "]" : "}")
  }
  write(value)
  return parts.join("")
}
