import { z } from "zod"
import { int32, int64 } from "@/lib/platform/schema"

const sizeMax = 100
const pageMax = 2 ** 31 - 1

/** `page` and `size` of a list: out of range is clamped, text that is no integer is refused. */
export function pageQuery(defaultSize = 20) {
  return {
    page: clamped({ min: 1, max: pageMax, fallback: 1 }).describe("Page to read, from 1."),
    size: clamped({ min: 1, max: sizeMax, fallback: defaultSize }).describe("Items a page."),
  }
}

/** A query parameter that is a whole number, clamped into its range. */
export function clamped({ min, max, fallback }: { min: number; max: number; fallback: number }) {
  return z
    .codec(z.string().regex(/^[+-]?[0-9]{1,20}$/, "Must be a whole number."), z.number(), {
      decode: (text) => Math.min(max, Math.max(min, Number(text))),
      encode: String,
    })
    .default(fallback)
    .meta({ type: "integer", format: "int32", minimum: min, maximum: max, default: fallback, pattern: undefined })
}

export type PageRequest = { page: number; size: number }

export const PageInfo = z
  .strictObject({
    page: int32,
    size: int32,
    total: int64,
    totalPages: int32,
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
  })
  .meta({ id: "PageInfo" })

/** The schema of one page of `Item`, named `Page_<name of Item>`. */
export function pageOf<Item extends z.ZodType>(Item: Item) {
  return z.strictObject({ data: z.array(Item), page: PageInfo }).meta({ id: `Page_${Item.meta()?.id}` })
}

/**
 * A page, given how many there are in all. A page past the end is empty. Where the total stops at a bound, `rows` may hold one more
 * than the page, which tells that there is a next one.
 */
export function page<T>(request: PageRequest, rows: T[], total: number) {
  const totalPages = Math.ceil(total / request.size)
  return {
    data: rows.slice(0, request.size),
    page: {
      page: request.page,
      size: request.size,
      total,
      totalPages,
      hasNextPage: request.page < totalPages || rows.length > request.size,
      hasPreviousPage: request.page > 1,
    },
  }
}

/** The rows of a page, for Prisma. */
export function sliceOf(request: PageRequest): { skip: number; take: number } {
  return { skip: offset(request), take: request.size }
}

/** Rows to skip for a page. */
export function offset({ page: number, size }: PageRequest): number {
  return (number - 1) * size
}

/**
 * The rows of a page, and how many there are in all. A page that is not full is the last one,
 * so that nothing has to be counted.
 */
export async function counted<Row>(
  request: PageRequest,
  reading: PromiseLike<Row[]>,
  count: () => PromiseLike<number>,
): Promise<{ rows: Row[]; total: number }> {
  const rows = await reading
  const before = offset(request)
  const isLast = rows.length < request.size && (rows.length > 0 || before === 0)
  return { rows, total: isLast ? before + rows.length : await count() }
}

/** No cursor is longer. */
export const cursorCharsMax = 512

/** `after` of a list: what is no cursor of it is not found. */
export function cursorParameter() {
  return z
    .string()
    .meta({ maxLength: cursorCharsMax })
    .optional()
    .describe("A cursor from an earlier response, unchanged. Omit it for the first page.")
}

/** `size` and `after` of a membership list. */
export function cursorQuery() {
  return {
    size: clamped({ min: 1, max: sizeMax, fallback: 20 }).describe("Items a page."),
    after: cursorParameter(),
  }
}

export const CursorInfo = z
  .strictObject({
    nextCursor: z.string().nullable().describe("Opaque; pass either cursor as `after`."),
    previousCursor: z.string().nullable(),
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
  })
  .meta({ id: "CursorInfo" })
