import { z } from "zod"
import { clamped } from "@/lib/platform/http/paging"
import { fieldsInvalid } from "@/lib/platform/http/problems"

/** Any answer of this API: an object that is made field by field. */
export const ResendAnswer = z.record(z.string(), z.unknown())
export type ResendAnswer = z.output<typeof ResendAnswer>

const itemId = z.string().max(64).optional()

/** Its lists continue from the id of an item; ours have pages. */
export const listQuery = {
  limit: clamped({ min: 1, max: 100, fallback: 20 }).describe("At most so many."),
  after: itemId.describe("Items after the one with this id."),
  before: itemId.describe("Items before the one with this id."),
}

export type ListQuery = { limit: number; after?: string | undefined; before?: string | undefined }

type Page<T> = { data: readonly T[]; page: { hasNextPage: boolean } }
type Read<T> = (page: { page: string; size: string }) => Promise<Page<T>>

const walkedPages = 50
const walkedSize = 100

/** One page of a list of ours, from the item that the query names. @throws requestInvalid if it is not among the first 5,000 */
export async function listed<T extends { id: string }>(
  query: ListQuery,
  read: Read<T>,
  show: (item: T) => ResendAnswer,
): Promise<ResendAnswer> {
  const { items, hasMore } = await itemsOf(query, read)
  return { object: "list", has_more: hasMore, data: items.map(show) }
}

async function itemsOf<T extends { id: string }>({ limit, after, before }: ListQuery, read: Read<T>) {
  if (after !== undefined && before !== undefined)
    throw fieldsInvalid([{ pointer: "query/before", detail: "Give after or before, not both." }])
  const id = after ?? before
  if (id === undefined) {
    const { data, page } = await read({ page: "1", size: String(limit) })
    return { items: data, hasMore: page.hasNextPage }
  }
  const { preceding, following } = await around(id, after === undefined ? 0 : limit + 1, read)
  return after === undefined
    ? { items: preceding.slice(-limit), hasMore: preceding.length > limit }
    : { items: following.slice(0, limit), hasMore: following.length > limit }
}

/** The items before the one with this id, and as many after it as are wanted. */
async function around<T extends { id: string }>(id: string, wanted: number, read: Read<T>) {
  const [preceding, following]: [T[], T[]] = [[], []]
  let isFound = false
  for (let number = 1; number <= walkedPages && !(isFound && following.length >= wanted); number++) {
    const { data, page } = await read({ page: String(number), size: String(walkedSize) })
    for (const item of data) {
      if (item.id === id) isFound = true
      else (isFound ? following : preceding).push(item)
    }
    if (!page.hasNextPage) break
  }
  if (isFound) return { preceding, following }
  const detail = `Names nothing among the first ${walkedPages * walkedSize} items of this list.`
  throw fieldsInvalid([{ pointer: "query/after", detail }])
}

/** All items of a list that a project has few of. */
export async function everyItem<T>(read: Read<T>): Promise<T[]> {
  const all: T[] = []
  for (let number = 1; number <= walkedPages; number++) {
    const { data, page } = await read({ page: String(number), size: String(walkedSize) })
    all.push(...data)
    if (!page.hasNextPage) break
  }
  return all
}
