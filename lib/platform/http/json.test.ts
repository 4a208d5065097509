import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { Faults } from "@/lib/platform/http/faults"
import { addTextFaults, JsonInvalid, parseJson, parseLargeJson } from "@/lib/platform/http/json"

const bytes = (text: string) => new TextEncoder().encode(text)
const parse = (text: string) => parseJson(bytes(text))

function refusal(text: string): string {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof JsonInvalid) return error.detail
  }
  throw new Error(`${text} is no invalid body.`)
}

describe("parseJson", () => {
  test("reads whatever JSON.stringify writes, as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(parseJson(bytes(text))).toEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })

  test("in several turns it gives what it gives in one", async () => {
    const outcome = (read: () => unknown) => Promise.resolve().then(read).catch(String)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.json().map(bytes), fc.string({ unit: fc.constantFrom(...'{}[],:"\\a1 ') }).map(bytes)),
        async (input) => {
          expect(await outcome(() => parseLargeJson(input))).toEqual(await outcome(() => parseJson(input)))
        },
      ),
      { numRuns: 500 },
    )
  })

  test("any bytes give a value or JsonInvalid, nothing else", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array(), fc.string({ unit: fc.constantFrom(...'{}[],:"\\a1 ') }).map(bytes)),
        (input) => {
          try {
            parseJson(input)
          } catch (error) {
            expect(error).toBeInstanceOf(JsonInvalid)
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['{"to":1,"to":2}', "appears twice"],
    ['{"a":{"b":1,"\\u0062":2}}', "appears twice"],
    ["[".repeat(10_000), "nested deeper"],
    ["{", "not valid JSON"],
    ['"open', "not valid JSON"],
    ["", "is empty"],
  ])("%s is refused", (text, sentence) => {
    expect(() => parseJson(bytes(text))).toThrow(sentence)
  })

  test("UTF-16 and other bytes that are no UTF-8 are refused", () => {
    expect(() => parseJson(Buffer.from('{"a":1}', "utf16le").subarray(0, 13))).toThrow(JsonInvalid)
    expect(() => parseJson(new Uint8Array([0x22, 0xff, 0x22]))).toThrow("not UTF-8")
  })

  test("one name in two objects is fine, and names that hold quotes are told apart", () => {
    expect(parseJson(bytes('[{"a":1},{"a":2}]'))).toEqual([{ a: 1 }, { a: 2 }])
    expect(parseJson(bytes('{"a\\"":1,"a":2}'))).toEqual({ 'a"': 1, a: 2 })
  })

  test("24 MiB of escapes are read in linear time", measured, () => {
    const startedAt = performance.now()
    parseJson(bytes(`{"html":"${'\\"\\n'.repeat(2 ** 20)}"}`))
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})

test("NUL, lone surrogates and __proto__ are found anywhere, with their pointers", () => {
  const value = JSON.parse('{"a":["x","\\u0000"],"b/c":{"d~":"\\ud800"},"__proto__":{"e":1}}')
  expect(pointersOf(value)).toEqual(["/a/1", "/b~1c/d~0", "/__proto__"])
})

test(
  "of a body that is wrong everywhere 100 faults are collected, with pointers of 200 characters, whatever its names are",
  measured,
  () => {
    const name = "n".repeat(100_000)
    const value = { [name]: { [name]: Array.from({ length: 500_000 }, () => "\0") } }
    const startedAt = performance.now()
    const pointers = pointersOf(value)
    expect(performance.now() - startedAt).toBeLessThan(500)
    expect(pointers).toHaveLength(100)
    expect(Math.max(...pointers.map((pointer) => pointer.length))).toBe(200)
  },
)

function pointersOf(value: unknown): string[] {
  const faults = new Faults()
  addTextFaults(value, faults)
  return faults.problem().extras.errors?.map(({ pointer }) => pointer) ?? []
}

test("a byte order mark before the body is skipped", () => {
  expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 })
  expect(refusal('{"a":\ufeff1}')).toContain("offset 5")
})

test("an empty body is named", () => {
  for (const text of ["", " ", "\r\n\t", "\ufeff"]) expect(refusal(text)).toMatch(/^The body is empty\./)
})

test.each([
  ...([
    ["{", 1],
    ["[", 1],
    ['{"a"', 4],
    ['{"a":', 5],
    ['{"a":1', 6],
    ["[1,", 3],
    ['"abc', 0],
    ['{"a":"b', 5],
  ] as const),
  ...([
    ["nope", 0],
    ["{a:1}", 1],
    ['{"a":1,}', 7],
    ["[1,]", 3],
    ["[1 2]", 3],
    ['{"a" 1}', 5],
    ["{} {}", 3],
    ["01", 0],
  ] as const),
  ...([
    ['{"a":tru}', 5],
    ['{"a":1}}', 7],
    ["[}", 1],
    ["{]", 1],
    ["{'a':1}", 1],
    ['{"a":NaN}', 5],
    ['["\\x"]', 1],
    ["+1", 0],
  ] as const),
  ...([
    ['{"a":1,,"b":2}', 7],
    ['["a\nb"]', 1],
    ["[1.]", 2],
    ['{"a":1}x', 7],
  ] as const),
])("the syntax error of %s is at offset %i", (text, offset) => {
  expect(() => JSON.parse(text) as unknown).toThrow()
  expect(refusal(text)).toMatch(new RegExp(` offset ${offset}\\.$`))
})

test("the syntax error of a body of megabytes is found as well", () => {
  expect(refusal(`{"a":"${"x\\n".repeat(1_000_000)}",}`)).toContain(`offset ${3_000_000 + 8}`)
})
