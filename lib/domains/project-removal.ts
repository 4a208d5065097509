import { removal } from "@/lib/platform/database/removal-sql"

export const domainRemoval = [
  removal("dmarc_sources", "domain_id, day"),
  removal("dmarc_reports", "domain_id, id"),
  removal("domain_checks", "domain_id, id"),
  removal("dkim_keys", "domain_id"),
  removal("retained_signers", "domain_id"),
  removal("domains", "id"),
]
