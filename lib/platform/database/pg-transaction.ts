import type pg from "pg"

type Options = {
  /** In place of the connection's own limit of time for a statement. */
  statementMs?: number | undefined
  /** Called when the connection cannot roll back, and so cannot be used again. */
  broken?: (error: Error) => void
}

/** Runs `work` in a transaction of this connection: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
  { statementMs, broken = () => undefined }: Options = {},
): Promise<T> {
  try {
    await client.query(statementMs === undefined ? "BEGIN" : `BEGIN; SET LOCAL statement_timeout = ${statementMs}`)
    const result = await work()
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK").catch(broken)
    throw error
  }
}
