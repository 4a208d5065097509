export const veilStyle =
  "fixed inset-0 z-40 grid animate-appear place-items-start overflow-y-auto bg-veil px-4 py-[min(10vh,5rem)] justify-items-center"

export const windowStyle = "w-full animate-appear rounded-lg border border-line bg-panel shadow-float outline-none"
