import { QueryClient } from "@tanstack/react-query"
import { afterEach, describe, expect, test, vi } from "vitest"
import { readWhole } from "@/components/data/query"
import { allDomainsQuery } from "@/components/emails/queries"
import { webhooksQuery } from "@/components/webhooks/queries"

const items = (count: number, from = 0) => Array.from({ length: count }, (_, at) => ({ id: `prop_${from + at}` }))
const paged =
  (all: { id: string }[]) =>
  async ({ query: { size, page = 1 } }: { query: { size: number; page?: number } }) => ({
    data: all.slice((page - 1) * size, page * size),
    page: { totalPages: Math.ceil(all.length / size) },
  })

describe("a list that is read whole", () => {
  test("holds what lies beyond its first page, in order and once each", async () => {
    const { data } = await readWhole({ query: { size: 100 } }, paged(items(250)))
    expect(data).toEqual(items(250))
  })

  test("asks once where one page holds all", async () => {
    let asked = 0
    await readWhole({ query: { size: 100 } }, (input: { query: { size: number } }) => {
      asked++
      return paged(items(100))(input)
    })
    expect(asked).toBe(1)
  })

  test("shows what moved to the next page meanwhile once, and ends where a list has no end", async () => {
    const shifting = async ({ query: { page = 1 } }: { query: { page?: number } }) => ({
      data: items(100, (page - 1) * 99),
      page: { totalPages: 1_000 },
    })
    const { data } = await readWhole({ query: {} }, shifting)
    expect(data).toEqual(items(991))
  })

  test("sending domains and webhooks are such lists, as the operator can let a project have hundreds", async () => {
    vi.stubGlobal("fetch", async (address: string) => {
      const page = new URL(address, "http://localhost").searchParams.get("page") ?? "1"
      return Response.json({ data: [{ id: `item_${page}` }], page: { totalPages: 3 } })
    })
    const client = new QueryClient()
    const read = [await client.fetchQuery(allDomainsQuery("proj_1")), await client.fetchQuery(webhooksQuery("proj_1"))]
    const three = ["item_1", "item_2", "item_3"]
    expect(read.map(({ data }) => data.map(({ id }) => id))).toEqual([three, three])
  })
})

afterEach(() => vi.unstubAllGlobals())
