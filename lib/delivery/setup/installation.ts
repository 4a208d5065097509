import { existsSync } from "node:fs"
import { findQueueLength } from "@/lib/delivery/setup/data"
import type { Installation } from "@/lib/delivery/setup/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { databaseVersions } from "@/lib/platform/database/versions-sql"
import { env } from "@/lib/platform/env/env"
import { present } from "@/lib/platform/schema"
import { diskRoom } from "@/lib/platform/storage/disk"
import { version } from "@/lib/platform/version"
import { installationMemory, rememberDisk } from "@/lib/projects/installation/facts-store"
import { daysLeft, remembered } from "@/lib/projects/installation/rules"
import { regionNames } from "@/lib/regions/regions"
import { nextHopOf, regionSettings } from "@/lib/regions/settings"

/** What the installation is, and how it is doing, as this process sees it now. */
export async function installationFacts(): Promise<Installation> {
  const { serviceDomain, baseUrl, cell } = env()
  const [versions, { backedUpAt, disk }, room, queue, now] = await Promise.all([
    databaseVersions(),
    installationMemory(),
    diskRoom(dataFolder()),
    findQueueLength(),
    databaseTime(),
  ])
  const usedBytes = room.totalBytes - room.freeBytes
  const { profiles } = regionSettings()
  return {
    ...{ name: serviceDomain, origin: baseUrl, cell },
    versions: { mailroom: version, node: process.versions.node, ...versions },
    regions: regionNames.map((region) => {
      const profile = profiles[region]
      const { transport, delivered } = profile
      return { region, transport, nextHop: nextHopOf(profile), delivered }
    }),
    queue,
    disk: { ...room, daysLeft: present(daysLeft(disk, { at: now, usedBytes }, room.freeBytes)) },
    backedUpAt: present(backedUpAt),
  }
}

/** Keeps how much of the disk is used, so that its growth is known. */
export async function watchDisk(): Promise<void> {
  const [{ disk }, { totalBytes, freeBytes }, at] = await Promise.all([
    installationMemory(),
    diskRoom(dataFolder()),
    databaseTime(),
  ])
  const kept = remembered(disk, { at, usedBytes: totalBytes - freeBytes })
  if (kept) await rememberDisk(kept)
}

/** Without files of its own, a process has only the folder that it runs in. */
function dataFolder(): string {
  const { dataDir } = env()
  return existsSync(dataDir) ? dataDir : "."
}
