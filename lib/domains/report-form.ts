import type { Reading } from "@/lib/platform/documents/read-apart"
import { readFiles } from "@/lib/platform/http/multipart"

/** Limits of a form with reports, DMARC or TLS. */
export const formFilesMax = 100
export const fileBytesMax = 10 * 2 ** 20
export const formBytesMax = 32 * 2 ** 20

/** The files of a form with what `read` makes of them, in their order. */
export async function readReportForm<T>(
  request: Parameters<typeof readFiles>[0],
  read: (files: Uint8Array[]) => Promise<Reading<T>[]>,
): Promise<{ name: string; reading: Reading<T> }[]> {
  const files = await readFiles(request, {
    field: "files",
    filesMax: formFilesMax,
    fileBytesMax,
    bytesMax: formBytesMax,
  })
  const readings = await read(files.map(({ bytes }) => bytes).filter((bytes) => bytes !== null))
  return files.map(({ name, bytes }) => ({
    name,
    reading: (bytes && readings.shift()) || { refused: "The file is larger than 10 MiB." },
  }))
}
