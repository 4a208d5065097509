import { pool, transaction } from "@/lib/platform/database/db"
import { found, type Founded, type Founding } from "@/lib/projects/store"

const OPEN = "id = 1 AND completed_at IS NULL AND setup_token_hash = $1"

/** True while the first run is not over and this is the hash of the token printed last. */
export async function setupIsOpen(tokenHash: Buffer): Promise<boolean> {
  const { rowCount } = await pool().query(`SELECT 1 FROM installation WHERE ${OPEN}`, [tokenHash])
  return Boolean(rowCount)
}

/** Founds what the first run founds, once: parallel calls wait at the installation's row, and the second finds it closed. */
export async function founded(tokenHash: Buffer, founding: Founding): Promise<Founded | null> {
  return transaction(async (client) => {
    const { rowCount } = await client.query(`SELECT 1 FROM installation WHERE ${OPEN} FOR UPDATE`, [tokenHash])
    return rowCount ? found(founding, client) : null
  })
}
