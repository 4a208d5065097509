import type { RetainedSigner } from "@/lib/delivery/message/retained-signer-store"
import { pool } from "@/lib/platform/database/db"

const signersMax = 50

const beforeAll = "00000000-0000-0000-0000-000000000000"

/**
 * Retained keys in the order of their domains, some seconds after the deletion: a send that was being accepted then is
 * stored by now. Raw, because the age is measured on the database's clock.
 */
export async function nextSigners(
  behind: string = beforeAll,
): Promise<{ signers: RetainedSigner[]; next: string | undefined }> {
  const { rows } = await pool().query<{ project_id: string; domain_id: string; ended_up_to: string | null }>(
    `SELECT project_id, domain_id, ended_up_to FROM retained_signers
      WHERE domain_id > $1 AND deleted_at < now() - interval '15 seconds' ORDER BY domain_id LIMIT $2`,
    [behind, signersMax],
  )
  const signers = rows.map(({ project_id, domain_id, ended_up_to }) => ({
    projectId: project_id,
    domainId: domain_id,
    endedUpTo: ended_up_to ?? beforeAll,
  }))
  return { signers, next: signers.length === signersMax ? signers.at(-1)?.domainId : undefined }
}
