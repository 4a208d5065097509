/** Longer ones may not fit into one line of a phone. */
const shortDomain = 24

/** An address that breaks after its "@" first; a short domain stays whole, even at a hyphen. */
export function AddressText({ address }: { address: string }) {
  const at = address.indexOf("@") + 1
  if (at === 0) return address
  const domain = address.slice(at)
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {domain.length > shortDomain ? domain : <span className="whitespace-nowrap">{domain}</span>}
    </>
  )
}
