import { AsyncLocalStorage } from "node:async_hooks"
import { vi } from "vitest"
import { pool } from "@/lib/platform/database/db"

const counted = new AsyncLocalStorage<string[]>()

/**
 * The texts of the statements that `work` sends outside of transactions, without their values. What an earlier test left
 * running, such as the note of a failed sign-in five seconds later, is not counted.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const send = pool().query.bind(pool()) as (...given: unknown[]) => unknown
  const texts: string[] = []
  const spy = vi.spyOn(pool(), "query").mockImplementation(((...given: unknown[]) => {
    const [statement] = given
    counted.getStore()?.push(typeof statement === "string" ? statement : (statement as { text: string }).text)
    return send(...given)
  }) as never)
  try {
    await counted.run(texts, work)
    return texts.map((text) => text.replace(/'[^']*'/g, "?"))
  } finally {
    spy.mockRestore()
  }
}
