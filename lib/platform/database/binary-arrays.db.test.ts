import { expect, test } from "vitest"
import {
  byteaArray,
  intArray,
  jsonbArray,
  textArray,
  timeArray,
  uuidArray,
} from "@/lib/platform/database/binary-arrays"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

test("values reach PostgreSQL as they are, with NULL for what is missing", async () => {
  const ids = [newId(), undefined, newId()]
  const octets = [Buffer.alloc(0), Buffer.from([0, 255, 13, 10])]
  const texts = ["", 'O\'Brien {"a",b} \\ \r\n', undefined, "Grüße 👋"]
  const times = [new Date(0), new Date("2026-11-21T10:11:12.345Z"), new Date("1999-12-31T23:59:59.999Z")]
  const documents = [{ to: "ada@x.example", subject: 'He said "ü"' }, {}]
  const { rows } = await pool().query(
    "SELECT $1::uuid[] AS ids, $2::int[] AS numbers, $3::text[] AS texts, $4::timestamptz[] AS times, $5::jsonb[] AS documents, $6::bytea[] AS octets",
    [
      uuidArray(ids),
      intArray([1, undefined, -2_147_483_648]),
      textArray(texts),
      timeArray(times),
      jsonbArray(documents.map((one) => JSON.stringify(one))),
      byteaArray(octets),
    ],
  )
  expect(rows[0]).toEqual({
    ids: ids.map((id) => id ?? null),
    numbers: [1, null, -2_147_483_648],
    texts: texts.map((text) => text ?? null),
    times,
    documents,
    octets,
  })
})

test("an empty array has no elements", async () => {
  const { rows } = await pool().query("SELECT id FROM unnest($1::uuid[]) AS id", [uuidArray([])])
  expect(rows).toEqual([])
})
