import { addAudit } from "@/lib/access/audit/data"
import { restartedChecks } from "@/lib/domains/check/data"
import { recordOf, recordStates } from "@/lib/domains/data"
import { generateDkimKey, keyPurpose, rotatedStates } from "@/lib/domains/keys/dkim-keys"
import { componentStatuses } from "@/lib/domains/rules"
import { open, seal } from "@/lib/platform/crypto"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { pool, unscoped } from "@/lib/platform/database/db"
import { lockRow } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { env } from "@/lib/platform/env/env"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"

// The keys that sign

/** What a delivery attempt needs of the sending domain. */
export type SendingDomain = {
  domain: string
  mailFromDomain: string
  /** The domain's own host for tracked links, once it answers by https. */
  trackingHost: string | null
  /** Not the selector, which a later key reuses. */
  keyId: string
  selector: string
  /** PKCS#8. */
  privateKeyPem: string
}

type SenderRow = Omit<SendingDomain, "privateKeyPem"> & { privateKey: Uint8Array }

/**
 * The sender by the domain's id, with the active key; null once the domain is deleted and its accepted mail has ended.
 * On `pg`, because deliveries wait for it.
 */
export async function findSender(projectId: string, domainId: string): Promise<SendingDomain | null> {
  const { rows } = await pool().query<SenderRow>({
    name: "domains.find_sender",
    text: `SELECT d.name AS domain, d.mail_from_domain AS "mailFromDomain",
        CASE WHEN d.tracking_status = 'verified' THEN d.tracking_domain END AS "trackingHost", k.id AS "keyId", k.selector,
        k.private_key AS "privateKey"
      FROM domains d JOIN dkim_keys k ON k.project_id = d.project_id AND k.domain_id = d.id AND k.state = 'active'
      WHERE d.project_id = $1 AND d.id = $2`,
    values: [projectId, domainId],
  })
  const found = rows[0] ?? (await retainedSender(projectId, domainId))
  if (!found) return null
  const { privateKey, ...sender } = found
  return { ...sender, privateKeyPem: open(privateKey, keyPurpose(sender.keyId)).toString() }
}

/** The host of a deleted domain is no longer watched, so new links do not name it. */
async function retainedSender(projectId: string, domainId: string): Promise<SenderRow | null> {
  const found = await findRetained(projectId, domainId)
  return found && { ...found, trackingHost: null }
}

/** Whether a registration of the domain, in any project, has or had a key under this selector. */
export async function isSelectorInUse(domain: string, selector: string): Promise<boolean> {
  return (await unscoped().dkimKey.count({ where: { selector, domain: { name: domain } } })) > 0
}

export async function isMailFromInUse(mailFromDomain: string): Promise<boolean> {
  return (await unscoped().domain.count({ where: { mailFromDomain } })) > 0
}

// Keys of deleted domains, until the mail accepted before has ended

/** The key of a deleted domain; all its emails up to `endedUpTo` have ended. */
export type RetainedSigner = { projectId: string; domainId: string; endedUpTo: string }

const signersMax = 50

const beforeAll = "00000000-0000-0000-0000-000000000000"

/** So long after the deletion a send that was being accepted then is stored. */
const settledSeconds = 15

/** Retained keys of all projects in the order of their domains; `next` is where to continue. */
export async function nextSigners(
  behind: string = beforeAll,
): Promise<{ signers: RetainedSigner[]; next: string | undefined }> {
  const settled = secondsAfter(await databaseTime(), -settledSeconds)
  const rows = await unscoped().retainedSigner.findMany({
    where: { domainId: { gt: behind }, deletedAt: { lt: settled } },
    orderBy: { domainId: "asc" },
    take: signersMax,
    select: { projectId: true, domainId: true, endedUpTo: true },
  })
  const signers = rows.map(({ endedUpTo, ...row }) => ({ ...row, endedUpTo: endedUpTo ?? beforeAll }))
  return { signers, next: signers.length === signersMax ? signers.at(-1)?.domainId : undefined }
}

/** Remembers up to which email all of the domain's have ended. */
export async function rememberEnded({ projectId, domainId }: RetainedSigner, emailId: string): Promise<void> {
  const project = db({ project: { id: projectId } })
  await project.retainedSigner.updateMany({ where: { domainId }, data: { endedUpTo: emailId } })
}

/** False if another worker was first. */
export async function dropSigner({ projectId, domainId }: RetainedSigner): Promise<boolean> {
  const { count } = await db({ project: { id: projectId } }).retainedSigner.deleteMany({ where: { domainId } })
  return count > 0
}

/** What deliveries need of a deleted domain for the mail accepted before. */
async function findRetained(projectId: string, domainId: string) {
  return db({ project: { id: projectId } }).retainedSigner.findUnique({
    where: { domainId },
    select: { domain: true, mailFromDomain: true, keyId: true, selector: true, privateKey: true },
  })
}

// The key of the service domain

/** The key pair with which the service domain signs system emails. */
export type ServiceKey = { domain: string; selector: string; publicKey: string; privateKeyPem: string }

const serviceSelector = "mailroom"

/** Where the public half is published. */
export function serviceKeyName(domain: string): string {
  return `${serviceSelector}._domainkey.${domain}`
}

export function serviceKeyRecord(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`
}

/** The key of the service domain, generated on first use. */
export async function serviceKey(domain = env().serviceDomain): Promise<ServiceKey> {
  return (await readServiceKey(domain)) ?? addServiceKey(domain)
}

async function addServiceKey(domain: string): Promise<ServiceKey> {
  const { privateKeyPem, publicKeyBase64 } = await generateDkimKey()
  const privateKey = new Uint8Array(seal(privateKeyPem, serviceKeyPurpose(domain)))
  await unscoped().serviceKey.createMany({
    data: { domain, selector: serviceSelector, publicKey: publicKeyBase64, privateKey },
    skipDuplicates: true,
  })
  // Another process may have been first: the stored key counts.
  const stored = await readServiceKey(domain)
  if (!stored) throw new Error("The key of the service domain was not stored.")
  return stored
}

async function readServiceKey(domain: string): Promise<ServiceKey | null> {
  const row = await unscoped().serviceKey.findUnique({
    where: { domain },
    select: { domain: true, selector: true, publicKey: true, privateKey: true },
  })
  if (!row) return null
  const { privateKey, ...shown } = row
  return { ...shown, privateKeyPem: open(privateKey, serviceKeyPurpose(domain)).toString() }
}

function serviceKeyPurpose(domain: string): string {
  return `service_keys.private_key:${domain}`
}

// Rotation

export type FreshKey = { id: string; publicKey: string; sealedPrivateKey: Buffer }

export type Rotated = "done" | "missing" | "standby-not-verified"

/**
 * Makes the standby key active, destroys the private part of the one it replaces, and makes `fresh` the new standby under
 * the idle selector. The domain's row is locked meanwhile: the second of two concurrent rotations finds no standby.
 */
export async function rotateKeys(scope: Scope, domainId: string, fresh: FreshKey, now: Date): Promise<Rotated> {
  return db(scope).$transaction(async (tx) => {
    await lockRow({ of: scope, table: "domains" }, domainId, tx)
    const domain = await tx.domain.findUnique({
      where: { id: domainId },
      select: {
        name: true,
        records: true,
        updatedAt: true,
        dkimKeys: {
          where: { state: { not: "retired" } },
          select: { id: true, selector: true, publicKey: true, state: true, status: true },
        },
      },
    })
    if (!domain) return "missing"
    const active = domain.dkimKeys.find(({ state }) => state === "active")
    const standby = domain.dkimKeys.find(({ state, status }) => state === "standby" && status === "verified")
    if (!active || !standby) return "standby-not-verified"

    await tx.dkimKey.updateMany({
      where: { id: active.id },
      data: { state: "retired", privateKey: null, retiredAt: now },
    })
    await tx.dkimKey.updateMany({ where: { id: standby.id }, data: { state: "active" } })
    const { id, publicKey, sealedPrivateKey } = fresh
    const privateKey = new Uint8Array(sealedPrivateKey)
    await tx.dkimKey.createMany({
      data: { id, domainId, selector: active.selector, publicKey, privateKey, state: "standby" },
    })
    const idle = recordOf(active.selector)
    const records = rotatedStates(recordStates(domain.records), idle, active.publicKey, now)
    const { dkimStatus } = componentStatuses(records, idle === "dkim-a" ? "dkim-b" : "dkim-a")
    await tx.domain.updateMany({
      where: { id: domainId },
      data: { records, dkimStatus, ...(await restartedChecks(domain, tx)) },
    })
    const { name } = domain
    const changes = { active: standby.selector, retired: active.selector }
    await addAudit(scope, { action: "domain.dkim_rotated", target: encodeId("dom", domainId), name, changes }, tx)
    return "done"
  })
}
