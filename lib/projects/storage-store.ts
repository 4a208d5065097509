import { unscoped } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import { storageFull } from "@/lib/projects/problems"
import type { Prisma } from "@/prisma/generated/client"

/** Bytes of content: of emails, sandbox messages, webhook deliveries, pictures and files of imports. */
export type Storage = { usedBytes: number; limitBytes: number }

/** What a project stores, as it was counted up to a second ago; null when there is no such project. */
export async function storageOf(scope: Scope): Promise<Storage | null> {
  const row = await unscoped().project.findUnique({
    where: { id: scope.project.id },
    select: { maxStoredBytes: true, sendAllowance: { select: { storedBytes: true } } },
  })
  return row && { usedBytes: Number(row.sendAllowance?.storedBytes ?? 0n), limitBytes: Number(row.maxStoredBytes) }
}

/** @throws storageFull where a project has no room for this many bytes more */
export async function refuseStorageFull(scope: Scope, bytes: number): Promise<void> {
  const storage = await storageOf(scope)
  if (storage && storage.usedBytes + bytes > storage.limitBytes) throw storageFull()
}

/** Counts what is stored outside the database, or with a negative number what was removed there. */
export async function noteStoredBytes(projectId: string, bytes: number): Promise<void> {
  if (bytes !== 0) await unscoped().storedByteDelta.createMany({ data: { projectId, bytes } })
}

/** Sets how much a project may store; for the operator. */
export async function setStorageLimit(
  projectId: string,
  limitBytes: number,
  on: Prisma.TransactionClient,
): Promise<void> {
  await on.project.updateMany({ where: { id: projectId }, data: { maxStoredBytes: limitBytes } })
}
