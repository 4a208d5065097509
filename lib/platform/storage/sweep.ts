import { hourMs } from "@/lib/platform/time"
import { storage } from "@/lib/platform/storage/storage"

const orphanAfterMs = hourMs
const askAtOnce = 500

type Sweep = {
  folder: string
  /** Which of these keys are still referenced. */
  inUse(keys: readonly string[]): Promise<ReadonlySet<string>>
  /** Called for each that was removed. */
  removed?(key: string): Promise<void>
  now: Date
  signal: AbortSignal
}

/** Removes unused objects below a folder that are older than an hour. Returns how many. */
export async function sweepObjects({ folder, inUse, removed: note, now, signal }: Sweep): Promise<number> {
  const objects = await storage()
  let removed = 0
  let asked: string[] = []
  const drop = async () => {
    const used = await inUse(asked)
    for (const key of asked.filter((one) => !used.has(one))) {
      await objects.remove(key)
      await note?.(key)
      removed += 1
    }
    asked = []
  }
  for await (const { key, modifiedAt } of objects.list(folder)) {
    if (signal.aborted) return removed
    if (now.getTime() - modifiedAt.getTime() < orphanAfterMs) continue
    asked.push(key)
    if (asked.length === askAtOnce) await drop()
  }
  if (asked.length) await drop()
  return removed
}
