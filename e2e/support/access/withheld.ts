import { admin } from "@/e2e/support/product"
import { signIn } from "@/e2e/support/sample-organization"
import { productDatabase } from "@/e2e/support/signed-in"

const password = "correct horse battery staple"

/** Signs in somebody whose organization requires a second factor, which they do not have. The result is a Cookie header. */
export async function signInWithoutFactor(baseUrl: string, name: string): Promise<string> {
  const email = `${name}-no-factor@example.com`
  const people = ["--email", email, "--password", password, "--organization", "Strict", "--project", "Strict"]
  await admin(process.env.E2E_DATA_DIR ?? "", "bootstrap", ...people, "--region", "eu-west-1")
  const database = await productDatabase()
  await database.query(
    "UPDATE organizations SET second_factor_required = true WHERE id IN (SELECT organization_id FROM members JOIN users ON id = user_id WHERE email = $1)",
    [email],
  )
  await database.end()
  return signIn(baseUrl, "password", { email, password })
}
