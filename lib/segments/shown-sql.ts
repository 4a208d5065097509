/**
 * SQL: the membership in the row `alias` of segment_members is visible: not removed manually, and not of a deleted segment.
 * For the segments of few contacts: for the contacts of one segment the planner would expect none.
 */
export function shown(alias: string): string {
  return `${alias}.origin <> 'removed' AND ${alias}.segment_id NOT IN (SELECT x.id FROM segments x WHERE x.deleted_at IS NOT NULL)`
}
