/** An answer that has every field of the resource; fields that it may leave out are there too, as undefined. */
type Whole<T> = { [K in keyof Required<T>]: T[K] }

/**
 * Has tsc compare an answer with its resource: a field that is missing, optional or not, and a field too many are errors.
 * `shown<Topic>()({ ...row, object: "topic", description: present(row.description) })`
 */
export function shown<T>() {
  return <A extends Whole<T>>(answer: A & Record<Exclude<keyof A, keyof T>, never>): T => answer
}

/**
 * The columns of a shape for a statement of hand-written SQL, named as Prisma names them: both give the same rows, so that
 * one row type and one mapper serve both. `alias` is the table's in the statement.
 */
export function columnsOf(shape: Record<string, boolean>, alias: string): string {
  return Object.entries(shape)
    .filter(([, shown]) => shown)
    .map(([field]) => `${alias}.${columnOf(field)} AS "${field}"`)
    .join(", ")
}

/** The column of a field: the schema maps every field to the same name in snake case. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}
