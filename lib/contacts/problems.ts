import { problem } from "@/lib/platform/http/problem"

export const contactMissing = problem(
  "contact.not_found",
  404,
  "Contact not found",
  "This project has no such contact.",
)
export const contactTaken = problem(
  "contact.already_exists",
  409,
  "Contact already exists",
  "A contact with this address is in the project already. Addresses are compared without case. Change the contact, or use `PUT` on the collection, which adds or changes.",
)
