import { z } from "zod"
import { addressesMax } from "@/lib/emails/send-schema"

export const RecipientsToCheck = z
  .strictObject({
    addresses: z.array(z.string()).min(1, "Must hold an address.").max(addressesMax),
    topicId: z.string().optional().describe("The topic that the email would belong to."),
  })
  .meta({ id: "CheckRecipientsRequest" })

export const CheckedRecipients = z
  .strictObject({
    data: z.array(
      z.strictObject({
        address: z.string().describe("As in the request."),
        state: z.enum(["sendable", "suppressed", "invalid"]),
        reason: z
          .string()
          .optional()
          .describe(
            "The reason on the suppression list, `topic_opt_out` or `simulator`; or what is wrong with the address.",
          ),
        detail: z.string().optional().describe("For `topic_opt_out`, the topic that the address is not subscribed to."),
      }),
    ),
  })
  .meta({ id: "CheckRecipientsResponse" })
