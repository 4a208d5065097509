import { strangerReader } from "@/app/docs/reader"
import { textAnswer } from "@/app/docs/text-answer"
import { llmsFullText } from "@/lib/docs/for-programs"

export function GET() {
  return textAnswer(llmsFullText(strangerReader()))
}
