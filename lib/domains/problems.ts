import { problem } from "@/lib/platform/http/problem"

export const domainMissing = problem("domain.not_found", 404, "Domain not found", "Domain not found in this project.")
export const domainTaken = problem(
  "domain.already_registered",
  409,
  "Domain already registered",
  "This project has already registered the domain, in this or another region. A project can register a domain only once: to use another region, delete it first.",
)
export const regionNotEntitled = problem(
  "domain.region_not_entitled",
  403,
  "Region not entitled",
  "Domains outside the project's home region need the organization's multi-region entitlement. Ask the operator to grant it with `npm run admin -- entitle`.",
)
export const alreadyVerified = problem(
  "domain.already_verified",
  409,
  "Domain already verified",
  "The domain has been verified, so sent email uses its host names and they can no longer change. To choose others, delete the domain and register it again.",
)
export const mailFromTaken = problem(
  "domain.mail_from_taken",
  409,
  "MAIL FROM domain taken",
  "Another registration already uses this MAIL FROM domain. Choose another name.",
)
export const standbyNotVerified = problem(
  "domain.standby_not_verified",
  409,
  "Standby key not published",
  "The standby key is not published yet, so it cannot sign. Publish the second DKIM record, wait until it is verified, then rotate.",
)
