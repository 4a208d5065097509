import type { Pass } from "@/lib/segments/member-store"

const rememberedMax = 1_000

/** Whose turn it is among projects: `take` claims passes by the order in which projects were served, longest ago first. */
export function createTurns() {
  const served = new Set<string>()

  return {
    async take(claim: (served: readonly string[]) => Promise<Pass[]>): Promise<Pass[]> {
      const passes = await claim([...served])
      for (const { projectId } of passes) {
        served.delete(projectId)
        served.add(projectId)
      }
      for (const projectId of served) {
        if (served.size <= rememberedMax) break
        served.delete(projectId)
      }
      return passes
    },
  }
}
