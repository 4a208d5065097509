import { expect, test } from "vitest"
import { chosenCoding, isCompressed, mayShrink } from "@/lib/server/web/static-server"

test.each([
  ["application/json", true],
  ["application/json; charset=utf-8", true],
  ["application/problem+json", true],
  ["text/csv; charset=utf-8", true],
  ["application/x-ndjson", true],
  ["text/event-stream; charset=utf-8", false],
  ["image/webp", false],
  ["application/jsonx", false],
  [undefined, false],
])("an answer of type %s may be compressed: %s", (type, expected) => {
  expect(mayShrink(type)).toBe(expected)
})

test.each([
  ["gzip", true],
  ["br, GZIP;q=0.5", true],
  ["gzip ; q=0", false],
  ["gzip;q=0.000, *", false],
  ["*", true],
  ["*;q=0", false],
  ["br, deflate", false],
  ["xgzip", false],
  ["gzip;q=x", false],
  ["", false],
  [undefined, false],
])("Accept-Encoding %s takes gzip: %s", (accepted, expected) => {
  expect(isCompressed(accepted, null)).toBe(expected)
})

test("what is shorter than 1 kB is sent as it is", () => {
  expect(isCompressed("gzip", 1023)).toBe(false)
  expect(isCompressed("gzip", 1024)).toBe(true)
})

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["br;q=0.5, gzip", "gzip"],
  ["br;q=0, *", "gzip"],
  ["*", "br"],
  ["gzip", "gzip"],
  ["identity", undefined],
  [undefined, undefined],
])("of brotli and gzip, Accept-Encoding %s wants %s", (accepted, expected) => {
  expect(chosenCoding(accepted, ["br", "gzip"])).toBe(expected)
})
