/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  skipTrailingSlashRedirect: true,
  productionBrowserSourceMaps: false,
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
