import { signsInHere } from "@/lib/access/people/data"
import { takenMailFrom } from "@/lib/domains/registration/data"
import { answerCell } from "@/lib/platform/cells/answer"
import type { Answer } from "@/lib/platform/http/answer"
import type { Asked } from "@/lib/platform/http/asked"

/** Answers what another cell of the service asks: which MAIL FROM domains are used here, and who signs in here. */
export function answerOfCell(asked: Asked): Promise<Answer> {
  return answerCell(asked, { takenMailFrom, hasAccount: signsInHere })
}
