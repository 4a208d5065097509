const codes = ["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE", "ENFILE"]

/**
 * True for failures of the storage, not of the request, which may pass: a full or broken disk, an exceeded quota, too
 * many open files, a bucket that does not respond or responds with 5xx.
 */
export function isStorageFault(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, $metadata } = at as NodeJS.ErrnoException & { $metadata?: { httpStatusCode?: number } }
    if (code !== undefined && codes.includes(code)) return true
    if ($metadata && ($metadata.httpStatusCode ?? 500) >= 500) return true
  }
  return false
}
