import { CsvError, parse, type Parser } from "csv-parse"
import { Readable } from "node:stream"
import type { ReadableStream as NodeReadableStream } from "node:stream/web"
import { isBlankRow, isSeparatorLine } from "@/lib/contacts/imports/file-rules"
import { failureSentence, type ImportFailure } from "@/lib/contacts/imports/failure"

export type CsvRow = {
  /** Spaces around a cell are left out, unless it is quoted. */
  cells: string[]
  /** Line of the file where the row begins, from 1, as an editor shows it. */
  line: number
  /** Of the file, up to the end of the row. */
  bytes: number
}

/** The file cannot be read as CSV any further. */
export class CsvBroken extends Error {
  constructor(readonly failure: ImportFailure) {
    super(failureSentence(failure))
    this.name = "CsvBroken"
  }
}

const rowCharsMax = 256 * 1024

/** A stored file as the readers below take it. */
export function readableOf({ stream }: { stream: ReadableStream }): Readable {
  return Readable.fromWeb(stream as NodeReadableStream)
}

/**
 * The rows of a CSV file (RFC 4180), one after the other, the header first; empty lines are left out. Memory holds the
 * rows of one chunk of the stream.
 * @throws CsvBroken naming the line, once every row before it has been given
 */
export async function* csvRows(source: Readable, delimiter: string): AsyncGenerator<CsvRow> {
  let parsed: { cells: string[]; bytes: number }[] = []
  const lines = createLineCounter()
  const parser = parse({
    bom: true,
    cast: (cell, { quoting }) => (quoting ? cell : cell.trim()),
    delimiter,
    max_record_size: rowCharsMax,
    // Taken here, where they are found: a stream that breaks would lose the rows that were not read from it yet.
    on_record: (cells: string[], { bytes }) => void parsed.push({ cells, bytes }),
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  parser.resume().on("error", () => {})

  function* take(): Generator<CsvRow> {
    for (const { cells, bytes } of parsed) {
      yield { cells, bytes, line: lines.nextRow() }
      lines.passTo(bytes)
    }
    parsed = []
  }

  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      lines.add(chunk)
      const error = await write(parser, chunk)
      yield* take()
      if (error) throw brokenOn(lines.nextRow(), error)
    }
    const error = await end(parser)
    yield* take()
    if (error) throw brokenOn(lines.nextRow(), error)
  } finally {
    source.destroy()
    parser.destroy()
  }
}

/**
 * The rows of a table in a CSV file, the header first: without rows of delimiters, and without the line in which a spreadsheet
 * names its delimiter.
 * @throws CsvBroken as `csvRows`
 */
export async function* tableRows(source: Readable, delimiter: string): AsyncGenerator<CsvRow> {
  let isFirst = true
  for await (const row of csvRows(source, delimiter)) {
    if (isBlankRow(row.cells)) continue
    if (!isFirst || !isSeparatorLine(row.cells, delimiter)) yield row
    isFirst = false
  }
}

function write(parser: Parser, chunk: Buffer): Promise<Error | null> {
  return new Promise((resolve) => parser.write(chunk, (error) => resolve(error ?? null)))
}

function end(parser: Parser): Promise<Error | null> {
  return new Promise((resolve) => parser.end((error?: Error | null) => resolve(error ?? null)))
}

function brokenOn(line: number, error: Error): Error {
  if (!(error instanceof CsvError)) return error
  return new CsvBroken(
    error.code === "CSV_QUOTE_NOT_CLOSED"
      ? { code: "quote_not_closed", facts: { line } }
      : { code: "row_too_long", facts: { line, charsMax: rowCharsMax } },
  )
}

const LF = 10
const CR = 13
const utf8Bom = [0xef, 0xbb, 0xbf]

/**
 * Finds on which line of a file a row begins, as an editor numbers lines: LF, CRLF and CR each end one, within quotes
 * or not. Rows are asked for in their order; memory holds what was added and not yet asked for.
 */
function createLineCounter() {
  const waiting: Uint8Array[] = []
  let at = 0
  let passed = 0
  let line = 1
  let afterCr = false

  function next(): number | undefined {
    while (waiting[0] && at === waiting[0].length) {
      waiting.shift()
      at = 0
    }
    return waiting[0]?.[at]
  }

  function pass(byte: number) {
    if (byte === CR || (byte === LF && !afterCr)) line += 1
    afterCr = byte === CR
    at += 1
    passed += 1
  }

  return {
    add(chunk: Uint8Array) {
      waiting.push(chunk)
    },

    /** The line of the next row, past the empty lines before it. */
    nextRow(): number {
      for (
        let byte = next();
        byte === LF || byte === CR || (byte !== undefined && byte === utf8Bom[passed]);
        byte = next()
      )
        pass(byte)
      return line
    },

    /** Goes on to the row that begins at this byte of the file or after it. */
    passTo(end: number) {
      for (let byte = next(); byte !== undefined && passed < end; byte = next()) pass(byte)
    },
  }
}
