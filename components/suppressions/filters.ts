import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server"
import { suppressionReasons } from "@/lib/consent/rules"

/** What the address of the list says, for the server and the browser. */
export const suppressionFilters = {
  page: parseAsInteger.withDefault(1),
  reason: parseAsStringLiteral(suppressionReasons),
  search: parseAsString.withDefault(""),
}
