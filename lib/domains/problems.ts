import { problem } from "@/lib/platform/problem"

export const domainMissing = problem("domain.not_found", 404, "Domain not found", "This project has no such domain.")
export const domainTaken = problem(
  "domain.already_registered",
  409,
  "Domain already registered",
  "The domain is registered in this project already, in this or another region. A domain stands once in a project; delete it first to register it elsewhere.",
)
export const regionNotEntitled = problem(
  "domain.region_not_entitled",
  403,
  "Region not entitled",
  "Domains outside the project's home region need the multi-region entitlement of the organization. The operator grants it with `entitle`.",
)
