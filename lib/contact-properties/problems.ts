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
  "A contact property with this key is defined already. Keys and types are permanent: delete the property, with the values that contacts have, to define it again.",
)
