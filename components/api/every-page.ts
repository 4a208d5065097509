type Page<T> = { data: T[]; page: { hasNextPage: boolean } }

/**
 * All pages of a list, one after the other: for choices, where a list that ends early would hide some without a word.
 * What moves to a later page while they are read stands there once all the same.
 */
export async function everyPage<T extends { id: string }>(read: (page: number) => Promise<Page<T>>): Promise<T[]> {
  const all = new Map<string, T>()
  for (let number = 1; ; number++) {
    const { data, page } = await read(number)
    for (const one of data) all.set(one.id, one)
    if (!page.hasNextPage) return [...all.values()]
  }
}
