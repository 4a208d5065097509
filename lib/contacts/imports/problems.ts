import { problem } from "@/lib/platform/http/problem"

export const importMissing = problem("import.not_found", 404, "Import not found", "This project has no such import.")
export const importsBusy = problem(
  "import.too_many",
  409,
  "Too many imports at once",
  "A project can run five imports at once. Wait for one to finish, or cancel one.",
)
export const importFileGone = problem(
  "import.file_gone",
  409,
  "Import file is missing",
  "Only a completed dry run has a file to import. It is kept for 24 hours and can be imported once. If its rows are not already being imported, upload the file again.",
)
export const importFilesFull = problem(
  "import.files_full",
  409,
  "Too many import files",
  "A project can have 20 files waiting to be imported, including those of dry runs, with 1 GiB in total. Wait for an import to finish, or run or cancel a dry run to release its file.",
)
