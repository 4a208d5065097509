import { vi } from "vitest"
import { pool } from "@/lib/platform/database/db"

/** The texts of the statements that `work` sends outside of transactions, without their values. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pool(), "query")
  try {
    await work()
    const texts = spy.mock.calls.map(([given]) =>
      typeof given === "string" ? given : (given as unknown as { text: string }).text,
    )
    return texts.map((text) => text.replace(/'[^']*'/g, "?"))
  } finally {
    spy.mockRestore()
  }
}
