import { parseAsInteger, parseAsString } from "nuqs/server"

/** What the address of the mailbox says, for the server and the browser. */
export const mailboxFilters = {
  page: parseAsInteger.withDefault(1),
  search: parseAsString.withDefault(""),
}
