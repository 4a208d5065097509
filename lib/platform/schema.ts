import { z } from "zod"
import { decodeId, encodeId, type IdPrefix } from "@/lib/platform/ids"

/** A time in a request: an existing date of our era, with an offset. */
export const timestampText = z.iso
  .datetime({ offset: true, message: "Must be an ISO 8601 time with its offset, such as 2026-12-24T18:00:00Z." })
  .refine((text) => !text.startsWith("0000"), "Must be a time of our era.")

/** An instant: ISO 8601 UTC with milliseconds on the wire, a Date within. */
export const timestamp = z
  .codec(timestampText, z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  })
  .meta({ type: "string", format: "date-time", pattern: undefined })

/** A public id on the wire (`dom_…`), a uuid within. */
export function id(prefix: IdPrefix) {
  return z
    .codec(z.string(), z.string(), {
      decode: (text, context) => {
        const uuid = decodeId(prefix, text)
        if (uuid) return uuid
        context.issues.push({ code: "custom", input: text, message: `Must be an id that begins with ${prefix}_.` })
        return z.NEVER
      },
      encode: (uuid) => encodeId(prefix, uuid),
    })
    .meta({ type: "string", examples: [`${prefix}_01k9q3f7c2e8m9v4x6y8z0a1b3`] })
}

/** A whole number of 32 bits. */
export const int32 = z.int32().meta({ format: "int32", minimum: undefined, maximum: undefined })

/** A count that may pass 32 bits. */
export const int64 = z.int().meta({ format: "int64", minimum: undefined, maximum: undefined })

export const double = z.number().meta({ format: "double" })

/** Turns the null of a row into undefined, which leaves the field out of the resource. */
export function present<T>(value: T | null): T | undefined {
  return value === null ? undefined : value
}
