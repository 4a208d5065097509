import { strangerReader } from "@/app/docs/reader"
import { textAnswer } from "@/app/docs/text-answer"
import { llmsText } from "@/lib/docs/guides"

export function GET() {
  return textAnswer(llmsText(strangerReader()))
}
