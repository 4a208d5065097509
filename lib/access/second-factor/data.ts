import { type NewSession, openSession, revokeSessions, type SignInWay } from "@/lib/access/credentials/data"
import { recoveryCodeHash, matchingStep } from "@/lib/access/second-factor/codes"
import { open, seal } from "@/lib/platform/crypto"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { lockRow } from "@/lib/platform/database/locks-sql"
import type { SessionPrincipal } from "@/lib/platform/http/scope"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

/** Of these a user has at least one where signing in takes a second step. */
export async function hasSecondFactor(userId: string, on: Tx = unscoped()): Promise<boolean> {
  const [apps, passkeys] = [
    await on.totpFactor.count({ where: { userId, confirmedAt: { not: null } } }),
    await on.passkey.count({ where: { userId } }),
  ]
  return apps + passkeys > 0
}

export type SecondFactors = { totpSince: Date | null; passkeys: number; recoveryCodesLeft: number }

export async function readSecondFactors(userId: string): Promise<SecondFactors> {
  const [totp, passkeys, recoveryCodesLeft] = await Promise.all([
    unscoped().totpFactor.findUnique({ where: { userId }, select: { confirmedAt: true } }),
    unscoped().passkey.count({ where: { userId } }),
    unscoped().recoveryCode.count({ where: { userId, usedAt: null } }),
  ])
  return { totpSince: totp?.confirmedAt ?? null, passkeys, recoveryCodesLeft }
}

/** Removes whatever signing in asks for after the first step. False when there was nothing. */
export async function removeSecondFactors(userId: string, tx: Tx): Promise<boolean> {
  const apps = await tx.totpFactor.deleteMany({ where: { userId } })
  const passkeys = await tx.passkey.deleteMany({ where: { userId } })
  await dropUnneededCodes(userId, tx)
  return apps.count + passkeys.count > 0
}

/** Recovery codes and waiting sign-ins end with the last second factor. */
export async function dropUnneededCodes(userId: string, tx: Tx): Promise<void> {
  if (await hasSecondFactor(userId, tx)) return
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await dropPendingSignIns(userId, tx)
}

// The authenticator app

const secretPurpose = (userId: string) => `totp_factors|secret|${userId}|`

/** Stores the secret of an app that is to be confirmed; false while one is in use. */
export async function beginTotp(userId: string, secret: Buffer): Promise<boolean> {
  return unscopedTransaction(async (tx) => {
    await lockRow("users", userId, tx)
    const before = await tx.totpFactor.findUnique({ where: { userId }, select: { confirmedAt: true } })
    if (before?.confirmedAt) return false
    await tx.totpFactor.deleteMany({ where: { userId } })
    await tx.totpFactor.create({ data: { userId, secret: new Uint8Array(seal(secret, secretPurpose(userId))) } })
    return true
  })
}

/**
 * From a first right code on, signing in asks for one. Other sessions end, which were opened without. "missing" when no app
 * waits to be confirmed.
 */
export async function confirmTotp(
  { userId, sessionId }: SessionPrincipal,
  code: string,
  recoveryCodes: readonly string[],
): Promise<"confirmed" | "missing" | "wrong"> {
  return unscopedTransaction(async (tx) => {
    await lockRow("users", userId, tx)
    const factor = await tx.totpFactor.findUnique({
      where: { userId, confirmedAt: null },
      select: { secret: true, usedStep: true },
    })
    if (!factor) return "missing"
    const now = await databaseTime(tx)
    const usedStep = matchingStep(open(factor.secret, secretPurpose(userId)), code, { at: now, usedStep: null })
    if (usedStep === null) return "wrong"
    await tx.totpFactor.updateMany({ where: { userId }, data: { confirmedAt: now, usedStep } })
    await storeRecoveryCodes(userId, recoveryCodes, tx)
    await revokeSessions({ userId, id: { not: sessionId } }, tx)
    await dropPendingSignIns(userId, tx)
    return "confirmed"
  })
}

/** Signing in no longer asks for a code; false when it did not. */
export async function removeTotp(userId: string): Promise<boolean> {
  return unscopedTransaction(async (tx) => {
    await lockRow("users", userId, tx)
    const { count } = await tx.totpFactor.deleteMany({ where: { userId } })
    await dropUnneededCodes(userId, tx)
    return count > 0
  })
}

// Recovery codes

/** Replaces the recovery codes; false for a user without a second factor. */
export async function replaceRecoveryCodes(userId: string, codes: readonly string[]): Promise<boolean> {
  return unscopedTransaction(async (tx) => {
    await lockRow("users", userId, tx)
    if (!(await hasSecondFactor(userId, tx))) return false
    await storeRecoveryCodes(userId, codes, tx)
    return true
  })
}

/** Replaces the recovery codes of a user. */
export async function storeRecoveryCodes(userId: string, codes: readonly string[], tx: Tx) {
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: new Uint8Array(recoveryCodeHash(userId, code)) })),
  })
}

// The first step

/**
 * Opens a session for who has passed the first step, unless the user has a second factor. Behind the lock of the user's row, so
 * that whoever adds one meanwhile is waited for, or ends this session.
 */
export async function openAfterFirstStep(userId: string, from: NewSession): Promise<string | "second-step" | null> {
  return unscopedTransaction(async (tx) => {
    await lockRow("users", userId, tx)
    return (await hasSecondFactor(userId, tx)) ? "second-step" : openSession(userId, from, tx)
  })
}

// Sign-ins that wait for the second step

/** How long a person may take for the second step. */
export const pendingSignInSeconds = 600

type FirstStep = { userId: string; by: SignInWay; passwordHash?: string }

/** Records a first step that was passed; false when the password has changed meanwhile. */
export async function addPendingSignIn({ userId, by, passwordHash }: FirstStep, tokenHash: Buffer): Promise<boolean> {
  return unscopedTransaction(async (tx) => {
    await lockRow("users", userId, tx)
    const user = await tx.user.findUnique({ where: { id: userId }, select: { passwordHash: true } })
    if (!user || (passwordHash !== undefined && user.passwordHash !== passwordHash)) return false
    const expiresAt = secondsAfter(await databaseTime(tx), pendingSignInSeconds)
    await tx.pendingSignIn.create({ data: { tokenHash: new Uint8Array(tokenHash), userId, signedInBy: by, expiresAt } })
    return true
  })
}

/** Whose sign-in waits under this token, or null when it has expired or was finished. */
export async function findPendingSignIn(tokenHash: Buffer, on: Tx = unscoped()) {
  const pending = await on.pendingSignIn.findUnique({
    where: { tokenHash: new Uint8Array(tokenHash), expiresAt: { gt: await databaseTime(on) } },
    select: { userId: true, signedInBy: true, user: { select: { email: true } } },
  })
  return pending && { userId: pending.userId, by: wayOf(pending.signedInBy), email: pending.user.email }
}

/** Only the sign-in writes it. */
function wayOf(signedInBy: string): SignInWay {
  return signedInBy as SignInWay
}

export type SecondStep = { by: SignInWay; factor: "totp" | "recovery_code" }

/**
 * Opens a session for a sign-in that waits, by a code of the app or a recovery code: each is used once, and so is the token. Behind the
 * lock of the user's row, so that a change of the password ends the sign-in, or this session. Null when the code is not right,
 * after which the sign-in still waits.
 */
export async function finishPendingSignIn(
  tokenHash: Buffer,
  code: string,
  from: Pick<NewSession, "ip" | "userAgent">,
): Promise<(SecondStep & { sessionId: string }) | null> {
  return unscopedTransaction(async (tx) => {
    const first = await findPendingSignIn(tokenHash, tx)
    if (!first) return null
    await lockRow("users", first.userId, tx)
    // Behind the lock: another request may have finished it.
    const pending = await findPendingSignIn(tokenHash, tx)
    const factor = pending && (await useCode(pending.userId, code, tx))
    if (!pending || !factor) return null
    await tx.pendingSignIn.deleteMany({ where: { tokenHash: new Uint8Array(tokenHash) } })
    const { userId, by } = pending
    const sessionId = await openSession(userId, { ...from, by }, tx)
    return sessionId === null ? null : { by, factor, sessionId }
  })
}

async function useCode(userId: string, code: string, tx: Tx): Promise<SecondStep["factor"] | null> {
  const plain = code.replaceAll(/\s/g, "")
  if (/^\d{6}$/.test(plain)) return (await useTotp(userId, plain, tx)) ? "totp" : null
  const { count } = await tx.recoveryCode.updateMany({
    where: { codeHash: new Uint8Array(recoveryCodeHash(userId, plain)), userId, usedAt: null },
    data: { usedAt: await databaseTime(tx) },
  })
  return count > 0 ? "recovery_code" : null
}

async function useTotp(userId: string, code: string, tx: Tx): Promise<boolean> {
  const factor = await tx.totpFactor.findUnique({
    where: { userId, confirmedAt: { not: null } },
    select: { secret: true, usedStep: true },
  })
  if (!factor) return false
  const at = await databaseTime(tx)
  const usedStep = matchingStep(open(factor.secret, secretPurpose(userId)), code, { at, usedStep: factor.usedStep })
  if (usedStep === null) return false
  await tx.totpFactor.updateMany({ where: { userId }, data: { usedStep } })
  return true
}

/** Ends the sign-ins of a user that wait for the second step. */
export async function dropPendingSignIns(userId: string, tx: Tx): Promise<void> {
  await tx.pendingSignIn.deleteMany({ where: { userId } })
}
