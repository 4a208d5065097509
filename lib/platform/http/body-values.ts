import type { z } from "zod"
import { pointerOf, type Faults, type ValuePath } from "@/lib/platform/http/faults"

/** No declared map comes near it; each entry of the wrong kind would cost the parser an issue of its own. */
const entriesMax = 10_000

/** What this module reads of a schema. zod's own types tell no more of it without a cast for each kind. */
type Definition = {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  valueType?: z.ZodType
  options?: readonly z.ZodType[]
  discriminator?: string
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  getter?: () => z.ZodType
  checks?: readonly { _zod: { def: { maximum?: number } } }[]
}

/** For schemas that judge a value by another schema in their own code: which one it is. */
export const judgedBy = new WeakMap<z.ZodType, (value: unknown) => z.ZodType>()

/**
 * The value of a body, ready to be parsed by its schema: null means absent in every optional field to which the schema
 * gives no meaning of null. Lists and maps are cut where the schema refuses them by their size, so that parsing a
 * hostile body costs no more than a large good one.
 */
export function bodyValues(schema: z.ZodType, value: unknown, faults: Faults, path: ValuePath = ""): unknown {
  if (!isNested(value)) return value
  const definition = definitionOf(schema)
  const inner = innerOf(schema, definition, value)
  if (inner) return bodyValues(inner, value, faults, path)
  const { shape, element, valueType } = definition
  if (Array.isArray(value)) return element ? listValues(element, boundOf(definition), value, faults, path) : value
  if (shape) return objectValues(shape, value as Record<string, unknown>, faults, path)
  return valueType ? mapValues(valueType, value as Record<string, unknown>, faults, path) : value
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

export function definitionOf(schema: z.ZodType): Definition {
  return schema._zod.def as unknown as Definition
}

/** The schema within that says more of the value, where this one only wraps it, refers to it or chooses it. */
export function innerOf(schema: z.ZodType, definition: Definition, value: object): z.ZodType | undefined {
  if (definition.options) return optionFor(definition.options, definition.discriminator, value)
  return definition.innerType ?? definition.getter?.() ?? pipedBy(definition) ?? judgedBy.get(schema)?.(value)
}

/** A preprocessed schema begins with the function, every other pipe with what it takes. */
function pipedBy({ in: first, out }: Definition): z.ZodType | undefined {
  return first && definitionOf(first).type === "transform" ? out : first
}

function objectValues(
  shape: Record<string, z.ZodType>,
  value: Record<string, unknown>,
  faults: Faults,
  path: ValuePath,
) {
  let changed: Record<string, unknown> | undefined
  for (const name of Object.keys(value)) {
    const given = value[name]
    // Most of a body is neither null nor nested: nothing about it changes.
    if (given !== null && !isNested(given)) continue
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (!field) continue
    if (given === null) {
      if (nullIsAbsent(field)) delete (changed ??= { ...value })[name]
      continue
    }
    const prepared = bodyValues(field, given, faults, { parent: path, name })
    if (prepared !== given) (changed ??= { ...value })[name] = prepared
  }
  return changed ?? value
}

function listValues(element: z.ZodType, most: number, given: unknown[], faults: Faults, path: ValuePath) {
  // One more than allowed is what its schema refuses it for.
  const list = given.length > most ? given.slice(0, most + 1) : given
  const prepared = list.map((item, name) =>
    isNested(item) ? bodyValues(element, item, faults, { parent: path, name }) : item,
  )
  return prepared.some((item, index) => item !== given[index]) || list !== given ? prepared : given
}

function mapValues(valueType: z.ZodType, value: Record<string, unknown>, faults: Faults, path: ValuePath) {
  const entries = Object.entries(value)
  if (entries.length > entriesMax) {
    faults.add(pointerOf(path), `May hold ${entriesMax} entries.`)
    return {}
  }
  if (!entries.some(([, item]) => isNested(item))) return value
  const prepared = entries.map(
    ([name, item]) =>
      [name, isNested(item) ? bodyValues(valueType, item, faults, { parent: path, name }) : item] as const,
  )
  return prepared.some(([name, item]) => item !== value[name]) ? Object.fromEntries(prepared) : value
}

function boundOf({ checks }: Definition): number {
  const bounds = (checks ?? []).map(({ _zod }) => _zod.def.maximum)
  return Math.min(...bounds.filter((bound) => bound !== undefined), Infinity)
}

/** Of the schemas that a value may have, the one for lists or for objects; among objects the one of its discriminator. */
function optionFor(
  options: readonly z.ZodType[],
  discriminator: string | undefined,
  value: object,
): z.ZodType | undefined {
  return options.find((option) => {
    const definition = definitionOf(option)
    const inner = innerOf(option, definition, value)
    if (inner) return optionFor([inner], discriminator, value) !== undefined
    if (Array.isArray(value)) return definition.type === "array"
    if (definition.type !== "object") return definition.type === "record"
    const wanted = discriminator && definition.shape?.[discriminator]
    return !wanted || wanted.safeParse((value as Record<string, unknown>)[discriminator]).success
  })
}

const known = new WeakMap<z.ZodType, boolean>()

function nullIsAbsent(field: z.ZodType): boolean {
  const answer = known.get(field) ?? (!field.safeParse(null).success && field.safeParse(undefined).success)
  known.set(field, answer)
  return answer
}
