import { spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A file system of a test's own that can be filled to its last byte. */
export type SmallDisk = { path: string; fill(): void; freeFiller(): void; freeBytes(): number; remove(): void }

/** Mounts a tmpfs of so many megabytes. @throws with what to do where this user may not mount */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "mailroom-small-"))
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0711`, "tmpfs", path], {
    encoding: "utf8",
  })
  if (mounted.status !== 0) {
    rmdirSync(path)
    const said = mounted.stderr || String(mounted.error)
    throw new Error(
      `This test fills a disk and mounts a tmpfs of ${megabytes} MB for that, which only root may do: run npm test as root. (${said.trim()})`,
    )
  }
  const filler = join(path, "filler")
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  }
  return {
    path,
    freeBytes,
    fill() {
      const file = openSync(filler, "a")
      try {
        const block = Buffer.alloc(2 ** 20)
        for (;;) writeSync(file, block)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
      } finally {
        closeSync(file)
      }
    },
    freeFiller: () => rmSync(filler, { force: true }),
    remove() {
      spawnSync("umount", ["--lazy", path])
      rmdirSync(path)
    },
  }
}
