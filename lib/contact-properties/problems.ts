import { problem } from "@/lib/platform/http/problem"

export const propertyMissing = problem(
  "property.not_found",
  404,
  "Contact property not found",
  "This project has no such contact property.",
)
export const propertyTaken = problem(
  "property.already_exists",
  409,
  "Contact property already exists",
  "A contact property with this key already exists. Keys and types are permanent: to define it again, delete the property, which also deletes the contacts' values.",
)
