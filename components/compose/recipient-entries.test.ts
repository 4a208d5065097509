import { expect, test } from "vitest"
import { entriesOf, isFinished, joined, named, pasted, withMore } from "@/components/compose/addresses"
import { parseAddress } from "@/lib/addresses/address"

test("what is being typed is the end of the text and no entry of its own yet; without it all are entries", () => {
  const value = joined({ done: ["a@x.example", '"Lovelace, Ada" <ada@x.example>'], typed: " bo " })
  expect(entriesOf(value, " bo ")).toEqual({ done: ["a@x.example", '"Lovelace, Ada" <ada@x.example>'], typed: " bo " })
  expect(entriesOf(value, "")).toEqual({ done: ["a@x.example", '"Lovelace, Ada" <ada@x.example>', "bo"], typed: "" })
  expect(joined({ done: [], typed: " " })).toBe("")
})

test("an entry with a quote that never ends does not swallow the next one", () => {
  const value = joined({ done: ['"Ada <ada@x.example>', "b@x.example"], typed: "" })
  expect(entriesOf(value, "").done).toEqual(['"Ada <ada@x.example>', "b@x.example"])
})

test.each([
  ["a@x.example, B <b@x.example>;c@x.example", ["a@x.example", "B <b@x.example>", "c@x.example"]],
  ["a@x.example b@x.example,\n c@x.example", ["a@x.example", "b@x.example", "c@x.example"]],
  ["a@x.example\r\nb@x.example\tnot one", ["a@x.example", "b@x.example", "not one"]],
  ["Ada Lovelace <ada@x.example>", ["Ada Lovelace <ada@x.example>"]],
  ["  ", []],
])("%j is pasted as its addresses", (text, entries) => {
  expect(pasted(text)).toEqual(entries)
})

test("an address that is there already is not added again", () => {
  expect(withMore(["a@x.example"], ["b@x.example", "a@x.example", "b@x.example"])).toEqual([
    "a@x.example",
    "b@x.example",
  ])
})

test("a whole address needs no suggestion, a part of one does", () => {
  expect(["ada@x.example", "Ada <ada@x.example>"].map(isFinished)).toEqual([true, true])
  expect(["ada", "ada@", "ada@x", "Ada Lovelace"].map(isFinished)).toEqual([false, false, false, false])
})

test.each(["Grace Hopper", "O'Hara, Bo", 'The "Admiral" \\', "Jörg Müller-Lüdenscheidt", ""])(
  "the name %j comes back from the header made of it",
  (name) => {
    expect(parseAddress(named(name, "g@x.example"))).toMatchObject({
      ok: true,
      address: "g@x.example",
      ...(name ? { name } : {}),
    })
  },
)
