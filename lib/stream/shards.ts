export const shards = 16

/** The shard of a project, in which its events are numbered: as `dispatch_shard` in the database. */
export function shardOf(projectId: string): number {
  return parseInt(projectId.slice(-1), shards)
}
