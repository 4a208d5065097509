import { startProduct } from "./product"

/** One product for the whole browser suite, unless E2E_BASE_URL names one that runs already. */
export default async function setup() {
  if (process.env.E2E_BASE_URL) return
  const product = await startProduct({ web: 4310, smtp: 4325, dns: 4353, metrics: 4364 })
  Object.assign(process.env, {
    E2E_BASE_URL: product.baseUrl,
    E2E_SETUP_URL: product.setupUrl,
    E2E_DATA_DIR: product.dataDir,
  })
  return () => product.stop()
}
