import { get, set, type FieldErrors, type FieldValues, type Resolver } from "react-hook-form"
import type { z } from "zod"
import type { Rules } from "@/components/data/form-rules"

export type LoadSchema<Schema = z.ZodType> = () => Promise<Schema>

/**
 * Checks a form by its rules and by the operation's schema. A fault that has no field here is left to the API, which
 * checks alone when the schema cannot be loaded.
 */
export function formResolver<Values extends FieldValues>(
  load: LoadSchema | undefined,
  rules: Rules<Values> = {},
): Resolver<Values> {
  return async (values, _context, { names = [] }) => {
    const check = load && (await loadCheck(load).catch(() => undefined))
    const faults = await check?.(values)
    const errors: FieldErrors<Values> = {}
    for (const name of names) {
      const message = rules[name]?.(get(values, name), values) ?? messageOf(get(faults, name))
      if (message) set(errors, name, { type: "validate", message })
    }
    return Object.keys(errors).length ? { values: {}, errors } : { values, errors: {} }
  }
}

/** Loads the schema with what runs it: neither is part of a page's first load. */
export async function loadCheck(load: LoadSchema): Promise<(values: FieldValues) => Promise<unknown>> {
  const [{ zodResolver }, schema] = await Promise.all([import("@hookform/resolvers/zod"), load()])
  const resolve = zodResolver(schema as z.ZodType<FieldValues, FieldValues>, undefined, { raw: true })
  return async (values) => {
    const { errors } = await resolve(values, undefined, { fields: {}, shouldUseNativeValidation: false })
    return errors
  }
}

/** The first message of a field, or of what it holds: a list may be valid but for one entry. */
function messageOf(fault: unknown): string | undefined {
  if (typeof fault !== "object" || fault === null) return undefined
  if ("message" in fault && typeof fault.message === "string") return fault.message
  return Object.values(fault)
    .map(messageOf)
    .find((message) => message !== undefined)
}
