/** True where a member of this role may make a further project in the organization. */
export function mayFound({ role }: { role: string }): boolean {
  return role === "owner" || role === "admin"
}
