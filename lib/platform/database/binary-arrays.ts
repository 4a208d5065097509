// Arrays in PostgreSQL's binary form (array_recv): a parameter of some hundred values is read without parsing text.
// The statement has to name the type, as in `$1::uuid[]`.

export function uuidArray(values: readonly (string | undefined)[]): Buffer {
  return encoded(
    2950,
    values,
    () => 16,
    (to, value, at) => to.write(value.replaceAll("-", ""), at, "hex"),
  )
}

export function intArray(values: readonly (number | undefined)[]): Buffer {
  return encoded(
    23,
    values,
    () => 4,
    (to, value, at) => to.writeInt32BE(value, at),
  )
}

export function textArray(values: readonly (string | undefined)[]): Buffer {
  return encoded(25, values, Buffer.byteLength, (to, value, at) => to.write(value, at))
}

export function byteaArray(values: readonly Buffer[]): Buffer {
  return encoded(
    17,
    values,
    (value) => value.length,
    (to, value, at) => value.copy(to, at),
  )
}

/** Each value is the text of a JSON document; the octet before it is the version of the form. */
export function jsonbArray(values: readonly string[]): Buffer {
  const versioned = values.map((value) => `\x01${value}`)
  return encoded(3802, versioned, Buffer.byteLength, (to, value, at) => to.write(value, at))
}

export function timeArray(values: readonly Date[]): Buffer {
  const micros = values.map((value) => BigInt(value.getTime() - epochMs) * 1000n)
  return encoded(
    1184,
    micros,
    () => 8,
    (to, value, at) => to.writeBigInt64BE(value, at),
  )
}

/** PostgreSQL counts from here. */
const epochMs = Date.UTC(2000, 0, 1)
const headBytes = 20

function encoded<T>(
  type: number,
  values: readonly (T | undefined)[],
  sizeOf: (value: T) => number,
  put: (to: Buffer, value: T, at: number) => void,
): Buffer {
  const sizes = values.map((value) => (value === undefined ? -1 : sizeOf(value)))
  const bytes = sizes.reduce((sum, size) => sum + 4 + Math.max(0, size), headBytes)
  const to = Buffer.allocUnsafe(bytes)
  // One dimension, perhaps with NULLs, the element's type, its length, counted from 1.
  for (const [place, word] of [1, 1, type, values.length, 1].entries()) to.writeInt32BE(word, place * 4)
  let at = headBytes
  for (const [place, value] of values.entries()) {
    at = to.writeInt32BE(sizes[place] ?? -1, at)
    if (value === undefined) continue
    put(to, value, at)
    at += sizes[place] ?? 0
  }
  return to
}
