import { revokeSessions } from "@/lib/access/credentials/data"
import type { Passkey } from "@/lib/access/passkeys/schema"
import { challengeSeconds, type VerifiedPasskey } from "@/lib/access/passkeys/webauthn"
import { passkeysMax } from "@/lib/access/passkeys/schema"
import {
  dropPendingSignIns,
  dropUnneededCodes,
  hasSecondFactor,
  storeRecoveryCodes,
} from "@/lib/access/second-factor/data"
import { sha256 } from "@/lib/platform/crypto"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { lockRow } from "@/lib/platform/database/locks-sql"
import { shown } from "@/lib/platform/database/shape"
import type { SessionPrincipal } from "@/lib/platform/http/scope"
import { newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  id: true,
  userId: false,
  credentialId: false,
  publicKey: false,
  counter: false,
  name: true,
  lastUsedAt: true,
  createdAt: true,
} as const satisfies Record<Prisma.PasskeyScalarFieldEnum, boolean>

type Row = Prisma.PasskeyGetPayload<{ select: typeof shape }>

function toPasskey({ lastUsedAt, ...row }: Row): Passkey {
  return shown<Passkey>()({ ...row, lastUsedAt: present(lastUsedAt) })
}

/** The passkeys of a user, oldest first. */
export async function listOwnPasskeys(userId: string): Promise<Passkey[]> {
  const rows = await unscoped().passkey.findMany({
    where: { userId },
    select: shape,
    orderBy: { id: "asc" },
    take: passkeysMax,
  })
  return rows.map(toPasskey)
}

/** Ids by which devices know the passkeys of a user. */
export async function credentialIdsOf(userId: string): Promise<string[]> {
  const rows = await unscoped().passkey.findMany({
    where: { userId },
    select: { credentialId: true },
    take: passkeysMax,
  })
  return rows.map(({ credentialId }) => credentialId)
}

// Challenges: only their hash is stored

/** Keeps a challenge for five minutes: of the user who adds a passkey, or of whoever signs in. */
export async function addChallenge(challenge: string, userId: string | null): Promise<void> {
  const expiresAt = secondsAfter(await databaseTime(), challengeSeconds)
  await unscoped().passkeyChallenge.create({ data: { hash: new Uint8Array(sha256(challenge)), userId, expiresAt } })
}

/** Takes a challenge, once and in time. */
export async function takeChallenge(challenge: string, userId: string | null): Promise<boolean> {
  const { count } = await unscoped().passkeyChallenge.deleteMany({
    where: { hash: new Uint8Array(sha256(challenge)), userId, expiresAt: { gt: await databaseTime() } },
  })
  return count > 0
}

// Passkeys

export type AddedPasskey = { passkey: Passkey; recoveryCodesStored: boolean }

/**
 * Adds a passkey. The first second factor of a user brings the recovery codes, and ends the other sessions, which were opened
 * without one.
 */
export async function addPasskey(
  { userId, sessionId }: SessionPrincipal,
  { name, credentialId, publicKey, counter }: VerifiedPasskey & { name: string },
  recoveryCodes: readonly string[],
): Promise<AddedPasskey | "known" | "too-many"> {
  return unscopedTransaction(async (tx) => {
    await lockRow("users", userId, tx)
    if ((await tx.passkey.count({ where: { userId } })) >= passkeysMax) return "too-many"
    const first = !(await hasSecondFactor(userId, tx))
    const data = { id: newId(), userId, credentialId, publicKey, counter, name }
    const [row] = await tx.passkey.createManyAndReturn({ data, select: shape, skipDuplicates: true })
    if (!row) return "known"
    if (first) {
      await storeRecoveryCodes(userId, recoveryCodes, tx)
      await revokeSessions({ userId, id: { not: sessionId } }, tx)
      await dropPendingSignIns(userId, tx)
    }
    return { passkey: toPasskey(row), recoveryCodesStored: first }
  })
}

/** Renames a passkey of the user; null when there is none. */
export async function renamePasskey(
  userId: string,
  id: string,
  name: string,
): Promise<{ before: string; passkey: Passkey } | null> {
  return unscopedTransaction(async (tx) => {
    await lockRow("users", userId, tx)
    const before = await tx.passkey.findUnique({ where: { id, userId }, select: { name: true } })
    if (!before) return null
    const row = await tx.passkey.update({ where: { id }, data: { name }, select: shape })
    return { before: before.name, passkey: toPasskey(row) }
  })
}

/** Removes a passkey of the user and answers its name, or null. */
export async function removePasskey(userId: string, id: string): Promise<string | null> {
  return unscopedTransaction(async (tx) => {
    await lockRow("users", userId, tx)
    const passkey = await tx.passkey.findUnique({ where: { id, userId }, select: { name: true } })
    if (!passkey) return null
    await tx.passkey.deleteMany({ where: { id } })
    await dropUnneededCodes(userId, tx)
    return passkey.name
  })
}

export type KnownPasskey = VerifiedPasskey & { id: string; userId: string; email: string }

export async function findPasskey(credentialId: string): Promise<KnownPasskey | null> {
  const row = await unscoped().passkey.findUnique({
    where: { credentialId },
    select: {
      id: true,
      userId: true,
      credentialId: true,
      publicKey: true,
      counter: true,
      user: { select: { email: true } },
    },
  })
  if (!row) return null
  const { user, counter, ...passkey } = row
  return { ...passkey, email: user.email, counter: Number(counter) }
}

/** Records that a passkey has signed; false when another signature was quicker and its counter is as high. */
export async function recordPasskeyUse(
  { id, counter }: { id: string; counter: number },
  now: number,
): Promise<boolean> {
  const { count } = await unscoped().passkey.updateMany({
    where: { id, counter },
    data: { counter: now, lastUsedAt: await databaseTime() },
  })
  return count > 0
}
