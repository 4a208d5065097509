/**
 * SQL: the membership in the row `alias` of segment_members is one to be seen. Neither is who was put out by hand, nor is
 * what still has to be removed of a deleted segment. For the segments of few contacts: for the contacts of one segment
 * the planner would think that it has none.
 */
export function shown(alias: string): string {
  return `${alias}.origin <> 'removed' AND ${alias}.segment_id NOT IN (SELECT x.id FROM segments x WHERE x.deleted_at IS NOT NULL)`
}
