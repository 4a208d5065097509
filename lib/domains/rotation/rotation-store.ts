import { addAudit } from "@/lib/access/audit-store"
import { transaction, type Queryable } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { rotatedRecords } from "@/lib/domains/rotation/rotation-rules"
import { componentStatuses, type WatchedRecord } from "@/lib/domains/rules"

export type FreshKey = { id: string; publicKey: string; sealedPrivateKey: Buffer }

export type Rotated = "done" | "missing" | "standby-not-verified"

/**
 * Puts the standby key into use, destroys the private part of the one it replaces, and makes `fresh` the new standby
 * under the idle selector. The domain's row is locked meanwhile: of two rotations at once one finds no standby.
 */
export async function rotateKeys(scope: Scope, domainId: string, fresh: FreshKey, now: Date): Promise<Rotated> {
  return transaction(async (client) => {
    const ids = [scope.project.id, domainId]
    const {
      rows: [domain],
    } = await client.query<{ name: string; records: WatchedRecord[] }>(
      "SELECT name, records FROM domains WHERE project_id = $1 AND id = $2 FOR UPDATE",
      ids,
    )
    if (!domain) return "missing"
    const keys = await keysInUse(client, ids)
    const active = keys.find(({ state }) => state === "active")
    const standby = keys.find(({ state, status }) => state === "standby" && status === "verified")
    if (!active || !standby) return "standby-not-verified"

    await client.query(
      "UPDATE dkim_keys SET state = 'retired', private_key = NULL, retired_at = $3 WHERE project_id = $1 AND id = $2",
      [scope.project.id, active.id, now],
    )
    await client.query("UPDATE dkim_keys SET state = 'active' WHERE project_id = $1 AND id = $2", [
      scope.project.id,
      standby.id,
    ])
    await client.query(
      `INSERT INTO dkim_keys (id, project_id, domain_id, selector, public_key, private_key, state)
        VALUES ($3, $1, $2, $4, $5, $6, 'standby')`,
      [...ids, fresh.id, active.selector, fresh.publicKey, fresh.sealedPrivateKey],
    )
    const idle = active.selector.endsWith("a") ? "dkim-a" : "dkim-b"
    const records = rotatedRecords(domain.records, idle, fresh.publicKey, now)
    const { dkimStatus } = componentStatuses(records, idle === "dkim-a" ? "dkim-b" : "dkim-a")
    // updated_at moves in any case: a check that began before sees by it that the keys have changed.
    await client.query(
      `UPDATE domains SET records = $3, dkim_status = $4, check_attempt = 0, due_at = now() + interval '5 seconds',
          updated_at = greatest(now(), updated_at + interval '1 millisecond')
        WHERE project_id = $1 AND id = $2`,
      [...ids, JSON.stringify(records), dkimStatus],
    )
    const changes = { domain: domain.name, active: standby.selector, retired: active.selector }
    await addAudit(scope, { action: "domain.dkim_rotated", target: encodeId("dom", domainId), changes }, client)
    return "done"
  })
}

type Key = { id: string; selector: string; state: "active" | "standby"; status: string }

async function keysInUse(client: Queryable, ids: string[]): Promise<Key[]> {
  const { rows } = await client.query<Key>(
    "SELECT id, selector, state, status FROM dkim_keys WHERE project_id = $1 AND domain_id = $2 AND state <> 'retired'",
    ids,
  )
  return rows
}
