import { fileURLToPath } from "node:url"

// Built in dist/bench/floor of the repository, whose packages it uses.
const config = {
  poweredByHeader: false,
  turbopack: { root: fileURLToPath(new URL("../../..", import.meta.url)) },
}

export default config
