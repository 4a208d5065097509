/** Bytes that are likely to be asked for again soon. */
export type RecentBytes = {
  get(key: string): Buffer | undefined
  keep(key: string, bytes: Buffer): void
}

/** Keeps bytes for `ageMsMax` milliseconds, and at most `bytesMax` of them: what was kept first goes first. */
export function createRecentBytes({ bytesMax, ageMsMax }: { bytesMax: number; ageMsMax: number }): RecentBytes {
  const kept = new Map<string, { bytes: Buffer; timer: NodeJS.Timeout }>()
  let size = 0

  function drop(key: string): void {
    const one = kept.get(key)
    if (!one) return
    clearTimeout(one.timer)
    kept.delete(key)
    size -= one.bytes.length
  }

  return {
    get: (key) => kept.get(key)?.bytes,
    keep(key, bytes) {
      drop(key)
      if (bytes.length > bytesMax) return
      kept.set(key, { bytes, timer: setTimeout(() => drop(key), ageMsMax).unref() })
      size += bytes.length
      for (const oldest of kept.keys()) {
        if (size <= bytesMax) return
        drop(oldest)
      }
    },
  }
}
