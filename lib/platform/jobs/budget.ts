/**
 * Works through items in batches for about `budgetMs`: `step` does one batch of an item, and answers whether more is left.
 * At least one batch is done.
 * @returns whether something is left, for the next call to continue with
 */
export async function withinBudget<T>(
  items: readonly T[],
  step: (item: T) => Promise<boolean>,
  budgetMs: number,
): Promise<boolean> {
  const endsAt = performance.now() + budgetMs
  for (const item of items) {
    while (await step(item)) {
      if (performance.now() >= endsAt) return true
    }
  }
  return false
}
