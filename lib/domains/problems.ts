import { problem } from "@/lib/platform/http/problem"

export const domainMissing = problem("domain.not_found", 404, "Domain not found", "This project has no such domain.")
export const domainTaken = problem(
  "domain.already_registered",
  409,
  "Domain already registered",
  "The domain is registered in this project already, in this or another region. A project can register a domain once; delete it first to register it in another region.",
)
export const regionNotEntitled = problem(
  "domain.region_not_entitled",
  403,
  "Region not entitled",
  "Domains outside the project's home region need the multi-region entitlement of the organization. The operator grants it with `entitle`.",
)
export const alreadyVerified = problem(
  "domain.already_verified",
  409,
  "Domain already verified",
  "The domain has been verified, so its host names are used in sent mail and can no longer change. Register it again to choose others.",
)
export const mailFromTaken = problem(
  "domain.mail_from_taken",
  409,
  "MAIL FROM domain taken",
  "Another registration uses this name for its bounces. Choose another name.",
)
export const standbyNotVerified = problem(
  "domain.standby_not_verified",
  409,
  "Standby key not published",
  "The standby key is not published yet, so it cannot sign. Publish the second DKIM record, wait until it is verified, then rotate.",
)
