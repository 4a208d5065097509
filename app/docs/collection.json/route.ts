import { textAnswer } from "@/app/docs/text-answer"
import { apiDocument } from "@/lib/api/openapi"
import { collectionOf } from "@/lib/docs/collection"

let text: string | undefined

/** The requests of the API for Postman, Bruno, Insomnia and others that read the format. */
export function GET() {
  text ??= JSON.stringify(collectionOf(apiDocument()), null, 2)
  return textAnswer(text, "application/json")
}
