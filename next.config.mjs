/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  skipTrailingSlashRedirect: true,
  productionBrowserSourceMaps: false,
  // A guide as Markdown has the address of its page with an ending.
  rewrites: async () => [{ source: "/docs/:guide([\\w-]+).md", destination: "/docs/markdown/:guide" }],
  experimental: {
    // In bytes of source text. With the default of 50 kB a page loads 15 scripts instead of 8; each delays the first paint by over 1 ms.
    turbopackChunking: { minChunkSize: 200_000 },
    // A web process that has loaded every page before anybody asks holds 117 MB, and 63 MB with what is asked for; a page takes 0.1 to
    // 0.3 s more when it is first asked for. The routes of the API, which Next never answers there, were half of it.
    preloadEntriesOnStart: false,
  },
  typescript: { ignoreBuildErrors: true }, // `npm run check` is the one place that type-checks
  serverExternalPackages: [
    "pg",
    "@prisma/client",
    "@prisma/adapter-pg",
    "@node-rs/argon2",
    "mailauth",
    "pino",
    "dns-packet",
    "smtp-server",
    "postal-mime",
    "prom-client",
    "@aws-sdk/client-s3",
    "@aws-sdk/client-sesv2",
    "@aws-sdk/client-sqs",
  ],
}

export default config
