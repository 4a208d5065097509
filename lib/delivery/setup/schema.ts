import { z } from "zod"
import { int32, int64, timestamp } from "@/lib/platform/schema"
import { regionNames } from "@/lib/regions/regions"

/** The rows in the order in which they are shown. */
const setupKeys = [
  "service_domain",
  "origin",
  "service_spf",
  "service_dkim",
  "service_dmarc",
  "service_mx",
  "report_mx",
  "report_wildcard",
  "ehlo_address",
  "reverse_name",
  "reverse_generic",
  "ehlo_spf",
  "region_spf",
  "feedback_address",
  "outbound_port",
  "relay",
  "loop_test",
  "ses_account",
  "ses_configuration_set",
  "ses_identity",
  "ses_events",
  "resolver",
  "block_lists",
  "tracking_host",
  "submission_certificate",
  "clock",
  "inbound_port",
  "postmaster_tools",
  "yahoo_feedback",
  "microsoft_feedback",
] as const
export type SetupKey = (typeof setupKeys)[number]

/** What nobody but the operator can know. */
const byHandKeys: readonly SetupKey[] = ["inbound_port", "postmaster_tools", "yahoo_feedback", "microsoft_feedback"]

const setupKinds = ["required", "recommended", "by_hand"] as const
export type SetupKind = (typeof setupKinds)[number]

const checkStates = ["ok", "wrong", "unknown", "waiting"] as const
export type CheckState = (typeof checkStates)[number]

const setupStates = [...checkStates, "overridden"] as const
export type SetupState = (typeof setupStates)[number]

/** Why a row is not `ok`. */
const setupCodes = [
  "missing",
  "different",
  "several",
  "lookup_failed",
  "no_address",
  "service_of_sandbox",
  "not_https",
  "no_certificate",
  "unreachable",
  "tls_failed",
  "sign_in_refused",
  "private_address",
  "certificate_expired",
  "certificate_ending",
  "certificate_untrusted",
  "certificate_other_name",
  "not_back",
  "generic",
  "not_pass",
  "blocked",
  "never_run",
  "under_way",
  "failed",
  "not_set",
  "not_validating",
  "listed",
  "list_refuses",
  "clock_differs",
  "credentials",
  "ses_sandbox",
  "sending_off",
  "not_found",
  "not_verified",
  "no_events",
  "not_heard",
  "not_checked",
  "not_done",
] as const
export type SetupCode = (typeof setupCodes)[number]

const setupPlaces = ["dns", "hoster", "env", "server", "page"] as const

const SetupRow = z
  .strictObject({
    key: z.enum(setupKeys),
    kind: z.enum(setupKinds),
    region: z.string().optional().describe("Left out for what is about the installation."),
    address: z.string().optional().describe("The address that the region sends from, for rows about one."),
    state: z
      .enum(setupStates)
      .describe(
        "`unknown` if the lookup failed, `waiting` for what has to be done or found first, `overridden` if an operator has confirmed what is not `ok`.",
      ),
    code: z.enum(setupCodes).optional().describe("Why the row is not `ok`."),
    title: z.string(),
    expected: z.array(z.string()).describe("The records or values that are right, one a line."),
    found: z.array(z.string()).describe("The records or values that were found, one a line."),
    message: z.string().describe("One sentence that names what is expected and what was found."),
    fix: z.string().optional().describe("What to do about it, for a row that is not `ok`."),
    place: z.enum(setupPlaces).describe("Where it is changed: at the DNS or server provider, in `.env`, or here."),
    checkedAt: timestamp.optional().describe("When a check was answered last. Left out for what was never checked."),
    unansweredAt: timestamp.optional().describe("When a later check got no answer; the state is the one before it."),
    redSince: timestamp.optional().describe("Since when it has been `wrong`."),
    confirmation: z
      .strictObject({
        at: timestamp,
        by: z.string().optional().describe("The operator. Left out if that account is deleted."),
        reason: z.string().optional(),
      })
      .optional()
      .describe("That an operator has said that the row is fine, or done."),
  })
  .meta({ id: "SetupRow" })

const SetupRegion = z
  .strictObject({
    region: z.enum(regionNames),
    sending: z
      .boolean()
      .describe(
        "Whether email to others leaves. A region that sends directly is turned on for good once no required row lacks anything; until then only operators get its email, and the rest waits.",
      ),
    transport: z.enum(["smtp", "direct", "ses"]),
    addresses: int32.describe("How many addresses it sends directly from."),
    rows: int32.describe("Rows about the region and about the installation."),
    red: int32.describe("Those among them that are `wrong`."),
    message: z.string(),
  })
  .meta({ id: "SetupRegion" })

const Installation = z
  .strictObject({
    name: z.string().describe("SERVICE_DOMAIN."),
    origin: z.string().describe("BASE_URL."),
    cell: z.string().optional().describe("CELL. Left out without one."),
    versions: z.strictObject({
      mailroom: z.string(),
      node: z.string(),
      postgres: z.string().describe("Of the server that answers, the embedded one or that of DATABASE_URL."),
      schema: z.string().describe("The newest migration of the database."),
    }),
    regions: z
      .array(
        z.strictObject({
          region: z.enum(regionNames),
          transport: z.enum(["sandbox", "smtp", "direct", "ses"]),
          nextHop: z.string().describe("Host and port of the relay, or the transport where there is none."),
          delivered: z.enum(["accept", "dsn", "never", "events"]).describe("What says that an email was delivered."),
        }),
      )
      .describe("All regions, also those of the sandbox."),
    queue: z.strictObject({
      due: int32.describe("Recipients whose email is due and waits for a worker."),
      oldestSeconds: int32.describe("How long the oldest of them has waited."),
    }),
    disk: z
      .strictObject({
        totalBytes: int64,
        freeBytes: int64,
        daysLeft: int32
          .optional()
          .describe("Until it is full at the growth of the last days. Left out if it does not grow."),
      })
      .describe("The disk of DATA_DIR on the host that answers."),
    backedUpAt: timestamp
      .optional()
      .describe(
        "What the last backup of `admin backup` was of. Left out if there was none: other backups are not known.",
      ),
  })
  .meta({ id: "Installation" })

export type Installation = z.infer<typeof Installation>

export const SetupReport = z
  .strictObject({
    installation: Installation,
    checkedAt: timestamp.optional().describe("When the latest check ended. Left out if there was none."),
    ready: z
      .boolean()
      .describe("Whether all required rows are `ok` or `overridden`. True while no region sends to others."),
    regions: z.array(SetupRegion).describe("The regions that send to others; those of the sandbox need no set-up."),
    rows: z.array(SetupRow),
    zoneFile: z.string().describe("All records that the operator publishes, in BIND's notation."),
  })
  .meta({ id: "SetupReport" })

export type SetupReport = z.infer<typeof SetupReport>
export type SetupRow = z.infer<typeof SetupRow>

const reasonCharsMax = 500

export const SetupConfirmation = z
  .strictObject({
    key: z.enum(setupKeys),
    region: z.enum(regionNames).optional().describe("As the row has it."),
    address: z.union([z.ipv4(), z.ipv6()]).optional().describe("As the row has it."),
    confirmed: z.boolean().describe("False takes it back."),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(reasonCharsMax)
      .optional()
      .describe("Why the row is fine as it is. Required to confirm what a check judges."),
  })
  .refine(({ key, confirmed, reason }) => !confirmed || reason !== undefined || byHandKeys.includes(key), {
    path: ["reason"],
    message: "Say why it is fine as it is.",
  })
  .meta({ id: "SetupConfirmation" })
