import { reportFaults } from "@/lib/domains/dmarc/unpack"

/** Why a mail to an address for reports was not taken. */
export const mailFaults = [...reportFaults, "no_registration"] as const

export type MailFault = (typeof mailFaults)[number]
