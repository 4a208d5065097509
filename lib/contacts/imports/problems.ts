import { problem } from "@/lib/platform/http/problem"

export const importMissing = problem("import.not_found", 404, "Import not found", "This project has no such import.")
export const importsBusy = problem(
  "import.too_many",
  409,
  "Too many imports at once",
  "A project may have five imports under way. Wait for one to end, or cancel one.",
)
export const importFileGone = problem(
  "import.file_gone",
  409,
  "Import file is missing",
  "Only a completed dry run has a file to import: for 24 hours, and once. If its rows are not being imported already, upload the file again.",
)
export const importFilesFull = problem(
  "import.files_full",
  409,
  "Too many import files",
  "The files of a project that wait to be imported, those of dry runs included, may be 20 and hold 1 GiB together. Wait for an import to end, run a dry run, or cancel it to let go of its file.",
)
