import { parseAsString } from "nuqs/server"

export const receivedFilters = {
  route: parseAsString.withDefault(""),
  after: parseAsString.withDefault(""),
}
