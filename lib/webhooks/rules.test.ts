import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { shaped } from "@/lib/webhooks/payload"
import {
  eventText,
  passes,
  startWork,
  transformed,
  type EventFilter,
  type Payload,
  type Transformation,
} from "@/lib/webhooks/rules"
import { bytesOfSecret, isSecret, textOfSecret } from "@/lib/webhooks/secret-rules"

const payload: Payload = {
  id: "evt_1",
  type: "email.delivered",
  data: { to: "ada@lovelace.example", subject: "Order 8841", machine: "true", nothing: null, list: ["a"] },
}

/** Time stands still: the tests that run beside this one in the same process take CPU, too. */
const patiently = () => startWork({ wallMs: () => 0, cpuMs: () => 0 })
const patient = patiently()

const names = fc.constantFrom(
  "id",
  "type",
  "data",
  "data.to",
  "data.subject",
  "data.none",
  "a.b.c",
  "data.to.x",
  "list",
)
const anyPath = fc.oneof(names, fc.string({ maxLength: 12 }))
const filter: fc.Arbitrary<EventFilter> = fc.record({
  field: anyPath,
  operator: fc.constantFrom("eq", "neq", "contains", "exists"),
  value: fc.option(fc.string({ maxLength: 4 }), { nil: undefined }),
})
const transformation: fc.Arbitrary<Transformation> = fc.record({
  type: fc.constantFrom("rename_field", "add_field", "remove_field", "compute_field"),
  field: anyPath,
  from: anyPath,
  to: anyPath,
  template: fc.oneof(fc.constantFrom("{{data.to}}!", "{{ type }}{{", "}}{{none}}", "{{data}}{{data}}"), fc.string()),
  value: fc.option(fc.string()),
})

describe("filters", () => {
  test.each<[EventFilter["operator"], string, string | undefined, boolean]>([
    ["eq", "type", "email.delivered", true],
    ["eq", "type", "email.sent", false],
    ["eq", "data.none", "", false],
    ["neq", "type", "email.sent", true],
    ["neq", "data.none", "x", true],
    ["contains", "data.to", "@lovelace", true],
    ["contains", "data.to", "@LOVELACE", false],
    ["contains", "data.none", "", false],
    ["contains", "data.list", "a", true],
    ["exists", "data.to", undefined, true],
    ["exists", "data.none", undefined, false],
    ["exists", "data.nothing", undefined, false],
    ["exists", "data.to.length", undefined, false],
    ["exists", "constructor", undefined, false],
    ["exists", "data.list.0", undefined, false],
  ])("%s %s %s is %s", (operator, field, value, expected) => {
    expect(passes([{ operator, field, value }], payload, patient)).toBe(expected)
  })

  test("all must pass; eq and neq are opposites; none changes anything", () => {
    fc.assert(
      fc.property(fc.array(filter, { maxLength: 4 }), filter, (some, one) => {
        const before = JSON.stringify(payload)
        const pass = (filters: EventFilter[]) => passes(filters, payload, patient)
        expect(pass(some)).toBe(some.every((each) => pass([each])))
        const value = one.value ?? ""
        expect(pass([{ ...one, operator: "eq", value }])).toBe(!pass([{ ...one, operator: "neq", value }]))
        expect(JSON.stringify(payload)).toBe(before)
      }),
    )
  })
})

describe("transformations", () => {
  test("are applied in their order", () => {
    const result = transformed(
      [
        { type: "rename_field", from: "data.to", to: "data.recipient.address" },
        { type: "add_field", field: "source", value: "mailroom" },
        { type: "add_field", field: "data.tenant", value: null },
        { type: "remove_field", field: "data.machine" },
        { type: "compute_field", field: "text", template: "{{data.subject}} to {{ data.recipient.address }}{{none}}" },
      ],
      payload,
      patient,
    )
    expect(result).toEqual({
      id: "evt_1",
      type: "email.delivered",
      source: "mailroom",
      text: "Order 8841 to ada@lovelace.example",
      data: {
        subject: "Order 8841",
        recipient: { address: "ada@lovelace.example" },
        nothing: null,
        list: ["a"],
        tenant: null,
      },
    })
  })

  test("a rename whose destination cannot be written loses nothing", () => {
    expect(transformed([{ type: "rename_field", from: "data.subject", to: "type.x" }], payload, patient)).toEqual(
      payload,
    )
    expect(transformed([{ type: "rename_field", from: "data.none", to: "x" }], payload, patient)).toEqual(payload)
    const wrapped = transformed([{ type: "rename_field", from: "data", to: "data.event" }], payload, patient)
    expect(wrapped, "a field into itself").toEqual({ ...payload, data: { event: payload.data } })
    expect(transformed([{ type: "rename_field", from: "type", to: "type" }], payload, patient)).toEqual(payload)
  })

  test("never throw, never change their input, never reach a prototype, and give JSON of bounded size", () => {
    fc.assert(
      fc.property(fc.array(transformation, { maxLength: 20 }), (list) => {
        const before = JSON.stringify(payload)
        const text = JSON.stringify(transformed(list, payload, patient))
        expect(JSON.stringify(payload)).toBe(before)
        expect(JSON.parse(text)).toBeTypeOf("object")
        expect(text.length).toBeLessThan(500_000)
        expect(({} as Record<string, unknown>).polluted).toBeUndefined()
      }),
    )
    for (const path of ["__proto__.polluted", "constructor.prototype.polluted", "data.__proto__.polluted"]) {
      transformed([{ type: "add_field", field: path, value: "yes" }], payload, patient)
      transformed([{ type: "rename_field", from: "type", to: path }], payload, patient)
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test("twenty templates that double a field stay small", () => {
    const double: Transformation = { type: "compute_field", field: "a", template: "{{a}}{{a}}x" }
    const text = JSON.stringify(
      transformed(
        Array.from({ length: 20 }, () => double),
        { a: "😀".repeat(100) },
        patient,
      ),
    )
    expect(text.length).toBeLessThan(10_000)
    expect(text.isWellFormed()).toBe(true)
  })
})

describe("secrets", () => {
  test("a generated one is taken back as the same bytes; any other text is its own bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 42 }), (bytes) => {
        expect(bytesOfSecret(textOfSecret(bytes))).toEqual(Buffer.from(bytes))
      }),
    )
    for (const text of ["a".repeat(24), "WHSEC_not base64 but long enough", "a whsec_c2hvcnQ= 12345678901"]) {
      expect(textOfSecret(bytesOfSecret(text))).toBe(`whsec_${Buffer.from(text).toString("base64")}`)
    }
  })

  test.each([
    "whsec_not base64 but long enough",
    `whsec_${Buffer.alloc(25, 0xff).toString("base64").replace(/=+$/, "")}`,
    `whsec_${Buffer.alloc(24, 0xff).toString("base64url")}`,
    `whsec_${Buffer.alloc(16, 1).toString("base64")}`,
    `whsec_${Buffer.alloc(25, 1).toString("base64").replace("=", "")}`,
    `whsec_ ${Buffer.alloc(24, 1).toString("base64")}`,
  ])("%j begins as the public form does and is none", (text) => {
    expect(isSecret(text)).toBe(false)
  })

  test.each([24, 25, 26, 42])("the public form of %i bytes is one", (count) => {
    expect(isSecret(textOfSecret(Buffer.alloc(count, 0xff)))).toBe(true)
  })

  test.each(["a".repeat(23), "a".repeat(65), `${"a".repeat(30)}\n`, `${"a".repeat(30)}é`, ""])("%j is none", (text) => {
    expect(isSecret(text)).toBe(false)
  })
})

describe("what filters and transformations cost", () => {
  const event: Payload = { id: "evt_1", data: { to: "ada@lovelace.example", subject: "x".repeat(500) } }
  /** A field of control characters that grow six times in JSON, and templates that repeat all of it. */
  const amplifying: Transformation[] = [
    { type: "rename_field", from: "data", to: "a" },
    ...Array.from({ length: 11 }, (_, at): Transformation => {
      return { type: "compute_field", field: `a.f${at}`, template: "\u0001".repeat(2_000) }
    }),
    ...Array.from({ length: 8 }, (_, at): Transformation => {
      return { type: "compute_field", field: `a.g${at}`, template: "{{a}}".repeat(400) }
    }),
  ]

  test("transformations that amplify are given up within 20 ms, and before they take memory", measured, () => {
    shaped(event, { transformations: amplifying })
    const heapBefore = process.memoryUsage().heapUsed
    const startedAt = performance.now()
    const { body, fault } = shaped(event, { transformations: amplifying })
    const took = performance.now() - startedAt
    expect(fault, "the reason").toBe("shaping_too_large")
    expect(body, "the body").toBe("")
    expect(took, "milliseconds, both attempts").toBeLessThan(45)
    expect((process.memoryUsage().heapUsed - heapBefore) / 2 ** 20, "MiB of memory").toBeLessThan(16)
  })

  test("an event over 256 KiB is not sent, one of 200 KiB is, byte for byte", () => {
    const of = (size: number): Payload => ({ data: { text: "x".repeat(size) } })
    const transformations: Transformation[] = [{ type: "remove_field", field: "none" }]
    expect(shaped(of(300 * 1024), { transformations }, patiently)).toMatchObject({
      fault: "shaping_too_large",
      body: "",
    })
    expect(shaped(of(200 * 1024), { transformations }, patiently).body).toBe(JSON.stringify(of(200 * 1024)))
  })

  test("a filter that compares a value over 64 KiB as text is given up", () => {
    const payload: Payload = { data: { list: Array.from({ length: 30_000 }, () => "abc") } }
    const filters: EventFilter[] = [{ field: "data", operator: "contains", value: "zzz" }]
    expect(shaped(payload, { filters }, patiently).fault).toBe("shaping_too_large")
    expect(shaped(payload, { filters: [{ field: "data", operator: "exists" }] }, patiently).failing).toBe(-1)
  })

  test("work over its time is given up", () => {
    let now = 0
    const work = startWork({ wallMs: () => (now += 1), cpuMs: () => now })
    const transformations = Array.from({ length: 20 }, (_, at): Transformation => {
      return { type: "compute_field", field: `f${at}`, template: "{{data}}" }
    })
    expect(() => transformed(transformations, event, work)).toThrow("shaping_too_slow")
  })

  test("the text of an event is that of JSON.stringify, for every value", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (value) => {
        const payload = JSON.parse(JSON.stringify(value)) as Payload
        expect(eventText(payload, patient)).toBe(JSON.stringify(payload))
      }),
    )
  })
})
