import { allowOperator } from "@/lib/access/permissions"
import { checkSetup } from "@/lib/delivery/setup/report"
import { SetupReport } from "@/lib/delivery/setup/schema"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { pathNotFound, serviceUnavailable } from "@/lib/platform/http/problems"
import { SlotsBusy } from "@/lib/platform/jobs/slots"

export const checkSendingSetup = organizationEndpoint({
  route: "POST /v1/operator/setup-checks",
  operationId: "checkSendingSetup",
  tag: "Operator",
  access: allowOperator(),
  bucket: null,
  additive: true,
  summary: "Check the sending set-up",
  description: `Checks what the regions that send to others need: records, reverse names, certificate, outbound port, the way back. It takes seconds, and
one check runs at a time. The answer also has the zone file that the operator publishes. For who runs the installation; to everybody else
nothing lives here.`,
  answers: [200, SetupReport],
  problems: [pathNotFound],

  run: () =>
    checkSetup().catch((error: unknown) => {
      if (!(error instanceof SlotsBusy)) throw error
      throw serviceUnavailable("Another check is running.", { retryAfterSeconds: 5 })
    }),
})

export const setupOperations = [checkSendingSetup] as const
