import { unscoped } from "@/lib/platform/database/db"
import type { DiskUse } from "@/lib/projects/installation/rules"

/** What an installation remembers of itself. */
export type InstallationMemory = { backedUpAt: Date | null; disk: DiskUse | null }

export async function installationMemory(): Promise<InstallationMemory> {
  const select = { backedUpAt: true, diskAt: true, diskUsed: true } as const
  const row = await unscoped().installation.findUnique({ where: { id: 1 }, select })
  const { backedUpAt = null, diskAt = null, diskUsed = null } = row ?? {}
  return { backedUpAt, disk: diskAt && diskUsed !== null ? { at: diskAt, usedBytes: Number(diskUsed) } : null }
}

export async function rememberBackup(at: Date): Promise<void> {
  await remember({ backedUpAt: at })
}

export async function rememberDisk({ at, usedBytes }: DiskUse): Promise<void> {
  await remember({ diskAt: at, diskUsed: BigInt(Math.round(usedBytes)) })
}

async function remember(data: { backedUpAt: Date } | { diskAt: Date; diskUsed: bigint }): Promise<void> {
  await unscoped().installation.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data })
}
