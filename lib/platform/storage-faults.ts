const codes = ["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE", "ENFILE"]

/**
 * True for failures of the place where files go, not of the request, which may pass: a disk without room, over its quota or
 * broken, too many open files, a bucket that does not answer or says 5xx.
 */
export function isStorageFault(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, $metadata } = at as NodeJS.ErrnoException & { $metadata?: { httpStatusCode?: number } }
    if (code !== undefined && codes.includes(code)) return true
    if ($metadata && ($metadata.httpStatusCode ?? 500) >= 500) return true
  }
  return false
}
