import fc from "fast-check"
import { expect, test } from "vitest"
import { createEncodingScan, encodingBytes } from "@/lib/contacts/imports/file-rules"

function encodingOf(bytes: Uint8Array, pieces = bytes.length || 1) {
  const scan = createEncodingScan()
  for (let at = 0; at < bytes.length; at += pieces) scan.add(bytes.subarray(at, at + pieces))
  return scan.encoding()
}

const header = "E-Mail;Vorname\n"
const row = "j@x.example;Jörg Müller, Straße, €\n"

test("a file is recognised in each encoding that spreadsheets write", () => {
  const wide = Buffer.from(header + row, "utf16le")
  expect(encodingOf(Buffer.from(header + row))).toBe("utf-8")
  expect(encodingOf(Buffer.from(header))).toBe("utf-8")
  expect(encodingOf(Buffer.alloc(0))).toBe("utf-8")
  expect(encodingOf(Buffer.from(header + "j@x.example;Jörg\n", "latin1"))).toBe("windows-1252")
  expect(encodingOf(Buffer.concat([Buffer.from([0xff, 0xfe]), wide]))).toBe("utf-16le")
  expect(encodingOf(wide)).toBe("utf-16le")
  expect(encodingOf(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(wide).swap16()]))).toBe("utf-16be")
  expect(encodingOf(Buffer.from(wide).swap16())).toBe("utf-16be")
})

test("text in UTF-8 is UTF-8 however it is cut into pieces, and so is one with a broken byte among its characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 1, max: 7 }), (text, pieces) => {
      const bytes = Buffer.from(header + text.replaceAll("\0", ""))
      expect(encodingOf(bytes, pieces)).toBe("utf-8")
      expect(encodingOf(Buffer.concat([bytes, Buffer.from("ö"), Buffer.from([0xff])]), pieces)).toBe("utf-8")
    }),
  )
})

test("it is decided by what comes first beyond ASCII, however late that is", () => {
  const scan = createEncodingScan()
  scan.add(Buffer.alloc(2 * encodingBytes, "a"))
  expect(scan.decided()).toBe(false)
  scan.add(Buffer.from("ö", "latin1"))
  expect(scan.decided()).toBe(true)
  expect(scan.encoding()).toBe("windows-1252")
})
