import { addPersonAudit } from "@/lib/access/audit-store"
import { isProven, proveAddress, type Proof } from "@/lib/access/credentials/proof-store"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"

/** Where somebody comes from, for the audit log. */
export type AdmittedFrom = { ip: string }

const OPEN = "accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()"

/** True where an address has an invite that can still be accepted. */
export async function isInvited(email: string): Promise<boolean> {
  const { rowCount } = await pool().query(`SELECT 1 FROM invites WHERE email = $1 AND ${OPEN} LIMIT 1`, [email])
  return Boolean(rowCount)
}

/**
 * Lets the holder of a proven address in: the user of that address, or, where an invite waits for it, a new user who
 * joins by it. Null for everybody else: nobody signs up.
 */
export async function admit(holder: { userId: string } | { email: string }, proof: Proof): Promise<string | null> {
  const known = "userId" in holder ? holder.userId : await userOf(holder.email)
  if (!known) return "email" in holder ? newUser(holder, proof) : null
  await transaction((client) => proveAddress(known, proof, client))
  return known
}

/** `inviteId` is the one invite whose link was opened; who has proven the address takes all that wait for it. */
export type Newcomer = { email: string; name?: string; passwordHash?: string; inviteId?: string }

/**
 * Makes a user of an invited address and accepts the invite that is named, or all that wait for the address. Null when
 * none does any more, or the address has a user.
 */
export async function newUser(newcomer: Newcomer, from: AdmittedFrom): Promise<string | null> {
  return transaction((client) => addUser(newcomer, from, client))
}

async function addUser(newcomer: Newcomer, from: AdmittedFrom, client: Queryable): Promise<string | null> {
  const { email, name = null, passwordHash = null, inviteId = null } = newcomer
  const { rows: invites } = await client.query<Invited>(
    `SELECT id, organization_id, role, mailed FROM invites WHERE email = $1 AND ${OPEN} AND ($2::uuid IS NULL OR id = $2) ORDER BY id FOR UPDATE`,
    [email, inviteId],
  )
  if (!invites.length) return null
  const userId = newId()
  // A link that was shown instead of mailed says nothing about who opens it.
  const proven = inviteId === null || invites.every(({ mailed }) => mailed)
  const { rowCount } = await client.query(
    `INSERT INTO users (id, email, name, password_hash, email_proven_at) VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN now() END)
      ON CONFLICT (email) DO NOTHING`,
    [userId, email, name, passwordHash, proven],
  )
  if (!rowCount) return null
  for (const invite of invites) await join(invite, userId, from, client)
  return userId
}

/**
 * The signed-in person accepts an invite to their own address; null when there is none of that token. Only a proven
 * address takes an account into a further organization.
 */
export async function acceptAs(
  person: { userId: string; email: string },
  tokenHash: Buffer,
  from: AdmittedFrom,
): Promise<{ organizationId: string } | "unproven" | null> {
  return transaction(async (client) => {
    const { rows } = await client.query<Invited>(
      `SELECT id, organization_id, role, mailed FROM invites WHERE token_hash = $1 AND email = $2 AND ${OPEN} FOR UPDATE`,
      [tokenHash, person.email],
    )
    const [invite] = rows
    if (!invite) return null
    if (!(await isProven(person.userId, client))) return "unproven"
    await join(invite, person.userId, from, client)
    return { organizationId: invite.organization_id }
  })
}

type Invited = { id: string; organization_id: string; role: string; mailed: boolean }

/** Who is a member already stays what they are. */
async function join(invite: Invited, userId: string, from: AdmittedFrom, client: Queryable): Promise<void> {
  await client.query("UPDATE invites SET accepted_at = now() WHERE id = $1", [invite.id])
  await client.query(
    "INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT (organization_id, user_id) DO NOTHING",
    [invite.organization_id, userId, invite.role],
  )
  const changes = { role: invite.role, invite: encodeId("inv", invite.id) }
  const at = { organizationId: invite.organization_id, userId, ip: from.ip }
  await addPersonAudit(at, { action: "member.joined", target: encodeId("usr", userId), changes }, client)
}

async function userOf(email: string): Promise<string | null> {
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM users WHERE email = $1", [email])
  return rows[0]?.id ?? null
}
