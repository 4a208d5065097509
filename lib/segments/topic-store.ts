import type { Scope } from "@/lib/platform/http/scope"
import { existingTopics } from "@/lib/topics/store"

/** Those of the ids that name topics of the project. */
export async function topicsAmong(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return existingTopics(scope.project.id, ids)
}
