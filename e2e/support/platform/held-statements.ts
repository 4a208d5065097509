import { vi } from "vitest"
import { pool } from "@/lib/platform/database/db"

/** Holds back what is sent outside of transactions and contains one of these texts, until `release`. */
export function holdStatements(...parts: string[]): { held: string[]; release: () => void } {
  const send = pool().query.bind(pool()) as (...given: unknown[]) => unknown
  const held: string[] = []
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  const spy = vi.spyOn(pool(), "query").mockImplementation((async (...given: unknown[]) => {
    const [statement] = given
    const text = typeof statement === "string" ? statement : (statement as { text: string }).text
    if (parts.some((part) => text.includes(part))) {
      held.push(text)
      await opened
    }
    return send(...given)
  }) as never)
  return {
    held,
    release: () => {
      spy.mockRestore()
      open()
    },
  }
}
