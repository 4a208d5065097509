import { parse, CsvError } from "csv-parse"
import type { Readable } from "node:stream"

export type CsvRow = {
  cells: string[]
  /** Line of the file where the row begins, from 1. */
  line: number
  /** Of the file, up to the end of the row. */
  bytes: number
}

/** The file cannot be read as CSV any further. */
export class CsvBroken extends Error {}

const rowCharsMax = 256 * 1024

/**
 * The rows of a CSV file (RFC 4180), one after the other, the header first; empty lines are left out. Memory holds one
 * row and what the stream has read ahead. The first line tells whether commas, semicolons or tabs part the cells.
 * @throws CsvBroken naming the line
 */
export async function* csvRows(source: Readable, delimiter: string): AsyncGenerator<CsvRow> {
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    max_record_size: rowCharsMax,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  source.on("error", (error) => parser.destroy(error))
  let line = 1
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<{ record: string[]; info: { lines: number; bytes: number } }>) {
      yield { cells: record, line, bytes: info.bytes }
      line = info.lines + 1
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const why = error.code === "CSV_QUOTE_NOT_CLOSED" ? "a quoted cell never ends" : `a row is longer than ${rowCharsMax} characters`
    throw new CsvBroken(`Near line ${Number(error.lines)} the file is no CSV: ${why}.`)
  } finally {
    source.destroy()
  }
}
