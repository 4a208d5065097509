import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import { existingTopics } from "@/lib/topics/store"

/** Those of the ids that name topics of the project. */
export async function topicsAmong(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await existingTopics(scope.project.id, ids, pool())).keys())
}
