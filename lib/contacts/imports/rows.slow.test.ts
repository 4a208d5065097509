import { Readable } from "node:stream"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { CsvBroken, csvRows, tableRows } from "@/lib/contacts/imports/rows"
import { csvLine, plainCell } from "@/lib/platform/csv-rules"

describe("a file", () => {
  const rowsOf = async (text: string | Buffer[]) => {
    const rows = []
    for await (const row of csvRows(Readable.from(typeof text === "string" ? [Buffer.from(text)] : text), ","))
      rows.push(row)
    return rows
  }

  test("that we wrote comes back cell by cell, whatever the cells contain", async () => {
    const cell = fc
      .oneof(
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: fc.constantFrom(..."'' \t\r\n=+-@\",;"), maxLength: 5 }),
      )
      .map((text) => text.toWellFormed())
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), async (rows) => {
        const text = `a,b\r\n${rows.map((cells) => csvLine(cells)).join("")}`
        const [, ...found] = await rowsOf(text)
        expect(found.map(({ cells }) => cells.map(plainCell))).toEqual(rows)
      }),
      { numRuns: 200 },
    )
  })

  test("loses the spaces around a cell, but not those within quotes", async () => {
    expect((await rowsOf('a, b ,c\n x ," y ",\tz\n')).map(({ cells }) => cells)).toEqual([
      ["a", "b", "c"],
      ["x", " y ", "z"],
    ])
  })

  test("says where each row begins and how far it has been read", async () => {
    const text = '\uFEFFemail,note\r\na@x.test,"two\nlines"\n\nb@x.test,\n'
    expect(await rowsOf(text)).toEqual([
      { cells: ["email", "note"], line: 1, bytes: expect.any(Number) },
      { cells: ["a@x.test", "two\nlines"], line: 2, bytes: expect.any(Number) },
      { cells: ["b@x.test", ""], line: 5, bytes: Buffer.byteLength(text) },
    ])
  })

  test("tells the lines that an editor shows, whatever breaks and empty lines it has and however it arrives", async () => {
    const lineBreak = fc.constantFrom("\n", "\r\n", "\r")
    const cell = fc
      .array(fc.oneof(fc.constantFrom("x", '""', "é", ", "), lineBreak), { maxLength: 6 })
      .map((parts) => `"${parts.join("")}"`)
    const row = fc.record({
      empty: fc.array(lineBreak, { maxLength: 3 }),
      cells: fc.array(cell, { minLength: 1, maxLength: 3 }),
      ends: lineBreak,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        async (rows, bom, chunkBytes) => {
          let text = bom ? "\uFEFF" : ""
          const expected = rows.map(({ empty, cells, ends }) => {
            // Two breaks side by side that make one are one.
            text += empty.join("")
            const line = text.split(/\r\n|\n|\r/).length
            text += cells.join(",") + ends
            return line
          })
          const bytes = Buffer.from(text)
          const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
            bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
          )
          const found = await rowsOf(chunks)
          expect(found.map(({ line }) => line)).toEqual(expected)
          expect(found.at(-1)?.bytes).toBe(bytes.length)
        },
      ),
      { numRuns: 300 },
    )
  })

  test("has no rows of delimiters and no line that names its delimiter, and the lines of the others are those of the file", async () => {
    const text =
      '\uFEFFsep=;\r\n;;\r\n"E-Mail\r\nAdresse";Name;\r\n\r\na@x.test;A;\r\n ; ;\r\nb@x.test;;\r\nsep=;\r\n"";;\r\n;;\r\n'
    const rows = []
    for await (const { cells, line } of tableRows(Readable.from([Buffer.from(text)]), ";")) rows.push([line, cells[0]])
    expect(rows).toEqual([
      [3, "E-Mail\r\nAdresse"],
      [6, "a@x.test"],
      [8, "b@x.test"],
      [9, "sep="],
    ])
  })

  test("gives every row before the one that is broken", async () => {
    const found: string[] = []
    const read = async () => {
      for await (const { cells } of csvRows(
        Readable.from([Buffer.from('email\r\n"a\r\n"\r\nb@x.test\r\n\r\n"c@x.test\r\n')]),
        ",",
      ))
        found.push(cells[0] ?? "")
    }
    await expect(read()).rejects.toThrow(/line 6.*never ends/)
    expect(found).toEqual(["email", "a\r\n", "b@x.test"])
  })

  test("that breaks off while it is read is no broken CSV", async () => {
    const source = new Readable({
      read() {
        this.destroy(new Error("gone"))
      },
    })
    const read = async () => {
      for await (const row of csvRows(source, ",")) expect(row).toBeUndefined()
    }
    await expect(read()).rejects.toThrow("gone")
  })

  test("with a cell or row that never ends is told by line and read no further", async () => {
    await expect(rowsOf('email\na@x.test\n"b@x.test\n')).rejects.toThrow(/line 3.*never ends/)
    await expect(rowsOf(`email\na@x.test\n${"x".repeat(300_000)}\n`)).rejects.toThrow(CsvBroken)
  })
})
