import type { Head } from "@/components/contacts/imports/mapping"
import { delimiterOf, headerName, isBlankRow, isSeparatorLine, judgedRows } from "@/lib/contacts/imports/column-rules"
import { createEncodingScan, encodingBytes, type FileEncoding } from "@/lib/contacts/imports/encoding-rules"

/** The header and the first rows of a file; the file itself is read where it is imported. */
export async function readHead(file: Blob): Promise<Head & { encoding: FileEncoding }> {
  const bytes = new Uint8Array(await file.slice(0, encodingBytes).arrayBuffer())
  const scan = createEncodingScan()
  scan.add(bytes)
  const encoding = scan.encoding()
  const text = new TextDecoder(encoding).decode(bytes)
  const delimiter = delimiterOf(text)
  // The reader is loaded with the first file.
  const { parse } = await import("csv-parse/browser/esm/sync")
  const parsed: string[][] = parse(text, {
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    to: judgedRows,
  })
  const filled = parsed.filter((cells) => !isBlankRow(cells))
  const [header = [], ...rows] = filled[0] && isSeparatorLine(filled[0], delimiter) ? filled.slice(1) : filled
  return { header: header.map(headerName), rows, delimiter, encoding }
}
