/**
 * The condition, in raw SQL, that an organization requires a second factor which the user does not have. Both are aliases or
 * expressions of the statement around it.
 */
export function withheldSql(organization: string, userId: string): string {
  return `${organization}.second_factor_required
    AND NOT EXISTS (SELECT 1 FROM totp_factors f WHERE f.user_id = ${userId} AND f.confirmed_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = ${userId})`
}
