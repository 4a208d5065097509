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
  "The project already has a contact with this address; case is ignored. Update that contact, or use `PUT` on the collection, which creates or updates.",
)
