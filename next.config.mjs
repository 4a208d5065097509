/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  skipTrailingSlashRedirect: true,
  productionBrowserSourceMaps: false,
  // Bytes of source text. The default, 50 kB, makes 15 scripts of a page instead of 8, and each delays its first paint by over a millisecond.
  experimental: { turbopackChunking: { minChunkSize: 200_000 } },
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
    "rate-limiter-flexible",
    "postal-mime",
    "prom-client",
    "@aws-sdk/client-s3",
  ],
}

export default config
