import { searchIndex } from "@/lib/docs/search-index"

let text: string | undefined

/** What the search field of the documentation looks through. */
export function GET() {
  text ??= JSON.stringify(searchIndex())
  return new Response(text, { headers: { "Content-Type": "application/json; charset=utf-8" } })
}
