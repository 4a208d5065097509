const rememberedMax = 1_000

/** Serves owners, such as projects, in rotation: work is claimed by when its owner was served last, longest ago first. */
export function createRotation<Row>(ownerOf: (row: Row) => string) {
  const served = new Set<string>()

  return {
    async take(claim: (served: readonly string[]) => Promise<Row[]>): Promise<Row[]> {
      const rows = await claim([...served])
      for (const owner of rows.map(ownerOf)) {
        served.delete(owner)
        served.add(owner)
      }
      for (const owner of served) {
        if (served.size <= rememberedMax) break
        served.delete(owner)
      }
      return rows
    },
  }
}
