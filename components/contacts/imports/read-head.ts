import { delimiterOf } from "@/lib/contacts/imports/column-rules"
import { createEncodingScan, encodingBytes, type FileEncoding } from "@/lib/contacts/imports/encoding-rules"

export type Head = { header: string[]; rows: string[][]; delimiter: string; encoding: FileEncoding }

const rowsShown = 5

/** The header and the first rows of a file, to show and to map; the file itself is read where it is imported. */
export async function readHead(file: Blob): Promise<Head> {
  const bytes = new Uint8Array(await file.slice(0, encodingBytes).arrayBuffer())
  const scan = createEncodingScan()
  scan.add(bytes)
  const encoding = scan.encoding()
  const text = new TextDecoder(encoding).decode(bytes)
  const delimiter = delimiterOf(text.split(/\r|\n/, 1)[0] ?? "")
  // The reader is loaded with the first file.
  const { parse } = await import("csv-parse/browser/esm/sync")
  const rows: string[][] = parse(text, {
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    to: rowsShown + 1,
  })
  const [header = [], ...first] = rows
  return { header: header.map((name) => name.trim()), rows: first, delimiter, encoding }
}
