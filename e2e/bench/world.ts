import { mintKey } from "@/lib/access/credentials/keys"
import { permissions } from "@/lib/access/permissions"
import { generateDkimKey, keyPurpose } from "@/lib/domains/keys/dkim-keys"
import { seal } from "@/lib/platform/crypto"
import { pool, transaction } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import { systemRandom } from "@/lib/platform/io"
import { found } from "@/lib/projects/installation/store"
import { setLimits } from "@/lib/projects/quota/data"

/** A project with a verified domain and as many keys as keep every bucket open; by default it may send without end. */
export type World = { projectId: string; project: string; domainId: string; domain: string; keys: string[] }

const endless = 1_000_000_000

/** `suppressed` addresses that no send is for: what a list of that length costs every send. */
export async function makeWorld(
  keyCount: number,
  { suppressed = 100_000, perSecondSends = endless / 1_000 } = {},
): Promise<World> {
  const tag = newId().slice(-12)
  const founded = await found({
    email: `bench-${tag}@example.com`,
    passwordHash: "none",
    organization: "Bench",
    project: { name: "Bench", slug: `bench-${tag}`, region: "eu-west-1" },
  })
  if (!founded) throw new Error("The address of the bench was taken.")
  const { projectId } = founded
  await setLimits(projectId, { perSecondSends, dailySends: endless })
  const domain = `acme-${tag}.example`
  const domainId = await addDomain(projectId, domain)
  await addSuppressions(projectId, suppressed)
  return { projectId, project: encodeId("proj", projectId), domainId, domain, keys: await addKeys(projectId, keyCount) }
}

async function addDomain(projectId: string, name: string): Promise<string> {
  const [domainId, keyId] = [newId(), newId()]
  const { privateKeyPem, publicKeyBase64 } = await generateDkimKey()
  await pool().query(
    `INSERT INTO domains (id, project_id, name, region, mail_from_domain, tracking_domain, status, records)
      VALUES ($1, $2, $3, 'eu-west-1', $4, $5, 'verified', '[]')`,
    [domainId, projectId, name, `send.${name}`, `links.${name}`],
  )
  await pool().query(
    `INSERT INTO dkim_keys (id, project_id, domain_id, selector, public_key, private_key, state, status)
      VALUES ($1, $2, $3, 'bench', $4, $5, 'active', 'verified')`,
    [keyId, projectId, domainId, publicKeyBase64, seal(privateKeyPem, keyPurpose(keyId))],
  )
  return domainId
}

async function addSuppressions(projectId: string, count: number) {
  await transaction(async (client) => {
    await client.query("SET LOCAL statement_timeout = 0")
    await client.query(
      `INSERT INTO suppressions (id, project_id, email, reason)
        SELECT gen_random_uuid(), $1, 'gone' || n || '@nowhere.example', 'bounce' FROM generate_series(1, $2::int) n`,
      [projectId, count],
    )
    await client.query("ANALYZE suppressions")
  })
}

async function addKeys(projectId: string, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => mintKey(systemRandom))
  await pool().query(
    `INSERT INTO api_keys (id, project_id, name, hash, start, permissions)
      SELECT k.id, $1, 'bench', k.hash, k.start, $2 FROM unnest($3::uuid[], $4::bytea[], $5::text[]) AS k(id, hash, start)`,
    [projectId, permissions, keys.map(newId), keys.map(({ hash }) => hash), keys.map(({ start }) => start)],
  )
  return keys.map(({ secret }) => secret)
}
