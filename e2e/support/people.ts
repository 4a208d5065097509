import { newMember, type World } from "@/e2e/support/world"
import { sha256 } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"

/** People around a project of the tests: a further member, an open invite, an invite to the owner from elsewhere. */
export type People = { memberId: string; inviteId: string; inviteToken: string }

export async function addPeople(world: World): Promise<People> {
  const { userId } = await newMember(world, "viewer")
  const { rows } = await pool().query<{ email: string }>("SELECT email FROM users WHERE id = $1", [world.userId])
  const inviteToken = newId()
  const elsewhere = newId()
  await pool().query("INSERT INTO organizations (id, name) VALUES ($1, 'Elsewhere')", [elsewhere])
  await addInvite(elsewhere, rows[0]?.email ?? "", inviteToken)
  const inviteId = await addInvite(world.organizationId, "waiting@example.com", newId())
  return { memberId: encodeId("usr", userId), inviteId: encodeId("inv", inviteId), inviteToken }
}

async function addInvite(organizationId: string, email: string, token: string): Promise<string> {
  const id = newId()
  await pool().query(
    "INSERT INTO invites (id, organization_id, email, role, token_hash, expires_at) VALUES ($1, $2, $3, 'viewer', $4, now() + interval '7 days')",
    [id, organizationId, email, sha256(token)],
  )
  return id
}
