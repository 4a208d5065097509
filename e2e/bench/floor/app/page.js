// The floor of the pages: what the framework takes to show a heading that the server makes anew for each request.
export const dynamic = "force-dynamic"

export default function Page() {
  return (
    <main>
      <h1>Nothing but a page</h1>
      <p>{new Date().toISOString()}</p>
    </main>
  )
}
