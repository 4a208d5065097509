import { answerOfCell } from "@/lib/domains/registration/register"
import { toResponse } from "@/lib/platform/http/answer"

/** Of another cell; the signature is the credential. */
export async function POST(request: Request): Promise<Response> {
  return toResponse(await answerOfCell(request))
}

export const dynamic = "force-dynamic"
