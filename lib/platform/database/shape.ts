/** An answer that has every field of the resource; fields that it may leave out are there too, as undefined. */
type Whole<T> = { [K in keyof Required<T>]: T[K] }

/**
 * Has tsc compare an answer with its resource: a field that is missing, optional or not, and a field too many are errors.
 * `shown<Topic>()({ ...row, object: "topic", description: present(row.description) })`
 */
export function shown<T>() {
  return <A extends Whole<T>>(answer: A & Record<Exclude<keyof A, keyof T>, never>): T => answer
}
