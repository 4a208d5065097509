import { problem } from "@/lib/platform/problem"

export const importMissing = problem("import.not_found", 404, "Import not found", "This project has no such import.")
export const importsBusy = problem(
  "import.too_many",
  409,
  "Too many imports at once",
  "A project may have five imports under way. Wait for one to end, or cancel one.",
)
