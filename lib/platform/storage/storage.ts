import { s3Store } from "@/lib/platform/storage/s3"
import { join } from "node:path"
import { areaSettings, type Env } from "@/lib/platform/env/env"
import { counter } from "@/lib/platform/metrics"
import { diskStore } from "@/lib/platform/storage/disk"
import { type ObjectStore, isKey } from "@/lib/platform/storage/store"
import { hourMs } from "@/lib/platform/time"
import { arrayBuffer } from "node:stream/consumers"
import { log } from "@/lib/platform/log"

/** The configured storage: `S3_URL`, else a folder of `DATA_DIR`. */
export const storage = areaSettings((_, env) => open(env).then(withCounts))

/** Where objects are without a bucket: files by their keys, which are the same in a bucket. */
export function objectsFolder(dataDir: string): string {
  return join(dataDir, "objects")
}

async function open({ s3, dataDir }: Env): Promise<ObjectStore> {
  if (!s3) return diskStore(objectsFolder(dataDir))
  return s3Store(s3)
}

const operations = counter(
  "mailroom_storage_operations_total",
  "Operations on stored objects, in the bucket or the folder, by how they ended: done or failed.",
  ["operation", "outcome"],
)

/** The same store, with its operations counted: whether a bucket can be used is seen before somebody tells. */
export function withCounts(store: ObjectStore): ObjectStore {
  return {
    put: (...given) => noted("put", store.put(...given)),
    putFile: (...given) => noted("put", store.putFile(...given)),
    get: (key) => noted("get", store.get(key)),
    remove: (key) => noted("remove", store.remove(key)),
    async *list(prefix) {
      const objects = store.list(prefix)[Symbol.asyncIterator]()
      try {
        for (let next = await noted("list", objects.next()); !next.done; next = await noted("list", objects.next()))
          yield next.value
      } finally {
        await objects.return?.()
      }
    },
  }
}

async function noted<T>(operation: string, work: Promise<T>): Promise<T> {
  try {
    const done = await work
    operations.inc({ operation, outcome: "done" })
    return done
  } catch (error) {
    operations.inc({ operation, outcome: "failed" })
    throw error
  }
}

const orphanAfterMs = hourMs
const askAtOnce = 500

type Sweep = {
  folder: string
  /** Which of these keys are still referenced. */
  inUse(keys: readonly string[]): Promise<ReadonlySet<string>>
  /** Called for each that was removed. */
  removed?(key: string): Promise<void>
  now: Date
  signal: AbortSignal
}

/** Removes unused objects below a folder that are older than an hour. Returns how many. */
export async function sweepObjects({ folder, inUse, removed: note, now, signal }: Sweep): Promise<number> {
  const objects = await storage()
  let removed = 0
  let asked: string[] = []
  const drop = async () => {
    const used = await inUse(asked)
    for (const key of asked.filter((one) => !used.has(one))) {
      await objects.remove(key)
      await note?.(key)
      removed += 1
    }
    asked = []
  }
  for await (const { key, modifiedAt } of objects.list(folder)) {
    if (signal.aborted) return removed
    if (now.getTime() - modifiedAt.getTime() < orphanAfterMs) continue
    asked.push(key)
    if (asked.length === askAtOnce) await drop()
  }
  if (asked.length) await drop()
  return removed
}

const withinMs = 30_000
const retryAfterSeconds = 5

/**
 * An uploaded picture, shown from our own origin. Its key cannot be guessed and its bytes never change; should it ever be
 * opened as a page, it can run nothing. Only keys below `prefix` are shown. It is read before it is announced, so that a storage
 * that fails on the way is an answer of 503 instead of half a picture.
 */
export async function showFile(key: string, prefix: string): Promise<Response> {
  if (!isKey(key) || !key.startsWith(prefix)) return missing()
  try {
    const found = await read(key)
    if (!found) return missing()
    return new Response(found.bytes, {
      headers: {
        ...headers,
        "Content-Type": found.contentType,
        "Content-Length": String(found.bytes.byteLength),
        "Content-Disposition": "inline",
        "Cache-Control": "public, max-age=31536000, immutable",
      },
    })
  } catch (error) {
    log.error({ err: error, key }, "a stored file could not be read")
    return new Response("The storage of files does not answer. Try again in a moment.\n", {
      status: 503,
      headers: { ...headers, "Cache-Control": "no-store", "Retry-After": String(retryAfterSeconds) },
    })
  }
}

async function read(key: string): Promise<{ bytes: ArrayBuffer; contentType: string } | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The file did not come within 30 s.")), withinMs)
  })
  const reading = (async () => {
    const found = await (await storage()).get(key)
    return found && { bytes: await arrayBuffer(found.stream as never), contentType: found.contentType }
  })()
  return Promise.race([reading, late]).finally(() => clearTimeout(timer))
}

function missing(): Response {
  return new Response("There is no such file.\n", { status: 404, headers })
}

const headers = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Referrer-Policy": "no-referrer",
}
