import { join } from "node:path"
import { env } from "@/lib/platform/env/env"
import { diskStore } from "@/lib/platform/storage/disk"
import type { ObjectStore } from "@/lib/platform/storage/store"

let configured: Promise<ObjectStore> | undefined

/** The configured storage: `S3_URL`, else a folder of `DATA_DIR`. */
export function storage(): Promise<ObjectStore> {
  return (configured ??= open())
}

/** The S3 client is large: a process without a bucket never loads it. */
async function open(): Promise<ObjectStore> {
  const { s3, dataDir } = env()
  if (!s3) return diskStore(join(dataDir, "objects"))
  const { s3Store } = await import("@/lib/platform/storage/s3")
  return s3Store(s3)
}
