/** Storage for files: a local folder or an S3 bucket. Keys are paths such as `images/a/b.webp`. */
export type ObjectStore = {
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** As `put`, from a file of this machine that is too large for memory. */
  putFile(key: string, path: string, contentType: string): Promise<void>
  /** null when nothing has this key. The caller reads the stream to its end or cancels it. */
  get(key: string): Promise<StoredObject | null>
  /** Removes what is there; nothing happens when nothing is. */
  remove(key: string): Promise<void>
  /** Objects below a prefix, in no promised order. */
  list(prefix: string): AsyncIterable<ListedObject>
}

export type StoredObject = { stream: ReadableStream<Uint8Array>; bytes: number; contentType: string }
export type ListedObject = { key: string; modifiedAt: Date }

const keyForm = /^[a-z0-9][a-zA-Z0-9_-]*(\/[a-zA-Z0-9_-]+)*\.[a-z0-9]{1,8}$/

/** Only we create keys: a text of another form is never a key, so no key can lead out of the folder. */
export function isKey(text: string): boolean {
  return text.length <= 256 && keyForm.test(text)
}

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
